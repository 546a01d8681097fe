import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { AGENT, CUSTOMER } from '../support/product.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { ORDER, post } from './buyer.ts'
import type { openSeveralShop } from './several-shop.ts'

type Shop = Awaited<ReturnType<typeof openSeveralShop>>

/** Clients at the same time; the last one moves money, the others buy. */
const CLIENTS = 4
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
 * Clients that buy, and move money from an agent to its customer, at all servers in turn. Each repeats a request under its number until it
 * is acknowledged.
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

  const client = async (index: number) => {
    let turn = index
    while (!stopping.signal.aborted) {
      const askedAt = performance.now()
      const number = randomUUID()
      for (;;) {
        const server = servers[turn % servers.length] as ProductProcess
        try {
          done.push({ orderNo: await ask(server, index, number), askedAt })
          break
        } catch (error) {
          if (/refused with 4/.test(String(error))) throw error
          turn += 1
          await sleep(PAUSE_MS)
        }
      }
      await sleep(PAUSE_MS)
    }
  }
  const ask = async (server: ProductProcess, index: number, number: string) => {
    if (index === CLIENTS - 1) {
      const path = `/open/app/agent/sub-users/${customer.id}/balance`
      await post(
        server,
        path,
        { amount: MOVED, remark: 'load' },
        { token, key: number, patienceMs: ANSWER_MS },
      )
      return undefined
    }
    const path = '/open/app/static/order/create-standard/v2'
    const { orderNo } = await post<{ orderNo: string }>(
      server,
      path,
      { ...ORDER, appOrderNo: number },
      { token, patienceMs: ANSWER_MS },
    )
    return orderNo
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
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
        async () =>
          (await shop.db.read.staticOrder.count({ where: { status: 'active' } })) >= orderNos.length,
        PATIENCE,
      )
      const orders = await shop.db.read.staticOrder.findMany()
      expect(orders.map(({ orderNo }) => orderNo).toSorted()).toEqual(orderNos.toSorted())
      const proxies = await shop.db.read.instance.findMany()
      expect(new Set(proxies.map(({ ip }) => ip)).size).toBe(orderNos.length)
      const { balance } = await shop.db.read.account.findUniqueOrThrow({ where: { id: customer.id } })
      expect(Number(balance)).toBe((done.length - orderNos.length) * MOVED_MICROS)
      expect(await core.operator.audit()).toEqual([])
    },
  }
}
