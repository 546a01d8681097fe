import { z } from 'zod'
import { type SubUser, USER_STATUSES } from '../../core/accounts/sub-user.ts'
import type { Variant } from '../variants.ts'
import { Gigabytes, gigabytes, Money, money, Time } from './fields.ts'

const Common = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  phone: z.string(),
  remark: z.string(),
  status: z.enum(USER_STATUSES).meta({ description: '`disabled` and `deleted` users cannot log in' }),
  activated: z
    .boolean()
    .meta({ description: 'False until the user has opened the activation link that was mailed to it' }),
  balance: Money,
  lumi_balance: Gigabytes.meta({ description: 'Traffic left in pool dynamic_1, in GB' }),
  total_recharge: Money,
  total_consumption: Money,
  agent_id: z.int(),
  created_at: Time,
  updated_at: Time,
})
const WithDyn3 = Common.extend({
  dyn3_balance: Gigabytes.meta({
    description: 'Traffic left in pool dynamic_3, in GB (variant B)',
  }).optional(),
})

type SubUserRecord = z.infer<typeof WithDyn3>

const SCHEMAS: Readonly<Record<Variant['name'], z.ZodType<SubUserRecord>>> = {
  A: Common.meta({ id: 'SubUser' }),
  B: WithDyn3.required().meta({ id: 'SubUser' }),
}

/** Returns the schema of a sub-user (rules 2.9). */
export function subUserSchema({ name }: Variant): z.ZodType<SubUserRecord> {
  return SCHEMAS[name]
}

export function toSubUser(user: SubUser, { dyn3Balance }: Variant): SubUserRecord {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    phone: user.phone,
    remark: user.remark,
    status: user.status,
    activated: user.activated,
    balance: money(user.balance),
    lumi_balance: gigabytes(user.dynamic1Bytes),
    ...(dyn3Balance ? { dyn3_balance: gigabytes(user.dynamic3Bytes) } : {}),
    total_recharge: money(user.totalRecharge),
    total_consumption: money(user.totalConsumption),
    agent_id: user.agentId,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  }
}

export const subUserExample: SubUser = {
  id: 2,
  username: 'customer',
  email: '',
  phone: '',
  remark: '',
  status: 'active',
  activated: true,
  balance: 37_500_000,
  dynamic1Bytes: 1_500_000_000,
  dynamic3Bytes: 0,
  totalRecharge: 50_000_000,
  totalConsumption: 12_500_000,
  agentId: 1,
  createdAt: '2026-11-20T17:57:00.123Z',
  updatedAt: '2026-11-20T17:57:00.123Z',
}

/** A sub-user that was just created. */
export const newSubUserExample: SubUser = {
  ...subUserExample,
  id: 6,
  username: 'newcomer',
  phone: '13800138000',
  balance: 50_000_000,
  dynamic1Bytes: 0,
  totalConsumption: 0,
}
