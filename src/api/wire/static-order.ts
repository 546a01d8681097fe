import { z } from 'zod'
import { cityName, countryName } from '../../core/catalog/places.ts'
import { HEALTHS } from '../../core/checks/health.ts'
import { formatProxy } from '../../core/proxy-formats.ts'
import {
  EMBEDDED_INSTANCES,
  type Instance,
  INSTANCE_STATUSES,
  ORDER_STATUSES,
  type StaticOrder,
} from '../../core/orders/static-order.ts'
import { Money, Time } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { translationIn } from '../../core/translations.ts'
import type { Language } from '../language.ts'

/** A delivered proxy (rules 5.11). */
export const InstanceRecord = z
  .strictObject({
    instance_no: z.string(),
    order_no: z.string(),
    provider_instance_no: z.string(),
    ip: z.string(),
    port: z.int(),
    username: z.string(),
    password: z.string(),
    protocols: z.array(z.string()),
    country_code: z.string(),
    country_name: z.string(),
    city_code: z.string(),
    city_name: z.string(),
    cidr: z.string(),
    status: z.enum(INSTANCE_STATUSES).meta({ description: '`released`: given back, or expired for good' }),
    auto_renew: z.boolean(),
    health: z.enum(HEALTHS).meta({
      description:
        'What its tests say: the last one passed (`works`), passed in more than 3 seconds (`slow`), failed without a verdict yet (`failing`); ' +
        '`dead`: it fails all the time; `not_tested`: nothing is known. It stays as it was when the proxy has ended',
    }),
    note: z.string().meta({ description: 'What its owner calls it' }),
    opened_at: Time,
    updated_at: Time.meta({ description: 'When anything that is shown of it changed last' }),
    expire_time: Time,
    released_at: Time.nullable(),
    connection_string: z
      .string()
      .meta({ description: '`ip:port:username:password`, an IPv6 address in brackets' }),
  })
  .meta({ id: 'Instance' })

/** A static order with its proxies (rules 5.11). */
export const StaticOrderRecord = z
  .strictObject({
    id: z.int(),
    order_no: z.string(),
    orderNo: z.string(),
    app_order_no: z.string(),
    appOrderNo: z.string(),
    provider_order_no: z.string().nullable().meta({ description: 'Number of the order at the supplier' }),
    user_id: z.int().meta({ description: 'Who pays and owns the proxies' }),
    username: z.string(),
    agent_id: z.int().nullable(),
    product_no: z.string(),
    product_name: z.string(),
    product_type: z.int(),
    project_id: z.string().nullable(),
    proxy_type: z.int(),
    country_code: z
      .string()
      .nullable()
      .meta({ description: 'As ordered, else where all of its proxies are; null: in several countries' }),
    country_name: z.string().nullable(),
    city_code: z.string().nullable(),
    city_name: z.string().nullable(),
    static_type: z.string().nullable(),
    ip_count: z.int().meta({ description: 'Ordered' }),
    success_count: z.int().meta({ description: 'Delivered' }),
    duration: z.int(),
    unit: z.int(),
    cycle_times: z.int(),
    unit_price: Money.schema.meta({ description: 'Per IP and billing period' }),
    discount: Money.schema.meta({ description: 'What a promotion code took off; 0 without one' }),
    promo_code: z.string().nullable(),
    total_amount: Money.schema.meta({ description: 'What was paid, after the discount' }),
    refunded_amount: Money.schema.meta({ description: 'Given back of total and renewals' }),
    renewed_amount: Money.schema.meta({ description: 'Paid for renewals, on top of `total_amount`' }),
    status: z.enum(ORDER_STATUSES).meta({
      description:
        '`processing` until it is completed; `partial`: fewer proxies than ordered, the rest refunded; `failed`: all refunded',
    }),
    fail_reason: z.string().nullable(),
    auto_renew: z.boolean(),
    remark: z.string(),
    expire_time: Time.nullable(),
    created_at: Time,
    updated_at: Time,
    instances_total: z.int().meta({ description: 'How many proxies there are for the caller to see' }),
    instances_dead: z
      .int()
      .meta({ description: 'How many of the active ones are dead; see `health` of an instance' }),
    instances: z.array(InstanceRecord).meta({
      description: `At most ${EMBEDDED_INSTANCES} in a list of several orders; all of them in a list by \`orderNo\``,
    }),
  })
  .meta({ id: 'StaticOrder' })

const PROTOCOLS = ['http', 'socks5']

