import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { AGENT, CUSTOMER } from '../support/product.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { type Asking, ORDER, post } from './buyer.ts'
import { BY_REST, startChat, startPayments, startReports } from './other-load.ts'
import type { openSeveralShop } from './several-shop.ts'

type Shop = Awaited<ReturnType<typeof openSeveralShop>>

/** Between two requests of a client. */
const PAUSE_MS = 50
/** A client that has no answer by then asks another server. */
const ANSWER_MS = 5_000
/** What one movement is worth, in the currency and in its millionths. */
const MOVED = 0.01
const MOVED_MICROS = 10_000

/** An order or a movement of money that was acknowledged. */
interface Done {
  /** Of the order. */
  readonly orderNo: string | undefined
  /** When it was asked for first, on the clock of `performance`. */
  readonly askedAt: number
}

/**
 * Clients that buy, move money from an agent to its customer, pay top-ups on the chain, report use of a gateway, and buy in the chat, at
 * the same time. Each repeats a request under its number until it is acknowledged.
 */
export async function startLoad(shop: Shop, servers: readonly ProductProcess[]) {
  const { core } = shop
  await core.operator.adjustBalance(SHELL, {
    username: AGENT.username,
    amount: 10_000,
    remark: 'for the load',
  })
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const customer = await core.accounts.createSubUser(await core.accounts.authenticate(token), CUSTOMER)
  const done: Done[] = []
  const stopping = new AbortController()

  let turn = 0
  const asking: Asking = {
    async ask(request) {
      for (;;) {
        turn += 1
        const server = servers[turn % servers.length] as ProductProcess
        try {
          return await request(server, { token, patienceMs: ANSWER_MS })
        } catch (error) {
          if (/refused with 4/.test(String(error))) throw error
          await sleep(PAUSE_MS)
        }
      }
    },
  }
  const agent = await core.accounts.authenticate(token)
  const others = [startPayments(shop, asking), await startReports(shop, agent, asking), await startChat(shop)]

  const buy = async () => {
    const askedAt = performance.now()
    const order = { ...ORDER, appOrderNo: `${BY_REST}${randomUUID()}` }
    const { orderNo } = await asking.ask((server, sending) =>
      post<{ orderNo: string }>(server, '/open/app/static/order/create-standard/v2', order, sending),
    )
    done.push({ orderNo, askedAt })
  }
  const move = async () => {
    const askedAt = performance.now()
    const key = randomUUID()
    await asking.ask((server, sending) =>
      post(
        server,
        `/open/app/agent/sub-users/${customer.id}/balance`,
        { amount: MOVED, remark: 'load' },
        { ...sending, key },
      ),
    )
    done.push({ orderNo: undefined, askedAt })
  }
  const client = async (step: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await step()
      await sleep(PAUSE_MS)
    }
  }
  const clients = Promise.all([buy, buy, buy, move, ...others.map((other) => () => other.step())].map(client))
  clients.catch(() => {})

  return {
    /** Resolves when so many more requests are acknowledged. */
    more(count: number) {
      const enough = done.length + count
      return vi.waitUntil(() => done.length >= enough, PATIENCE)
    },
    /**
     * Waits until an order that was asked for after a moment is acknowledged, and completed by whoever leads.
     *
     * @returns the milliseconds from that moment on
     */
    async goesOn(since: number): Promise<number> {
      await vi.waitUntil(async () => {
        const order = done.find(({ askedAt, orderNo }) => orderNo !== undefined && askedAt > since)
        if (!order) return false
        const found = await shop.db.read.staticOrder
          .findUnique({ where: { orderNo: order.orderNo as string } })
          .catch(() => null)
        return found?.status === 'active'
      }, PATIENCE)
      return performance.now() - since
    },
    /** Stops the clients, and proves that what was acknowledged is there once, and nothing else. */
    async prove(): Promise<void> {
      stopping.abort()
      await clients
      const orderNos = done.map(({ orderNo }) => orderNo).filter((orderNo) => orderNo !== undefined)
      await vi.waitUntil(
        async () => (await shop.db.read.staticOrder.count({ where: { status: { not: 'active' } } })) === 0,
        PATIENCE,
      )
      const all = await shop.db.read.staticOrder.findMany()
      const orders = all.filter(({ appOrderNo }) => appOrderNo.startsWith(BY_REST))
      expect(orders.map(({ orderNo }) => orderNo).toSorted()).toEqual(orderNos.toSorted())
      const proxies = await shop.db.read.instance.findMany()
      expect(new Set(proxies.map(({ ip }) => ip)).size).toBe(all.length)
      for (const other of others) await other.prove()
      const { balance } = await shop.db.read.account.findUniqueOrThrow({ where: { id: customer.id } })
      expect(Number(balance)).toBe((done.length - orderNos.length) * MOVED_MICROS)
      expect(await core.operator.audit()).toEqual([])
    },
  }
}
