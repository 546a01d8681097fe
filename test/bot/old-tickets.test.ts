import { expect, test } from 'vitest'
import { databaseBefore } from '../support/old-database.ts'
import { startProduct } from '../support/product.ts'

const THEN = "'2026-11-20T17:57:00.000Z'"
const OLGA = { id: 900, firstName: 'Olga', languageCode: 'en' }

/** Tickets as they were while what they are about was one text. */
const TOPICS = ['order S1', 'proxy I1', 'traffic T1', 'top_up P1', 'money 40000000', '', 'weather X1']

test('tickets from before they had a subject lead to what they are about', async () => {
  const path = await databaseBefore(
    'ticket_subjects',
    `INSERT INTO accounts (username, username_key, password_hash, role, created_at, updated_at) VALUES ('ann', 'ann', '', 'user', '', '');
     INSERT INTO products (product_no, name_en, name_zh, proxy_type, product_type, period_unit, period_length, created_at, updated_at)
     VALUES ('p', '', '', 103, 1, 3, 1, '', '');
     INSERT INTO static_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, ip_count, duration, unit,
       cycle_times, periods, unit_price, total_amount, status, created_at, updated_at)
     VALUES ('S1', 1, 'A', '', 1, 1, 1, 1, 3, 1, 1, 0, 0, 'active', ${THEN}, ${THEN});
     INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, country_code,
       opened_at, expire_time)
     VALUES ('I1', 1, 1, '1', '192.0.2.1', 8000, 'u', 'p', 'US', ${THEN}, ${THEN});` +
      TOPICS.map(
        (topic, index) =>
          `INSERT INTO tickets (ticket_no, account_id, topic, created_at, updated_at)
           VALUES ('H${index}', 1, '${topic}', '', '2026-11-20T17:57:00.00${index}Z');`,
      ).join(''),
  )
  const product = await startProduct({}, { databaseUrl: `file:${path}`, operatorChats: [OLGA.id] })
  const olga = product.phone(OLGA)
  olga.send('/tickets')
  await olga.waitForButton(/ann/)
  expect(olga.screen().keyboard.slice(0, TOPICS.length).flat()).toEqual([
    '🟠 question · ann',
    '🟠 question · ann',
    '🟠 short by 40.00 USD · ann',
    '🟠 top-up P1 · ann',
    '🟠 traffic T1 · ann',
    '🟠 proxy 192.0.2.1:8000 · a…',
    '🟠 order S1 · ann',
  ])
  await olga.press(/92.0.2.1:8000/)
  await olga.press('🌐 The proxy')
  await olga.waitFor('192.0.2.1:8000')
})
