import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { HANG_MS, PATIENCE } from '../../support/patience.ts'
import type { ProductProcess } from '../../support/process.ts'
import { AGENT } from '../../support/product.ts'
import { startChat } from './chat.ts'
import { startMovements } from './movements.ts'
import { startOrders } from './orders.ts'
import type { Asking, Part, Shop } from './part.ts'
import { startPayments } from './payments.ts'
import { startReports } from './reports.ts'

/** Between two requests of a client. */
const PAUSE_MS = 50
/** A client that has no answer by then asks another server. */
const ANSWER_MS = 5_000
/** What is told of a log when a wait was in vain: so many lines, and so much of each. */
const TOLD = { lines: 20, columns: 300 }

/**
 * Clients that buy over REST and in the chat, move money from an agent to its customer, pay top-ups on the chain, and report use of a
 * gateway, all at the same time. Each repeats a request under its number until it is acknowledged.
 */
export async function startLoad(shop: Shop, servers: readonly ProductProcess[]) {
  const { core, db } = shop
  const money = { username: AGENT.username, amount: 10_000, remark: 'for the load' }
  await core.operator.adjustBalance(SHELL, money)
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(token)

  let turn = 0
  const asking: Asking = {
    async ask(request) {
      const begun = performance.now()
      for (let next = (turn += 1); ; next += 1) {
        const server = servers[next % servers.length] as ProductProcess
        try {
          return await request(server, { token, patienceMs: ANSWER_MS })
        } catch (error) {
          if (/refused with 4/.test(String(error)) || performance.now() - begun > HANG_MS) throw error
          await sleep(PAUSE_MS)
        }
      }
    },
  }
  const parts: readonly Part[] = [
    ...startOrders(shop, asking),
    await startMovements(shop, agent, asking),
    startPayments(shop, asking),
    await startReports(shop, agent, asking),
    await startChat(shop),
  ]

  let steps = 0
  /** Of each part, the last moment at which something was not done that has been done since. */
  const reached = new Map<Part, number>()
  /** What is being done, and since when. */
  const underWay = new Map<symbol, { readonly part: Part; readonly since: number }>()
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  async function client(part: Part): Promise<void> {
    const id = Symbol(part.name)
    while (!stopping.signal.aborted) {
      underWay.set(id, { part, since: performance.now() })
      const moment = await part.step()
      if (moment !== undefined) {
        steps += 1
        reached.set(part, Math.max(moment, reached.get(part) ?? 0))
      }
      await sleep(PAUSE_MS)
    }
    underWay.delete(id)
  }
  const failed = new Promise<never>((_, reject) => {
    for (const part of parts) for (let index = 0; index < part.clients; index += 1) client(part).catch(reject)
  })
  failed.catch(() => {})

  /** @throws when it takes too long, or a client has failed: what is under way, and what the servers have logged */
  async function until(done: () => boolean | Promise<boolean>, timeout = HANG_MS): Promise<void> {
    try {
      await Promise.race([failed, vi.waitUntil(done, { ...PATIENCE, timeout })])
    } catch (cause) {
      throw new Error(diagnosis(), { cause })
    }
  }

  /** What hangs comes last: where only the end of an output is kept, it is there. */
  function diagnosis(): string {
    const now = performance.now()
    const logs = servers.flatMap(({ pid, output }) => {
      const lines = output().split('\n')
      const telling = lines.filter((line) => !line.startsWith('{"level":30')).slice(-TOLD.lines)
      return [`Server ${pid}:`, ...telling.map((line) => line.slice(0, TOLD.columns))]
    })
    const ago = (moment: number) => `begun ${Math.round(now - moment)} ms ago`
    const done = parts.map((part) => {
      const moment = reached.get(part)
      return `${part.name}: ${moment === undefined ? 'never done' : `done, ${ago(moment)}`}`
    })
    const hanging = [...underWay.values()].map(({ part, since }) => `${part.name}: ${ago(since)}`)
    const told = parts.flatMap((part) => part.tell?.() ?? [])
    return [...logs, ...told, 'The load does not go on:', ...done, ...hanging].join('\n')
  }

  return {
    /** Resolves when so many more things are done. */
    async more(count: number): Promise<void> {
      const enough = steps + count
      await until(() => steps >= enough)
    },
    /** Resolves when each part of the load has something that was done after a moment; rejected when that takes too long. */
    async goesOn(since: number, withinMs = HANG_MS): Promise<void> {
      const left = since + withinMs - performance.now()
      await until(() => parts.every((part) => (reached.get(part) ?? 0) > since), Math.max(left, 1))
    },
    /** Stops the clients, and proves that what was acknowledged is there once, and nothing else. */
    async prove(): Promise<void> {
      stopping.abort()
      await until(() => underWay.size === 0)
      await until(
        async () => (await db.read.staticOrder.count({ where: { status: { not: 'active' } } })) === 0,
      )
      const proxies = await db.read.instance.findMany()
      expect(new Set(proxies.map(({ ip }) => ip)).size).toBe(await db.read.staticOrder.count())
      for (const part of parts) await part.prove?.()
      expect(await core.operator.audit()).toEqual([])
    },
  }
}
