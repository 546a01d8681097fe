import type { Database } from '../../src/core/database/database.ts'
import { rowsOf } from './raw-rows.ts'

/**
 * Many completed orders of two proxies each, unless said otherwise, shared out among users, written by SQL: every hundredth is expired, every fiftieth
 * cancelled. One proxy a minute is opened from 1 January 2025 on; each lasts 60 days.
 */
export async function plantOrders(
  db: Database,
  orders: number,
  userIds: readonly number[],
  proxies = 2,
): Promise<void> {
  await db.write(async (tx) => {
    await rowsOf(tx)`INSERT OR IGNORE INTO locations (product_id, country_code, state, city_code)
      VALUES (1, 'US', 'NY', 'USNYC'), (1, 'DE', '', 'DEBER')`
    await rowsOf(tx)`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${orders})
      INSERT INTO static_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, ip_count, success_count, duration,
        unit, cycle_times, periods, unit_price, total_amount, status, remark, expire_time, created_at, updated_at)
      SELECT printf('S2025%021d', i), u.value, printf('app-%d', i), '', u.value, 1, ${proxies}, ${proxies}, 60, 1, 1, 2, 0, 0,
        CASE WHEN i % 100 = 0 THEN 'expired' WHEN i % 50 = 0 THEN 'cancelled' ELSE 'active' END, 'remark ' || i,
        strftime('%Y-%m-%dT%H:%M:%fZ', '2025-01-01', i || ' minutes', '60 days'),
        strftime('%Y-%m-%dT%H:%M:%fZ', '2025-01-01', i || ' minutes'), '2025-01-01T00:00:00.000Z'
      FROM n JOIN json_each(${JSON.stringify(userIds)}) u ON u.key = i % ${userIds.length}`
    await rowsOf(tx)`
      INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, country_code, state, city_code,
        status, opened_at, updated_at, expire_time, released_at)
      SELECT 'I' || o.id || '-' || j.value, o.id, o.user_id, j.value, printf('10.%d.%d.%d', o.id / 65536, o.id / 256 % 256, o.id % 256),
        8000 + j.value, 'user' || o.id, 'pass' || o.id, iif(o.id % 10 = 0, 'DE', 'US'), iif(o.id % 10 = 0, '', 'NY'), iif(o.id % 10 = 0, 'DEBER', 'USNYC'),
        CASE o.status WHEN 'expired' THEN 'expired' WHEN 'cancelled' THEN 'released' ELSE 'active' END, o.created_at, o.created_at, o.expire_time,
        iif(o.status = 'active', NULL, o.updated_at)
      FROM static_orders o, json_each(${JSON.stringify(Array.from({ length: proxies }, (_, index) => index + 1))}) j`
  })
}
