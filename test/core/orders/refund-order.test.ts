import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused } from '../../support/service.ts'

/** A customer who paid 4 for an order of four proxies. */
async function sold() {
  const service = await openService()
  const boss = await service.agent({ name: 'boss' })
  const ann = await service.customer(boss, { name: 'ann', balance: 100 })
  await service.product()
  await service.stock('static', 4)
  const { orderNo } = await service.order(ann, { ipCount: 4 })
  await service.runJobs()
  const { instances } = await service.core.orders.getStatic(ann, { orderNo })
  const refund = (input: object) =>
    service.core.operator.orders.refund(SHELL, { orderNo, reason: 'slow', ...input })
  return { ...service, ann, orderNo, numbers: instances.map(({ instanceNo }) => instanceNo), refund }
}

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

it('refunds and releases in any order never give back more than was paid', async () => {
  const step = fc.record({
    refunds: fc.boolean(),
    proxies: fc.uniqueArray(fc.nat(3), { minLength: 1 }),
    amount: fc.option(fc.integer({ min: 1, max: 4_000_000 }), { nil: undefined }),
    release: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { ann, numbers, refund, balance, audited, core, orderNo } = await sold()
      let last = 96
      for (const { refunds, proxies, amount, release } of steps) {
        const instances = proxies.map((index) => numbers[index] ?? '')
        const some = amount === undefined ? {} : { amount: amount / 1e6 }
        await (
          refunds
            ? refund({ instances, release, ...some })
            : core.orders.cancelStatic(ann, { orderNo, instances })
        ).catch((error: { code?: string }) => expect(error.code).toBe('validation_error'))
        const now = await balance(ann)
        expect(now).toBeGreaterThanOrEqual(last)
        expect(now).toBeLessThanOrEqual(100)
        last = now
      }
      await audited()
    }),
    { numRuns: 15 },
  )
})
