import type { Actor } from '../../src/core/access/actor.ts'
import { CUSTOMER, type Product, startProduct } from './product.ts'
import type { Phone } from './phone.ts'
import { movableClock } from './service.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** The product, in which time stands still until the test moves it. */
export async function startProductInTime(
  start = '2026-03-01T12:00:00.000Z',
  settings: Parameters<typeof startProduct>[1] = {},
  surroundings: Parameters<typeof startProduct>[0] = {},
) {
  const clock = movableClock(start)
  const product = await startProduct({ clock, ...surroundings }, settings)
  return {
    product,
    clock,
    /** Lets time pass; the loop looks at once at what has come due. */
    pass: async (ms: number) => {
      clock.advance(ms)
      const { sweepStaticOrders, noticeSweeps, queue } = product.core.jobs
      for (const sweep of [sweepStaticOrders, ...noticeSweeps]) await sweep()
      queue.wake()
    },
  }
}

/** An account as a developer would use it over REST, so that only notices touch the chat. */
export async function actorFor({ core }: Product, account = CUSTOMER): Promise<Actor> {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  return core.accounts.authenticate(token)
}

/** Buys proxies for a month and waits until they are there. */
export async function buy(product: Product, buyer: Actor, ipCount = 1, userId = buyer.id): Promise<string> {
  const { core } = product
  const order = { poolId: 'ISP', userId, ipCount, duration: 1, unit: 3 as const }
  const { orderNo } = await core.orders.createStatic(buyer, order)
  await product.until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status <> 'processing'`)
  return orderNo
}

/** How often the phone was told something like this, messages that are gone not counted. */
export function timesTold(product: Product, phone: Phone, text: RegExp): number {
  return product.telegram
    .messages(phone.chatId)
    .filter((message) => message.from === 'bot' && text.test(message.text)).length
}