export function toStaticOrder(order: StaticOrder, language: Language): z.infer<typeof StaticOrderRecord> {
  const { countryCode, cityCode } = order
  return {
    id: order.id,
    order_no: order.orderNo,
    orderNo: order.orderNo,
    app_order_no: order.appOrderNo,
    appOrderNo: order.appOrderNo,
    provider_order_no: order.providerOrderNo,
    user_id: order.userId,
    username: order.username,
    agent_id: order.agentId,
    product_no: order.productNo,
    product_name: translationIn(order.productNames, language),
    product_type: order.productType,
    project_id: order.projectId,
    proxy_type: order.proxyType,
    country_code: countryCode,
    country_name: countryCode && countryName(countryCode, language),
    city_code: cityCode,
    city_name: cityCode && cityName(cityCode, language),
    static_type: order.staticType,
    ip_count: order.ipCount,
    success_count: order.successCount,
    duration: order.duration,
    unit: order.unit,
    cycle_times: order.cycleTimes,
    unit_price: toNumber(order.unitPrice),
    discount: toNumber(order.discount),
    promo_code: order.promoCode,
    total_amount: toNumber(order.totalAmount),
    refunded_amount: toNumber(order.refundedAmount),
    renewed_amount: toNumber(order.renewedAmount),
    status: order.status,
    fail_reason: order.failReason,
    auto_renew: order.autoRenew,
    remark: order.remark,
    expire_time: order.expireTime,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    instances_total: order.instancesTotal,
    instances_dead: order.instancesDead,
    instances: order.instances.map((instance) => toInstance(instance, order.orderNo, language)),
  }
}

export function toInstance(
  instance: Instance,
  orderNo: string,
  language: Language,
): z.infer<typeof InstanceRecord> {
  const { ip, port, username, password, countryCode, cityCode } = instance
  return {
    instance_no: instance.instanceNo,
    order_no: orderNo,
    provider_instance_no: instance.providerInstanceNo,
    ip,
    port,
    username,
    password,
    protocols: PROTOCOLS,
    country_code: countryCode,
    country_name: countryName(countryCode, language),
    city_code: cityCode,
    city_name: cityName(cityCode, language),
    cidr: instance.cidr,
    status: instance.status,
    auto_renew: instance.autoRenew,
    health: instance.health,
    note: instance.note,
    opened_at: instance.openedAt,
    updated_at: instance.updatedAt,
    expire_time: instance.expireTime,
    released_at: instance.releasedAt,
    connection_string: formatProxy('colon', instance),
  }
}

export const staticOrderExample: z.infer<typeof StaticOrderRecord> = {
  id: 1,
  order_no: 'S20261120175700123Q2W3E4R5',
  orderNo: 'S20261120175700123Q2W3E4R5',
  app_order_no: 'MY-0001',
  appOrderNo: 'MY-0001',
  provider_order_no: null,
  user_id: 2,
  username: 'customer',
  agent_id: 1,
  product_no: 'ISP-RES',
  product_name: 'Residential ISP',
  product_type: 1,
  project_id: null,
  proxy_type: 103,
  country_code: 'US',
  country_name: 'United States',
  city_code: 'USNYC',
  city_name: 'New York',
  static_type: null,
  ip_count: 1,
  success_count: 1,
  duration: 1,
  unit: 3,
  cycle_times: 1,
  unit_price: 4.5,
  discount: 0,
  promo_code: null,
  total_amount: 4.5,
  refunded_amount: 0,
  renewed_amount: 0,
  status: 'active',
  fail_reason: null,
  auto_renew: false,
  remark: '',
  expire_time: '2026-12-20T17:57:00.456Z',
  created_at: '2026-11-20T17:57:00.123Z',
  updated_at: '2026-11-20T17:57:00.456Z',
  instances_total: 1,
  instances_dead: 0,
  instances: [
    {
      instance_no: 'I20261120175700456A1B2C3D4',
      order_no: 'S20261120175700123Q2W3E4R5',
      provider_instance_no: '17',
      ip: '192.0.2.17',
      port: 8000,
      username: 'user17',
      password: 'secret17',
      protocols: ['http', 'socks5'],
      country_code: 'US',
      country_name: 'United States',
      city_code: 'USNYC',
      city_name: 'New York',
      cidr: '192.0.2.0/26',
      status: 'active',
      auto_renew: false,
      health: 'works',
      note: '',
      opened_at: '2026-11-20T17:57:00.456Z',
      updated_at: '2026-11-20T17:57:00.456Z',
      expire_time: '2026-12-20T17:57:00.456Z',
      released_at: null,
      connection_string: '192.0.2.17:8000:user17:secret17',
    },
  ],
}

/** What a client learns at once about an order that was accepted (rules 5.5). */
export const Acceptance = z
  .strictObject({
    orderNo: z.string(),
    order_no: z.string(),
    appOrderNo: z.string(),
    app_order_no: z.string(),
    status: z
      .literal('processing')
      .meta({ description: 'The final status is read with the static order list' }),
    queued: z.boolean(),
    async: z.boolean(),
  })
  .meta({ id: 'StaticOrderAcceptance' })

export function toAcceptance(orderNo: string, appOrderNo: string): z.infer<typeof Acceptance> {
  return {
    orderNo,
    order_no: orderNo,
    appOrderNo,
    app_order_no: appOrderNo,
    status: 'processing',
    queued: true,
    async: true,
  }
}
