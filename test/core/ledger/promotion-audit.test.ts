import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { PROMOTION_RULES } from '../../../src/core/promotions/book-rules.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { openService } from '../../support/service.ts'

const VIOLATIONS: readonly (readonly [rule: string, sql: string])[] = [
  ['every promotion code counts its uses', 'UPDATE promo_codes SET uses = uses + 1'],
  ['no promotion code was used more often than it may be', 'UPDATE promo_codes SET max_uses = 1'],
  ['no user used a promotion code more often than one may', 'UPDATE promo_codes SET max_uses_per_user = 1'],
  [
    'the discount of every static order is that of its promotion code',
    'UPDATE static_orders SET discount = discount + 1, total_amount = total_amount - 1',
  ],
  [
    'the discount of every static order is that of its promotion code',
    "UPDATE static_orders SET promo_code = 'OTHER'",
  ],
  [
    'the discount of every dynamic order is that of its promotion code',
    "DELETE FROM promo_uses WHERE order_no LIKE 'D%'",
  ],
  ['every use of a promotion code has its order', 'DELETE FROM dynamic_orders'],
  [
    'every static order costs its proxies times its price, less its discount',
    'UPDATE static_orders SET total_amount = total_amount + 1',
  ],
  [
    'every order got back the price of what was not delivered and of what was released, and nothing else',
    'UPDATE instances SET discount = discount + 1',
  ],
  [
    'what the balance of an agent paid of every purchase with its code was booked',
    "UPDATE promo_uses SET agent_paid = agent_paid - 1 WHERE order_no LIKE 'D%' AND agent_paid > 0",
  ],
  [
    'what came back of every purchase to the balance of an agent was booked',
    'UPDATE promo_uses SET agent_returned = agent_returned + 1 WHERE agent_paid > agent_returned',
  ],
  [
    'every entry of a promotion is one of a purchase with a code of that agent',
    "UPDATE ledger_entries SET order_no = 'other' WHERE type = 'promotion'",
  ],
  [
    'every promotion code counts what it has cost the balance of its agent',
    'UPDATE promo_codes SET balance_used = balance_used + 1 WHERE balance_limit > balance_used',
  ],
  [
    'no promotion code has cost the balance of its agent more than it may',
    'UPDATE promo_codes SET balance_limit = 1, balance_used = 2 WHERE balance_used > 0',
  ],
  [
    'the balance of an agent pays only for purchases by which the agent earns nothing',
    "UPDATE earnings SET source = 'order:' || (SELECT order_no FROM promo_uses WHERE agent_paid > 0 ORDER BY id DESC LIMIT 1)",
  ],
  [
    'the balance of an agent got back what it paid for proxies that were not delivered, and of the others what these say',
    'UPDATE instances SET agent_paid = agent_paid - 1 WHERE agent_paid > 0',
  ],
  [
    'only released proxies, and those that the operator chose, are refunded, and not more than was paid for them',
    'UPDATE instances SET agent_returned = 1 WHERE agent_paid > 0',
  ],
]

it('the audit notices whatever is wrong with promotion codes', async () => {
  const service = await openService()
  const { core } = service
  const user = await service.customer(null, { balance: 1000 })
  await service.product('static', { price: 10 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_2' })
  await service.stock('static', 2)
  await core.operator.promotions.add(SHELL, { code: 'ALL', percent: 10, maxUses: 5, maxUsesPerUser: 5 })
  await service.order(user, { ipCount: 2, promoCode: 'all' })
  await service.buyTraffic(user, { promoCode: 'all' })
  const agent = await service.agent({ balance: 100 })
  const buyer = await service.customer(agent, { balance: 100 })
  await service.stock('static', 2)
  await core.promotions.create(agent, { code: 'OURS', percent: 50, balanceLimit: 90 })
  await service.order(buyer, { ipCount: 2, promoCode: 'ours' })
  await service.buyTraffic(buyer, { promoCode: 'ours' })
  await core.earnings.setPrice(agent, { markupPercent: 10 })
  await service.buyTraffic(buyer)
  await service.runJobs()
  await service.audited()

  const forger = await beside(service)
  await forger.unprotect()
  const restore = await keepRows(forger)
  for (const [rule, sql] of VIOLATIONS) {
    await forger.run(sql)
    const found = new Set((await core.operator.audit()).map((difference) => difference.rule))
    expect(found, sql).toContain(rule)
    await restore()
    await service.audited()
  }
  const planted = VIOLATIONS.map(([rule]) => rule)
  expect(planted).toEqual(expect.arrayContaining(PROMOTION_RULES.map(({ name }) => name)))
})
