import { z } from 'zod'
import type { Dashboard, DayFigures } from '../../core/records/dashboard.ts'
import { LAST_DAYS } from '../../core/periods.ts'
import { DYNAMIC_ORDER_STATUSES } from '../../core/orders/list-dynamic-orders.ts'
import { ORDER_STATUSES } from '../../core/orders/static-order.ts'
import type { Language } from '../language.ts'
import type { Variant } from '../variants.ts'
import { Gigabytes, gigabytes, Money, money } from './fields.ts'

const Count = z.int().min(0)

function perStatus<const Statuses extends readonly string[]>(statuses: Statuses) {
  const counts = Object.fromEntries(statuses.map((status) => [status, Count]))
  return z.strictObject({ total: Count, ...(counts as Record<Statuses[number], typeof Count>) })
}

const DailyStats = z
  .array(
    z.strictObject({
      date: z.iso.date(),
      orders: Count.meta({ description: 'Orders and renewals paid for on that day' }),
      amount: Money.meta({ description: 'Spent less refunded on that day' }),
    }),
  )
  .length(LAST_DAYS)
  .meta({ description: `The last ${LAST_DAYS} days in UTC, oldest first, today last` })
const ExpiringSoon = Count.meta({ description: 'Proxies that expire within 7 days' })

const Common = z.strictObject({
  balance: Money,
  lumi_balance: Gigabytes.meta({ description: 'Traffic left in pool dynamic_1, in GB' }),
  currency: z.string(),
  statistics: z
    .strictObject({
      totalRecharge: Money,
      totalConsumption: Money.meta({ description: 'Spent and not refunded' }),
      monthRecharge: Money,
      monthConsumption: Money,
      lastMonthConsumption: Money,
    })
    .meta({ description: 'Months of the calendar in UTC' }),
  dynamicResources: z.array(
    z.strictObject({
      title: z.string(),
      product_no: z.string(),
      total: Gigabytes.meta({ description: 'GB bought' }),
      used: Gigabytes,
      remaining: Gigabytes.meta({ description: 'Neither used nor handed to sub-accounts' }),
      percentage: z.number().min(0).max(100).meta({ description: 'Used, with at most 2 decimals' }),
    }),
  ),
  staticResources: z.array(
    z.strictObject({
      title: z.string(),
      product_no: z.string(),
      total: Count.meta({ description: 'All proxies ever delivered, released ones included' }),
      active: Count,
      expired: Count,
    }),
  ),
  dailyStats: DailyStats,
  orders: z
    .strictObject({
      static: perStatus(ORDER_STATUSES).meta({ description: 'Static orders per state' }),
      dynamic: perStatus(DYNAMIC_ORDER_STATUSES).meta({ description: 'Dynamic orders per state' }),
    })
    .meta({ description: 'Number of orders per state' }),
  sub_users: z
    .strictObject({
      total: Count.meta({ description: 'Without deleted ones' }),
      active: Count,
      disabled: Count,
      balance: Money.meta({ description: 'Sum of their balances' }),
      total_recharge: Money.meta({
        description: 'Of deleted ones too, as all that follows but `expiring_soon`',
      }),
      total_consumption: Money,
      month_consumption: Money,
      last_month_consumption: Money,
      dailyStats: DailyStats,
      expiring_soon: ExpiringSoon,
    })
    .optional()
    .meta({ description: 'Agents only' }),
  expiring_soon: ExpiringSoon,
})
const WithDyn3 = Common.extend({
  dyn3_balance: Gigabytes.meta({
    description: 'Traffic left in pool dynamic_3, in GB (variant B)',
  }).optional(),
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
  const title = (product: { nameEn: string; nameZh: string }) =>
    language === 'zh' ? product.nameZh : product.nameEn
  return {
    balance: money(figures.balance),
    lumi_balance: gigabytes(figures.dynamic1Bytes),
    ...(dyn3Balance ? { dyn3_balance: gigabytes(figures.dynamic3Bytes) } : {}),
    currency: figures.currency,
    statistics: {
      totalRecharge: money(statistics.totalRecharge),
      totalConsumption: money(statistics.totalConsumption),
      monthRecharge: money(statistics.monthRecharge),
      monthConsumption: money(statistics.monthConsumption),
      lastMonthConsumption: money(statistics.lastMonthConsumption),
    },
    dynamicResources: figures.dynamicResources.map((resource) => ({
      title: title(resource),
      product_no: resource.productNo,
      total: gigabytes(resource.totalBytes),
      used: gigabytes(resource.usedBytes),
      remaining: gigabytes(resource.remainingBytes),
      percentage: percentage(resource.usedBytes, resource.totalBytes),
    })),
    staticResources: figures.staticResources.map((resource) => ({
      title: title(resource),
      product_no: resource.productNo,
      total: resource.total,
      active: resource.active,
      expired: resource.expired,
    })),
    dailyStats: figures.dailyStats.map(toDay),
    orders: figures.orders,
    ...(subUsers
      ? {
          sub_users: {
            total: subUsers.total,
            active: subUsers.active,
            disabled: subUsers.disabled,
            balance: money(subUsers.balance),
            total_recharge: money(subUsers.totalRecharge),
            total_consumption: money(subUsers.totalConsumption),
            month_consumption: money(subUsers.monthConsumption),
            last_month_consumption: money(subUsers.lastMonthConsumption),
            dailyStats: subUsers.dailyStats.map(toDay),
            expiring_soon: subUsers.expiringSoon,
          },
        }
      : {}),
    expiring_soon: figures.expiringSoon,
  }
}

function toDay({ date, orders, amount }: DayFigures) {
  return { date, orders, amount: money(amount) }
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100
}
