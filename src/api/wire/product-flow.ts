import { PRODUCT_FLOW, type ProductFlow } from '../../core/traffic/remaining-traffic.ts'
import { record } from '../../core/record.ts'
import { translationIn } from '../../core/translations.ts'
import type { Language } from '../language.ts'

export const ProductFlowRecord = record(PRODUCT_FLOW, { id: 'ProductFlow', names: { pool: 'pool_type' } })

export function toProductFlow(flow: ProductFlow, language: Language) {
  const productName = translationIn(flow.productNames, language)
  return ProductFlowRecord.show({ ...flow, productName, unit: 'GB' })
}

export const productFlowExample = ProductFlowRecord.show({
  productNo: 'DYN-2',
  productName: 'Dynamic residential, public pool',
  pool: 'dynamic_2',
  proxyType: 104,
  total: 5_000_000_000,
  used: 1_250_000_000,
  allocated: 0,
  remaining: 3_750_000_000,
  unit: 'GB',
  status: 'active',
  updatedAt: '2026-11-20T17:57:00.123Z',
})
