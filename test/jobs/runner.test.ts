import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JobHandlers } from '../../src/core/job-handlers.ts'
import type { JobQueue } from '../../src/core/jobs/job-queue.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { beside } from '../support/beside.ts'
import { PATIENCE } from '../support/patience.ts'
import { openService, outside } from '../support/service.ts'

/** A runner of jobs of orders, whose lease never ends, and an order whose completion does what the test says. */
async function withRunner(complete: JobHandlers['complete_static_order']) {
  const { core, database, db, agent, product, stock, order, clock } = await openService()
  const { queue } = core.jobs
  const buyer = await agent({ balance: 10 })
  await product()
  await stock('static', 1)
  await order(buyer)
  return {
    database,
    db,
    clock,
    queue,
    run: (change: Partial<Record<keyof JobQueue, unknown>> = {}) => {
      const runner = new JobRunner({
        queue: {
          claim: queue.claim.bind(queue),
          retryLater: queue.retryLater.bind(queue),
          nextDue: queue.nextDue.bind(queue),
          onWake: queue.onWake.bind(queue),
          takeOver: queue.takeOver.bind(queue),
          ...change,
        } as JobQueue,
        group: 'orders',
        handlers: { ...core.jobs.handlers(outside()), complete_static_order: complete },
        sweeps: [],
        clock,
        logger: pino({ level: 'silent' }),
      })
      runner.start()
      onTestFinished(() => runner.stop())
    },
  }
}

test('a job that is due again at once is carried out again, also when it is claimed before it was quite given back', async () => {
  let times = 0
  let claims = 0
  const { run, queue } = await withRunner(() => {
    times += 1
    return Promise.resolve(times < 3 ? { retryAfterMs: 0, waiting: true } : { retryAfterMs: 60_000 })
  })
  run({
    claim: (...claim: Parameters<JobQueue['claim']>) => {
      claims += 1
      return queue.claim(...claim)
    },
    retryLater: async (...later: Parameters<JobQueue['retryLater']>) => {
      await queue.retryLater(...later)
      const before = claims
      queue.wake()
      // Nobody claims once the test has seen the last time.
      await vi.waitUntil(() => times === 3 || claims > before + 1, PATIENCE)
    },
  })
  await expect.poll(() => times, PATIENCE).toBe(3)
})

test('the pause after a failure grows with the failures in a row, not with the times that a job had to wait', async () => {
  let times = 0
  const { run, clock, db } = await withRunner(() => {
    times += 1
    if (times <= 8) return Promise.resolve({ retryAfterMs: 0, waiting: true })
    return Promise.reject(new Error('a fault that passes'))
  })
  run()
  for (const [failed, pause] of [1_000, 2_000, 4_000].entries()) {
    const job = () => db.read.job.findFirstOrThrow()
    await expect.poll(async () => (await job()).failures, PATIENCE).toBe(failed + 1)
    expect((await job()).runAt.getTime() - clock.now().getTime()).toBe(pause)
    clock.advance(pause)
  }
})

test('while the database cannot be written, what is due is tried once a second', async () => {
  let done = 0
  const claims: number[] = []
  const { run, queue, database } = await withRunner(() => {
    done += 1
    return Promise.resolve(undefined)
  })
  const { crash } = await beside({ database })
  const becomeWritable = await crash('BEFORE UPDATE', 'jobs')
  run({
    claim: (...claim: Parameters<JobQueue['claim']>) => {
      claims.push(performance.now())
      return queue.claim(...claim)
    },
  })
  // The first pause may end early: the connection to other servers wakes everybody when it begins.
  await vi.waitUntil(() => claims.length >= 4, PATIENCE)
  const [, second = 0, , fourth = 0] = claims
  expect(fourth - second).toBeGreaterThan(1_900)
  expect(done).toBe(0)
  await becomeWritable()
  await expect.poll(() => done, PATIENCE).toBe(1)
})
