import { z } from 'zod'
import type { ProductFlow } from '../../core/traffic/remaining-traffic.ts'
import type { Language } from '../language.ts'
import { Gigabytes, gigabytes, Time } from './fields.ts'

/** What a user has left in one dynamic product (rules 6.4). */
export const ProductFlowRecord = z
  .strictObject({
    product_no: z.string(),
    product_name: z.string(),
    pool_type: z.string(),
    proxy_type: z.int(),
    total: Gigabytes.meta({ description: 'Bought, in GB: the sum of used, allocated and remaining' }),
    used: Gigabytes.meta({ description: 'Used by the user itself, in GB' }),
    allocated: Gigabytes.meta({ description: 'Handed to sub-accounts, in GB' }),
    remaining: Gigabytes,
    unit: z.literal('GB'),
    status: z
      .enum(['active', 'exhausted', 'none'])
      .meta({ description: '`exhausted`: nothing is left; `none`: never bought' }),
    updated_at: Time.nullable().meta({ description: 'Of the last purchase, use or allocation' }),
  })
  .meta({ id: 'ProductFlow' })

export function toProductFlow(flow: ProductFlow, language: Language): z.infer<typeof ProductFlowRecord> {
  return {
    product_no: flow.productNo,
    product_name: language === 'zh' ? flow.productNameZh : flow.productNameEn,
    pool_type: flow.pool,
    proxy_type: flow.proxyType,
    total: gigabytes(flow.total),
    used: gigabytes(flow.used),
    allocated: gigabytes(flow.allocated),
    remaining: gigabytes(flow.remaining),
    unit: 'GB',
    status: flow.status,
    updated_at: flow.updatedAt,
  }
}

export const productFlowExample: z.infer<typeof ProductFlowRecord> = {
  product_no: 'DYN-2',
  product_name: 'Dynamic residential, public pool',
  pool_type: 'dynamic_2',
  proxy_type: 104,
  total: 5,
  used: 1.25,
  allocated: 0,
  remaining: 3.75,
  unit: 'GB',
  status: 'active',
  updated_at: '2026-11-20T17:57:00.123Z',
}
