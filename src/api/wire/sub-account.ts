import { z } from 'zod'
import { SUB_ACCOUNT_STATUSES, type SubAccount } from '../../core/traffic/sub-account.ts'
import { Gigabytes, gigabytes, Time } from './fields.ts'

/** A sub-account of dynamic traffic (rules 6.9). */
export const SubAccountRecord = z
  .strictObject({
    id: z.int(),
    user_id: z.int().meta({ description: 'Whose traffic it is' }),
    product_no: z.string(),
    username: z.string().meta({ description: '`<account>` in the grammar of credentials' }),
    password: z.string().nullable().meta({ description: 'Shown to the owner of the traffic only' }),
    limit_traffic: Gigabytes.meta({ description: 'Allocated, in GB' }),
    used_traffic: Gigabytes,
    remaining_traffic: Gigabytes,
    status: z.enum(SUB_ACCOUNT_STATUSES).meta({ description: 'Whether the gateway lets it in' }),
    remark: z.string(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'SubAccount' })

export function toSubAccount(account: SubAccount): z.infer<typeof SubAccountRecord> {
  return {
    id: account.id,
    user_id: account.userId,
    product_no: account.productNo,
    username: account.username,
    password: account.password,
    limit_traffic: gigabytes(account.limitBytes),
    used_traffic: gigabytes(account.usedBytes),
    remaining_traffic: gigabytes(account.limitBytes - account.usedBytes),
    status: account.status,
    remark: account.remark,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  }
}

export const subAccountExample: z.infer<typeof SubAccountRecord> = {
  id: 1,
  user_id: 1,
  product_no: 'DYN-1',
  username: 'crawler_1',
  password: 'GkT4mP9sWx2Rb7Nq5Hjz',
  limit_traffic: 2,
  used_traffic: 0.5,
  remaining_traffic: 1.5,
  status: 'active',
  remark: '',
  created_at: '2026-11-20T17:57:00.123Z',
  updated_at: '2026-11-20T17:57:00.123Z',
}
