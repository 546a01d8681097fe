import { expect, test } from 'vitest'
import { openService } from '../../support/service.ts'

test('A job of a kind that only a newer version knows is left to it, and holds up no other', async () => {
  const { core, clock, db } = await openService()
  const now = clock.now()
  const jobs = [
    { kind: 'new', key: 'something', runAt: now, createdAt: now },
    { kind: 'deliver_notice', key: '7', runAt: now, createdAt: now },
  ]
  await db.write((tx) => tx.$kysely.insertInto('jobs').values(jobs).execute())
  const { queue } = core.jobs
  expect(await queue.claim(10, 60_000)).toMatchObject([{ kind: 'deliver_notice', subject: 7 }])
  expect(await queue.nextDue()).toBeUndefined()
  expect(await db.read.job.findFirst({ where: { kind: 'new' } })).toMatchObject({
    attempts: 0,
    leasedUntil: null,
  })
})
