import fc from 'fast-check'
import { expect } from 'vitest'
import { batch, gatewayOf, trafficShop, used } from '../../support/gateway-wire.ts'
import { SEED } from '../../support/seed.ts'

const MB = 1e6

type Step =
  | { readonly do: 'report'; readonly main: number; readonly sub: number }
  | { readonly do: 'repeat' }
  | { readonly do: 'skip' }
  | { readonly do: 'move'; readonly gigabytes: number }
  | { readonly do: 'buy' }
  | { readonly do: 'import'; readonly bytes: number }
  | { readonly do: 'delete' }

const bytes = fc.integer({ min: 0, max: 900 * MB })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('report' as const), main: bytes, sub: bytes }) },
  { weight: 2, arbitrary: fc.constant({ do: 'repeat' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'skip' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: -10, max: 10 })
      .filter((tenths) => tenths !== 0)
      .map((tenths) => ({ do: 'move' as const, gigabytes: tenths / 10 })),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'buy' as const }) },
  { weight: 1, arbitrary: bytes.map((some) => ({ do: 'import' as const, bytes: some })) },
  { weight: 1, arbitrary: fc.constant({ do: 'delete' as const }) },
)

/** What is used is the sum of all batches in these many histories, whatever is repeated and moved between them. */
export async function proveHistories(numRuns: number): Promise<void> {
  const histories = fc.sample(fc.array(step, { minLength: 25, maxLength: 40 }), { numRuns, seed: SEED })
  for (const history of histories) {
    const shop = await trafficShop()
    const { core, seller, main, sub, gateway, buyTraffic, db, clock } = shop
    let sequence = 0
    let last = batch(1)
    let reported = 0
    let imported = 0
    for (const [index, now] of history.entries()) {
      // So that nobody waits for this gateway to flush.
      clock.advance(15_000)
      if (now.do === 'report') {
        sequence += 1
        last = batch(sequence, { items: [used(main, now.main), used('crawler', now.sub)] })
        reported += now.main + now.sub
        expect((await gateway.count(last)).replayed).toBe(false)
      } else if (now.do === 'repeat' && sequence > 0) {
        expect((await gateway.count(last)).replayed).toBe(true)
      } else if (now.do === 'skip') {
        const refused = await gateway.report(batch(sequence + 2, { items: [used(main, MB)] }))
        expect(refused.body.error).toBe('usage_out_of_order')
      } else if (now.do === 'move') {
        await core.traffic
          .adjustSubAccountTraffic(seller, sub.id, { amount: now.gigabytes })
          .catch((error: { code?: string }) =>
            expect(['traffic_not_available', 'sub_account_not_found']).toContain(error.code),
          )
      } else if (now.do === 'buy') {
        await buyTraffic(seller)
      } else if (now.do === 'import') {
        imported += now.bytes
        await core.traffic.recordUsage({ account: main, bytes: now.bytes, reportId: `r${index}` })
      } else if (now.do === 'delete') {
        await core.traffic.deleteSubAccount(seller, sub.id).catch(() => {})
      }
    }
    const reports = await db.read.usageReport.findMany()
    const sum = (of: (report: (typeof reports)[number]) => bigint) =>
      Number(reports.reduce((total, report) => total + of(report), 0n))
    expect(sum((report) => report.bytes)).toBe(reported + imported)
    const traffic = await db.read.traffic.findFirstOrThrow()
    const crawler = await db.read.subAccount.findUniqueOrThrow({ where: { id: sub.id } })
    expect(sum((report) => report.countedBytes)).toBe(Number(traffic.usedBytes + crawler.usedBytes))
    // Every feed says what the books say.
    const page = await gatewayOf(shop).page()
    const told = Object.fromEntries(
      page.accounts.map((account) => [account.username, account.remaining_bytes]),
    )
    expect(told).toEqual({
      [main]: Number(traffic.totalBytes - traffic.usedBytes - traffic.allocatedBytes),
      crawler: crawler.status === 'deleted' ? 0 : Number(crawler.limitBytes - crawler.usedBytes),
    })
    await shop.audited()
  }
}
