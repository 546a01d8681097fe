import { describe, expect, it, onTestFinished } from 'vitest'
import { SUPPLY_RULES } from '../../../src/core/supply/book-rules.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { shared } from '../../support/clean-up.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

/** A delivered order of two proxies, one that is being delivered, and one that was settled and not handed over. */
async function books() {
  const shop = await suppliedShop()
  const { order, buyer, step, runJobs, audited, supplier } = shop
  const delivered = await order(buyer, { ipCount: 2 })
  await step()
  await runJobs()
  const settled = await order(buyer)
  await step()
  supplier.behaviour.immediate = false
  const open = await order(buyer)
  await step()
  await audited()
  const forger = await beside(shop)
  await forger.unprotect()
  const numbers = { delivered: delivered.orderNo, settled: settled.orderNo, open: open.orderNo }
  return { core: shop.core, run: forger.run, restore: await keepRows(forger), numbers }
}

const OF = (which: string) => `WHERE call_no = :${which}`

const VIOLATIONS = [
  {
    rule: 'every supplied order is bought by one call, and no other order by any',
    sql: `DELETE FROM supplier_calls ${OF('delivered')}`,
    detail: '0 instead of 1',
    about: 'delivered',
  },
  {
    rule: 'every supplied order is bought by one call, and no other order by any',
    sql: `UPDATE supplier_calls SET subject = :delivered ${OF('settled')}`,
    detail: '2 instead of 1',
    about: 'delivered',
  },
  {
    rule: 'every supplied order that is completed has the cost and the outcome of its call',
    sql: 'UPDATE static_orders SET cost = cost + 1 WHERE order_no = :delivered',
    detail: '4.000001 instead of 4.00',
    about: 'delivered',
  },
  {
    rule: 'every call that has not ended is due some time, and no other',
    sql: `UPDATE supplier_calls SET next_at = NULL ${OF('open')}`,
    detail: '0 instead of 1',
    about: 'open',
  },
  {
    rule: 'everything that a call has brought has a job that hands it over',
    sql: 'DELETE FROM jobs WHERE key = :settled',
    detail: '0 instead of 1',
    about: 'settled',
  },
  {
    rule: 'every processing order has a job that will complete it, or a call to a supplier that has not ended',
    sql: 'DELETE FROM jobs WHERE key = :settled',
    detail: '0 instead of 1',
    about: 'settled',
  },
  {
    rule: 'every proxy of a supplier was delivered once',
    sql: `INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password,
            country_code, opened_at, expire_time)
          SELECT 'I2', (SELECT id FROM static_orders WHERE order_no = :settled), user_id, provider_instance_no, '10.9.9.9',
            port, username, password, country_code, opened_at, expire_time FROM instances LIMIT 1`,
    detail: '2 instead of 1',
  },
] as const

describe('the audit of calls to suppliers', () => {
  const forged = shared(books)

  it.each(VIOLATIONS)('notices when not $rule: $sql', async (violation) => {
    const { core, run, restore, numbers } = forged()
    onTestFinished(restore)
    const { rule, sql, detail } = violation
    await run(
      sql.replaceAll(/:(delivered|settled|open)\b/g, (_, name: keyof typeof numbers) => `'${numbers[name]}'`),
    )
    expect(await core.operator.audit()).toContainEqual({
      rule,
      detail,
      subject: 'about' in violation ? numbers[violation.about] : (expect.any(String) as string),
    })
  })

  it('has a violation here for each of its rules', () => {
    const violated = new Set<string>(VIOLATIONS.map(({ rule }) => rule))
    expect(SUPPLY_RULES.filter(({ name }) => !violated.has(name))).toEqual([])
  })
})
