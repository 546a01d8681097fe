import { vi } from 'vitest'
import { openBalancer } from '../support/balancer.ts'
import { leads, openSeveralShop } from './several-shop.ts'

export const LIMIT = { timeout: 240_000 }
/** Longer than a lease, on a busy machine. */
export const TAKEN_OVER = { timeout: 60_000, interval: 100 }

/** A shop with a webhook and two servers, the first of which leads. */
export async function openWithWebhook(proxies = 0) {
  const balancer = await openBalancer()
  const shop = await openSeveralShop(proxies, { PUBLIC_URL: balancer.address, BOT_MODE: 'webhook' })
  const first = await shop.start()
  await vi.waitUntil(() => leads(first), TAKEN_OVER)
  const second = await shop.start()
  balancer.servers.push(first, second)
  return { shop, balancer, first, second }
}
