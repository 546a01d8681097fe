import { z } from 'zod'
import type { Balance } from '../../core/accounts/balance.ts'
import type { Variant } from '../variants.ts'
import { Gigabytes, gigabytes, Money, money } from './fields.ts'

const Common = z.strictObject({
  user_id: z.int(),
  username: z.string(),
  balance: Money,
  lumi_balance: Gigabytes.meta({ description: 'Traffic left in pool dynamic_1, in GB' }),
  currency: z.string(),
  total_recharge: Money,
  total_consumption: Money,
})
const WithDyn3 = Common.extend({
  dyn3_balance: Gigabytes.meta({
    description: 'Traffic left in pool dynamic_3, in GB (variant B)',
  }).optional(),
})

type BalanceRecord = z.infer<typeof WithDyn3>

/** Returns the schema of the balance (rules 2.16). */
export function balanceSchema({ dyn3Balance }: Variant): z.ZodType<BalanceRecord> {
  return dyn3Balance ? WithDyn3.required() : Common
}

export function toBalance(balance: Balance, { dyn3Balance }: Variant): BalanceRecord {
  return {
    user_id: balance.userId,
    username: balance.username,
    balance: money(balance.balance),
    lumi_balance: gigabytes(balance.dynamic1Bytes),
    ...(dyn3Balance ? { dyn3_balance: gigabytes(balance.dynamic3Bytes) } : {}),
    currency: balance.currency,
    total_recharge: money(balance.totalRecharge),
    total_consumption: money(balance.totalConsumption),
  }
}
