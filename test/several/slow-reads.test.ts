import { describe, expect, it, vi } from 'vitest'
import { beside } from '../support/beside.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT } from '../support/product.ts'
import { post } from './buyer.ts'
import { openSeveralShop, withoutPostgres } from './several-shop.ts'

const LIMIT = { timeout: 240_000 }
/** More than a server has connections for reads. */
const SLOW_READS = 20
/** Not `pg_stat_activity`, of which a transaction sees what it saw first. */
const WAITING =
  'SELECT FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted AND datname = current_database()'

describe.skipIf(withoutPostgres)('slow reads', () => {
  it.for([
    ['of one kind', [''], 4],
    ['of three kinds', ['', '?status=active', '?orderNo=none'], 8],
  ] as const)('keep no others waiting, and are all answered (%s)', LIMIT, async ([, kinds, atOnce]) => {
    const shop = await openSeveralShop(0, { RATE_LIMIT_READS: '0' })
    const server = await shop.start()
    const { token } = await post<{ token: string }>(server, '/auth/login', AGENT)
    const headers = { authorization: `Bearer ${token}` }
    const statusOf = async (path: string) =>
      (await fetch(`${server.address}/api/open/app${path}`, { headers })).status

    // Known to be quick.
    expect(await statusOf('/user/balance/current')).toBe(200)
    const { run, rows } = await beside({ database: shop.url })
    await run('BEGIN; LOCK TABLE static_orders')
    const slow = Array.from({ length: SLOW_READS }, (_, index) =>
      statusOf(`/static/order/list/v2${kinds[index % kinds.length]}`),
    )
    await vi.waitUntil(async () => (await rows(WAITING)).length >= atOnce, PATIENCE)
    for (let asked = 0; asked < 10; asked += 1) expect(await statusOf('/user/balance/current')).toBe(200)
    await run('ROLLBACK')
    expect(await Promise.all(slow)).toEqual(Array.from(slow, () => 200))
  })
})
