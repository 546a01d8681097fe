import { expect, it, onTestFinished } from 'vitest'
import { onWork } from '../../src/core/jobs/added-work.ts'
import { ANN } from '../support/product.ts'
import { actorFor, buy } from '../support/notices.ts'
import { startProduct } from '../support/product.ts'
import { openService } from '../support/service.ts'
import { timeOf } from '../support/times.ts'

it('an order is completed at once however many messages wait for Telegram', async () => {
  const product = await startProduct()
  await product.memberPhone(ANN)
  const customer = await actorFor(product)
  product.telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 60, times: 10_000 })
  await product.edit(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
     INSERT INTO notices (chat_id, account_id, kind, subject, created_at) SELECT ?, ?, 'top_up_expired', 'U' || i, '2026' FROM n`,
    ANN.id,
    customer.id,
  )
  await product.edit(
    `INSERT INTO jobs (kind, key, run_at, created_at) SELECT 'deliver_notice', CAST(id AS TEXT), '2026', '2026' FROM notices`,
  )
  product.core.jobs.queue.wake()
  await product.until(`SELECT 1 FROM jobs WHERE leased_until IS NOT NULL`)
  const orderNo = await buy(product, customer)
  await product.until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status = 'active'`)
  expect(await product.core.jobs.backlog()).toMatchObject([{ kind: 'deliver_notice', waiting: 301 }])
  // Those that wait as Telegram asks them to do not keep the process from ending.
  expect(await timeOf(product.stop)).toBeLessThan(30_000)
})

it('a commit wakes the loop for which it has added work, and no other', async () => {
  const { db, agent, product, stock, order } = await openService()
  const buyer = await agent({ balance: 10 })
  await product()
  await stock('static', 1)
  const woken: string[] = []
  for (const work of ['orders', 'mail', 'backups', 'messages', 'supplier_calls', 'chain'] as const)
    // Of this process: the connection to other servers wakes everybody when it begins.
    onTestFinished(
      onWork({ onCommit: (listener) => db.onCommit(listener) }, work, () => void woken.push(work)),
    )
  await product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 1 })
  expect(woken).toEqual([])
  await order(buyer)
  expect(woken).toEqual(['orders'])
})
