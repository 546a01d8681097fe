import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService } from '../../support/service.ts'

/** A customer who paid 4 for an order of four proxies. */
export async function sold() {
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

const step = fc.record({
  refunds: fc.boolean(),
  proxies: fc.uniqueArray(fc.nat(3), { minLength: 1 }),
  amount: fc.option(fc.integer({ min: 1, max: 4_000_000 }), { nil: undefined }),
  release: fc.boolean(),
})

/** Refunds and releases of such an order, of which no more comes back than was paid. */
export const refundsAndReleases = fc.asyncProperty(
  fc.array(step, { minLength: 1, maxLength: 6 }),
  async (steps) => {
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
  },
)
