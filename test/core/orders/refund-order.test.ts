import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refused } from '../../support/service.ts'
import { refundsAndReleases, sold } from './sold-order.ts'

it('what was paid is given back once, in parts and for single proxies, and never more', async () => {
  const { ann, numbers, refund, balance, audited, core, orderNo } = await sold()
  const [first = '', second = ''] = numbers
  expect(await refund({ instances: [first], amount: 0.4, requestKey: 'press' })).toMatchObject({
    amount: 400_000,
  })
  expect(await refund({ instances: [first], amount: 0.4, requestKey: 'press' })).toMatchObject({
    replayed: true,
  })
  await refused(refund({ instances: [first], amount: 0.7 }), 'validation_error')
  expect(await refund({ instances: [first, second], release: true })).toMatchObject({
    amount: 1_600_000,
    released: [first, second],
  })
  await refused(refund({ instances: [first] }), 'validation_error')
  expect(await balance(ann)).toBe(98)
  expect(await core.operator.orders.quoteRefund({ orderNo })).toMatchObject({
    paid: 4_000_000,
    refunded: 2_000_000,
    most: 2_000_000,
    active: 2,
  })
  await audited()
})

it('a refund for a proxy that stays takes nothing from the release of another one', async () => {
  const { ann, numbers, refund, balance, audited, core, orderNo } = await sold()
  const [first = '', second = ''] = numbers
  await refund({ instances: [first] })
  await core.orders.cancelStatic(ann, { orderNo, instances: [second] })
  expect(await balance(ann)).toBe(98)
  await core.orders.cancelStatic(ann, { orderNo })
  expect(await balance(ann)).toBe(100)
  await audited()
})

it('refunds and releases in any order never give back more than was paid', () =>
  fc.assert(refundsAndReleases, { numRuns: 4 }))
