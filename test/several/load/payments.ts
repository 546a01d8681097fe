import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { post } from '../buyer.ts'
import type { Asking, Part, Shop } from './part.ts'

const POLL_MS = 250

/** An agent that orders top-ups over REST and pays them on the chain, one after the other. */
export function startPayments({ db, pay }: Shop, asking: Asking): Part {
  let paid = 0
  return {
    name: 'payments',
    clients: 1,
    async step() {
      const body = { amount: '1', client_order_no: randomUUID() }
      const { order_no: orderNo, pay_amount: amount } = await asking.ask((server, sending) =>
        post<{ order_no: string; pay_amount: string }>(server, '/usdt/create-order', body, sending),
      )
      pay(BigInt(Math.round(Number(amount) * 1e6)))
      paid += 1
      let unpaidAt: number | undefined
      // Only so many may be open.
      await vi.waitUntil(
        async () => {
          const lookedAt = performance.now()
          const topUp = await db.read.topUp.findUnique({ where: { orderNo } }).catch(() => null)
          if (topUp && topUp.status !== 'paid') unpaidAt = lookedAt
          return topUp?.status === 'paid'
        },
        { ...PATIENCE, interval: POLL_MS },
      )
      return unpaidAt
    },
    async prove() {
      const topUps = await db.read.topUp.findMany()
      expect(topUps.map(({ status }) => status)).toEqual(Array.from({ length: paid }, () => 'paid'))
      expect(await db.read.usdtTransfer.count()).toBe(paid)
    },
  }
}
