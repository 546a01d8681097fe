import { expect, vi } from 'vitest'
import { type Refused, startFlow } from '../../support/flow.ts'
import { type MeteredShop, meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'

const MB = 1_000_000

interface Sums {
  readonly total: number
  readonly used: number
  readonly allocated: number
  readonly subLimit: number
  readonly subUsed: number
}

async function sums({ beside }: MeteredShop): Promise<Sums | undefined> {
  const [found] = await beside.rows<Sums>(
    `SELECT t.total_bytes AS total, t.used_bytes AS used, t.allocated_bytes AS allocated,
       (SELECT coalesce(sum(limit_bytes), 0) FROM sub_accounts WHERE status <> 'deleted') AS "subLimit",
       (SELECT coalesce(sum(used_bytes), 0) FROM sub_accounts) AS "subUsed"
     FROM traffic t`,
  )
  return found
}

/** A sub-account is changed in the middle of a download: what is left decides, and nobody pays twice for a byte. */
export async function proveChangesDuringDownloads(workers: number): Promise<void> {
  const shop = await meteredShop({ GATEWAY_WORKERS: String(workers) })
  const main = await shop.buy(1_000 * MB)
  const begun = async () => {
    const sub = await shop.addSubAccount(100 * MB)
    const flow = await shop.flow(sub, 99 * MB)
    await vi.waitUntil(() => flow.passed() > 4 * MB, PATIENCE)
    return { sub, flow }
  }
  const used = async (username: string) => (await shop.reported({ username, password: '' })).bytes
  const refusal = (credential: typeof main) =>
    startFlow(shop.port(), credential, 1).then(
      (flow) => flow.socket.destroy(),
      (error: Refused) => error.message,
    )

  // Taking back what is left at that moment ends the tunnel, and nobody pays twice for a byte.
  {
    const { sub, flow } = await begun()
    await expect(shop.move(sub, -100 * MB)).rejects.toThrow('traffic_not_available')
    await vi.waitUntil(() => flow.passed() > 5 * MB, PATIENCE)
    const at = flow.passed()
    await shop.move(sub, -80 * MB)
    expect(flow.isOpen()).toBe(true)
    expect(await flow.ended).toBe(20 * MB)
    expect(at).toBeLessThan(20 * MB)
    await vi.waitUntil(async () => (await used(sub.username)) === 20 * MB, PATIENCE)
    expect(await refusal(sub)).toBe('402 traffic_exhausted')
    // More traffic: the tunnel of before is gone, a new one works as soon as the gateway knows.
    await shop.move(sub, MB)
    const more = await shop.flowOfMore(sub, 2 * MB)
    expect(await more.ended).toBe(MB)
  }

  // Another password leaves what is open alone.
  {
    const { sub, flow } = await begun()
    await shop.call('PATCH', `/open/app/dynamic/sub-accounts/${sub.id}/password`, { password: 'another.one' })
    const renamed = await shop.flow({ ...sub, password: 'another.one' }, 1)
    expect(await renamed.ended).toBe(renamed.whole)
    await vi.waitUntil(async () => (await refusal(sub)) === '407 credentials_wrong', PATIENCE)
    expect(flow.isOpen()).toBe(true)

    await shop.setStatus(sub, 'disabled')
    const passed = await flow.ended
    const counted = await used(sub.username)
    expect(counted).toBeGreaterThanOrEqual(passed + renamed.whole)
    expect(await refusal({ ...sub, password: 'another.one' })).toBe('407 credentials_wrong')
    await shop.setStatus(sub, 'active')
    const again = await shop.flow({ ...sub, password: 'another.one' }, MB)
    expect(await again.ended).toBe(again.whole)
    // Everything was reported before it was disabled.
    await vi.waitUntil(async () => (await used(sub.username)) >= counted + again.whole, PATIENCE)
    expect(await used(sub.username)).toBe(counted + again.whole)
  }

  // What is returned of a deleted one is what it has not used, and nothing is used after that.
  {
    const { sub, flow } = await begun()
    const other = await shop.flow(main, 20 * MB)
    const before = await sums(shop)
    await shop.remove(sub)
    const passed = await flow.ended
    const counted = await used(sub.username)
    expect(counted).toBeGreaterThanOrEqual(passed)
    const after = await sums(shop)
    expect((before?.allocated ?? 0) - (after?.allocated ?? 0)).toBe(100 * MB - counted)
    expect(await refusal(sub)).toBe('407 credentials_wrong')
    expect(await other.ended).toBe(other.whole)
    await vi.waitUntil(async () => (await used(main.username)) >= other.whole, PATIENCE)
    expect(await used(main.username)).toBe(other.whole)
  }

  await shop.product.terminate()
  const [reports] = await shop.beside.rows<{ bytes: number; counted: number }>(
    'SELECT sum(bytes) AS bytes, sum(counted_bytes) AS counted FROM usage_reports',
  )
  const end = await sums(shop)
  expect(reports?.counted).toBe(reports?.bytes)
  expect((end?.used ?? 0) + (end?.subUsed ?? 0)).toBe(reports?.bytes)
  await shop.audit()
}
