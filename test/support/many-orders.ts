import type { Database } from '../../src/core/database/database.ts'
import { plantRows } from './plant-rows.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NEW_YORK = { countryCode: 'US', state: 'NY', cityCode: 'USNYC' }
const BERLIN = { countryCode: 'DE', state: '', cityCode: 'DEBER' }

/**
 * Many completed orders of two proxies each, unless said otherwise, shared out among users: every hundredth is expired, every fiftieth
 * cancelled. One proxy a minute is opened from 1 January 2025 on; each lasts 60 days.
 */
export async function plantOrders(
  db: Database,
  orders: number,
  userIds: readonly number[],
  proxies = 2,
): Promise<void> {
  const begun = Date.parse('2025-01-01T00:00:00.000Z')
  const planted = Array.from({ length: orders }, (_, index) => {
    const n = index + 1
    const opened = begun + n * MINUTE_MS
    return {
      n,
      userId: userIds[n % userIds.length] ?? 0,
      ended: n % 100 === 0 ? ('expired' as const) : n % 50 === 0 ? ('cancelled' as const) : undefined,
      openedAt: new Date(opened).toISOString(),
      expireTime: new Date(opened + 60 * DAY_MS).toISOString(),
    }
  })
  await db.write(async (tx) => {
    for (const location of [NEW_YORK, BERLIN])
      await tx.location.upsert({
        where: { productId_countryCode_state_cityCode: { productId: 1, ...location } },
        create: { productId: 1, ...location },
        update: {},
      })
    await plantRows(
      tx,
      'staticOrders',
      planted.map(({ n, userId, ended, openedAt, expireTime }) => ({
        orderNo: `S2025${String(n).padStart(21, '0')}`,
        callerId: userId,
        appOrderNo: `app-${n}`,
        requestHash: '',
        userId,
        productId: 1,
        ipCount: proxies,
        successCount: proxies,
        duration: 60,
        unit: 1,
        cycleTimes: 1,
        periods: 2,
        unitPrice: 0,
        totalAmount: 0,
        status: ended ?? 'active',
        remark: `remark ${n}`,
        expireTime,
        createdAt: openedAt,
        updatedAt: new Date(begun).toISOString(),
      })),
    )
    const stored = await tx.staticOrder.findMany({
      where: { orderNo: { startsWith: 'S2025' } },
      select: { id: true },
      orderBy: { orderNo: 'asc' },
    })
    await plantRows(
      tx,
      'instances',
      planted.flatMap(({ userId, ended, openedAt, expireTime }, index) => {
        const id = stored[index]?.id ?? 0
        return Array.from({ length: proxies }, (_, proxy) => ({
          instanceNo: `I${id}-${proxy + 1}`,
          orderId: id,
          userId,
          providerInstanceNo: String(proxy + 1),
          ip: `10.${id >> 16}.${(id >> 8) & 255}.${id & 255}`,
          port: 8001 + proxy,
          username: `user${id}`,
          password: `pass${id}`,
          ...(id % 10 === 0 ? BERLIN : NEW_YORK),
          status: ended === 'cancelled' ? 'released' : (ended ?? 'active'),
          openedAt,
          updatedAt: openedAt,
          expireTime,
          releasedAt: ended === undefined ? null : new Date(begun).toISOString(),
        }))
      }),
    )
  })
}
