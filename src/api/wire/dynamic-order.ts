import { z } from 'zod'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import { DynamicOrderInput } from '../../core/orders/dynamic-order-input.ts'
import { DYNAMIC_ORDER, type DynamicOrder } from '../../core/orders/list-dynamic-orders.ts'
import { Money, record } from '../../core/record.ts'
import { translationIn } from '../../core/translations.ts'
import type { Language } from '../language.ts'
import { AppOrderNo } from './numbers.ts'

const { shape } = DynamicOrderInput.unwrap()
const Ignored = z.number().nullish().meta({ description: 'Accepted and ignored' })

/** Body of the dynamic create and of its quote (rules 6.1). */
export const DynamicOrderBody = DynamicOrderInput.unwrap()
  .extend({
    orderType: z.literal('dynamic_proxy'),
    poolId: shape.poolId.meta({ description: 'Number of a dynamic product' }),
    trafficAmount: shape.trafficAmount.meta({
      description: 'GB: more than 0, at most 10,000, at most 3 decimals',
    }),
    userId: shape.userId.meta({
      description:
        'Target user: the caller, or a direct sub-user of the calling agent; the caller when missing',
    }),
    promoCode: shape.promoCode.meta({
      description: 'Lowers the price; upper and lower case do not count',
    }),
    unitPrice: Ignored,
    totalAmount: Ignored,
    ipCount: Ignored,
    duration: Ignored,
    unit: Ignored,
    appOrderNo: AppOrderNo,
    app_order_no: AppOrderNo,
  })
  .meta({ id: 'CreateDynamicOrder' })

const { id, orderNo, appOrderNo, userId, username, agentId, productNo, pool, ...others } = DYNAMIC_ORDER
const { status, remark, createdAt, updatedAt, ...amounts } = others

/** A dynamic order (rules 6.3). */
export const DynamicOrderRecord = record(
  {
    id,
    orderNo,
    number: orderNo,
    appOrderNo,
    appNumber: appOrderNo,
    userId,
    username,
    agentId,
    orderType: z.literal('dynamic_proxy'),
    productNo,
    pool,
    productName: z.string(),
    ...amounts,
    currency: z.string(),
    status,
    remark,
    createdAt,
    updatedAt,
  },
  {
    id: 'DynamicOrder',
    names: {
      number: 'orderNo',
      appNumber: 'appOrderNo',
      productNo: 'pool_id',
      pool: 'pool_type',
      trafficBytes: 'traffic_amount',
      usedBytes: 'used_traffic',
      remainingBytes: 'remaining_traffic',
    },
  },
)

/** What the dynamic create answers: the order, and what is left to spend. */
export const BoughtTraffic = DynamicOrderRecord.schema
  .extend({ balance: Money.schema.meta({ description: 'Of the target user, after the order' }) })
  .meta({ id: 'BoughtTraffic' })

export function toDynamicOrder(order: DynamicOrder, currency: string, language: Language) {
  return DynamicOrderRecord.show({
    ...order,
    number: order.orderNo,
    appNumber: order.appOrderNo,
    orderType: 'dynamic_proxy',
    productName: translationIn(order.productNames, language),
    currency,
  })
}

const CREATED = '2026-11-20T17:57:00.123Z'

export const dynamicOrderExample = toDynamicOrder(
  {
    id: 1,
    orderNo: 'D20261120175700123Q2W3E4R5',
    appOrderNo: 'MY-0002',
    userId: 2,
    username: 'customer',
    agentId: 1,
    productNo: 'DYN-2',
    pool: 'dynamic_2',
    productNames: { en: 'Dynamic residential, public pool' },
    proxyType: 104,
    trafficBytes: 5_000_000_000,
    usedBytes: 0,
    remainingBytes: 5_000_000_000,
    unitPrice: 2_000_000,
    discount: 0,
    promoCode: null,
    totalAmount: 10_000_000,
    status: 'active',
    remark: '',
    createdAt: CREATED,
    updatedAt: CREATED,
  },
  'USD',
  FALLBACK_LANGUAGE,
)
