import type { Shop } from '../support/top-ups.ts'

/** Lets time pass as the watcher does: a scan, then the pause that it asks for; counts the calls. */
export async function watch(shop: Shop, ms: number): Promise<Record<string, number>> {
  shop.tron.clearRequests()
  const end = shop.clock.now().getTime() + ms
  while (shop.clock.now().getTime() < end) {
    await shop.scan()
    shop.clock.advance(await shop.scanner().pause())
  }
  const lists = shop.tron.requests('trc20').length
  return { lists, others: shop.tron.requests().length - lists }
}
