import { z } from 'zod'
import {
  DailyStats,
  type Dashboard,
  ExpiringSoon,
  PROXY_RESOURCE,
  SUB_USER_FIGURES,
  TRAFFIC_RESOURCE,
} from '../../core/records/dashboard.ts'
import { Money, record, Traffic } from '../../core/record.ts'
import { DYNAMIC_ORDER_STATUSES } from '../../core/orders/list-dynamic-orders.ts'
import { ORDER_STATUSES } from '../../core/orders/static-order.ts'
import { toNumber } from '../../core/money.ts'
import { toGigabytes } from '../../core/bytes.ts'
import { type Translations, translationIn } from '../../core/translations.ts'
import type { Language } from '../language.ts'
import type { Variant } from '../variants.ts'

const Count = z.int().min(0)

function perStatus<const Statuses extends readonly string[]>(statuses: Statuses) {
  const counts = Object.fromEntries(statuses.map((status) => [status, Count]))
  return z.strictObject({ total: Count, ...(counts as Record<Statuses[number], typeof Count>) })
}

const TrafficRecord = record(TRAFFIC_RESOURCE, {
  names: { totalBytes: 'total', usedBytes: 'used', remainingBytes: 'remaining' },
})
const ProxiesRecord = record(PROXY_RESOURCE)
const SubUsersRecord = record(SUB_USER_FIGURES, { names: { dailyStats: 'dailyStats' } })

const Common = z.strictObject({
  balance: Money.schema,
  lumi_balance: Traffic.schema.meta({ description: 'Traffic left in pool dynamic_1, in GB' }),
  currency: z.string(),
  statistics: z
    .strictObject({
      totalRecharge: Money.schema,
      totalConsumption: Money.schema.meta({ description: 'Spent and not refunded' }),
      monthRecharge: Money.schema,
      monthConsumption: Money.schema,
      lastMonthConsumption: Money.schema,
    })
    .meta({ description: 'Months of the calendar in UTC' }),
  dynamicResources: TrafficRecord.schema.array(),
  staticResources: ProxiesRecord.schema.array(),
  dailyStats: DailyStats.schema,
  orders: z
    .strictObject({
      static: perStatus(ORDER_STATUSES).meta({ description: 'Static orders per state' }),
      dynamic: perStatus(DYNAMIC_ORDER_STATUSES).meta({ description: 'Dynamic orders per state' }),
    })
    .meta({ description: 'Number of orders per state' }),
  sub_users: SubUsersRecord.schema.optional().meta({ description: 'Agents only' }),
  expiring_soon: ExpiringSoon,
})
const WithDyn3 = Common.extend({
  dyn3_balance: Traffic.schema
    .meta({
      description: 'Traffic left in pool dynamic_3, in GB (variant B)',
    })
    .optional(),
})

type DashboardRecord = z.infer<typeof WithDyn3>

/** Returns the schema of the dashboard (rules 7.4). */
export function dashboardSchema({ dyn3Balance }: Variant): z.ZodType<DashboardRecord> {
  return dyn3Balance ? WithDyn3.required({ dyn3_balance: true }) : Common
}

export function toDashboard(
  figures: Dashboard,
  language: Language,
  { dyn3Balance }: Variant,
): DashboardRecord {
  const { statistics, subUsers } = figures
  const title = ({ names }: { readonly names: Translations }) => translationIn(names, language)
  return {
    balance: toNumber(figures.balance),
    lumi_balance: toGigabytes(figures.dynamic1Bytes),
    ...(dyn3Balance ? { dyn3_balance: toGigabytes(figures.dynamic3Bytes) } : {}),
    currency: figures.currency,
    statistics: {
      totalRecharge: toNumber(statistics.totalRecharge),
      totalConsumption: toNumber(statistics.totalConsumption),
      monthRecharge: toNumber(statistics.monthRecharge),
      monthConsumption: toNumber(statistics.monthConsumption),
      lastMonthConsumption: toNumber(statistics.lastMonthConsumption),
    },
    dynamicResources: figures.dynamicResources.map((resource) => {
      const used = percentage(resource.usedBytes, resource.totalBytes)
      return TrafficRecord.show({ ...resource, title: title(resource), percentage: used })
    }),
    staticResources: figures.staticResources.map((resource) =>
      ProxiesRecord.show({ ...resource, title: title(resource) }),
    ),
    dailyStats: DailyStats.show(figures.dailyStats),
    orders: figures.orders,
    ...(subUsers && { sub_users: SubUsersRecord.show(subUsers) }),
    expiring_soon: figures.expiringSoon,
  }
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100
}
