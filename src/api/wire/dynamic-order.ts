import { z } from 'zod'
import { DynamicOrderInput } from '../../core/orders/dynamic-order-input.ts'
import { DYNAMIC_ORDER_STATUSES, type DynamicOrder } from '../../core/orders/list-dynamic-orders.ts'
import type { Language } from '../language.ts'
import { Gigabytes, gigabytes, Money, money, Time } from './fields.ts'
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

/** A dynamic order (rules 6.3). */
export const DynamicOrderRecord = z
  .strictObject({
    id: z.int(),
    order_no: z.string(),
    orderNo: z.string(),
    app_order_no: z.string(),
    appOrderNo: z.string(),
    user_id: z.int().meta({ description: 'Who pays and owns the traffic' }),
    username: z.string(),
    agent_id: z.int().nullable(),
    order_type: z.literal('dynamic_proxy'),
    pool_id: z.string().meta({ description: 'Product number' }),
    pool_type: z.string().meta({ description: 'Pool of the product' }),
    product_name: z.string(),
    proxy_type: z.int(),
    traffic_amount: Gigabytes,
    used_traffic: Gigabytes.meta({ description: 'In GB; the oldest order is used up first' }),
    remaining_traffic: Gigabytes,
    unit_price: Money.meta({ description: 'Per GB' }),
    discount: Money.meta({ description: 'What a promotion code took off; 0 without one' }),
    promo_code: z.string().nullable(),
    total_amount: Money.meta({ description: 'What was paid, after the discount' }),
    currency: z.string(),
    status: z.enum(DYNAMIC_ORDER_STATUSES).meta({ description: '`exhausted`: its traffic is used up' }),
    remark: z.string(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'DynamicOrder' })

/** What the dynamic create answers: the order, and what is left to spend. */
export const BoughtTraffic = DynamicOrderRecord.extend({
  balance: Money.meta({ description: 'Of the target user, after the order' }),
}).meta({ id: 'BoughtTraffic' })

export function toDynamicOrder(
  order: DynamicOrder,
  currency: string,
  language: Language,
): z.infer<typeof DynamicOrderRecord> {
  return {
    id: order.id,
    order_no: order.orderNo,
    orderNo: order.orderNo,
    app_order_no: order.appOrderNo,
    appOrderNo: order.appOrderNo,
    user_id: order.userId,
    username: order.username,
    agent_id: order.agentId,
    order_type: 'dynamic_proxy',
    pool_id: order.productNo,
    pool_type: order.pool,
    product_name: language === 'zh' ? order.productNameZh : order.productNameEn,
    proxy_type: order.proxyType,
    traffic_amount: gigabytes(order.trafficBytes),
    used_traffic: gigabytes(order.usedBytes),
    remaining_traffic: gigabytes(order.trafficBytes - order.usedBytes),
    unit_price: money(order.unitPrice),
    discount: money(order.discount),
    promo_code: order.promoCode,
    total_amount: money(order.totalAmount),
    currency,
    status: order.status,
    remark: order.remark,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  }
}

export const dynamicOrderExample: z.infer<typeof DynamicOrderRecord> = {
  id: 1,
  order_no: 'D20261120175700123Q2W3E4R5',
  orderNo: 'D20261120175700123Q2W3E4R5',
  app_order_no: 'MY-0002',
  appOrderNo: 'MY-0002',
  user_id: 2,
  username: 'customer',
  agent_id: 1,
  order_type: 'dynamic_proxy',
  pool_id: 'DYN-2',
  pool_type: 'dynamic_2',
  product_name: 'Dynamic residential, public pool',
  proxy_type: 104,
  traffic_amount: 5,
  used_traffic: 0,
  remaining_traffic: 5,
  unit_price: 2,
  discount: 0,
  promo_code: null,
  total_amount: 10,
  currency: 'USD',
  status: 'active',
  remark: '',
  created_at: '2026-11-20T17:57:00.123Z',
  updated_at: '2026-11-20T17:57:00.123Z',
}
