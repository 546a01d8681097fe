import { z } from 'zod'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import type { Dashboard } from '../../core/records/dashboard.ts'
import { LAST_DAYS } from '../../core/periods.ts'
import { endpoint } from '../endpoint.ts'
import { dashboardSchema, toDashboard } from '../wire/dashboard.ts'
import { idOfRecord } from '../wire/query.ts'

const DAYS = Array.from({ length: LAST_DAYS }, (_, day) => ({
  date: new Date(Date.UTC(2026, 9, 22 + day)).toISOString().slice(0, 10),
  orders: day === LAST_DAYS - 1 ? 1 : 0,
  amount: day === LAST_DAYS - 1 ? 5_000_000 : 0,
}))

const FIGURES: Dashboard = {
  balance: 945_000_000,
  dynamic1Bytes: 1_500_000_000,
  dynamic3Bytes: 0,
  currency: 'USD',
  statistics: {
    totalRecharge: 1_050_000_000,
    totalConsumption: 5_000_000,
    monthRecharge: 1_000_000_000,
    monthConsumption: 5_000_000,
    lastMonthConsumption: 0,
  },
  dynamicResources: [
    {
      productNo: 'DYN-1',
      names: { en: 'Dynamic residential', zh: '动态住宅代理' },
      totalBytes: 2_000_000_000,
      usedBytes: 500_000_000,
      remainingBytes: 1_500_000_000,
    },
  ],
  staticResources: [
    {
      productNo: 'ISP-RES',
      names: { en: 'Residential ISP', zh: '住宅 ISP 静态代理' },
      total: 1,
      active: 1,
      expired: 0,
    },
  ],
  dailyStats: DAYS,
  orders: {
    static: { total: 1, processing: 0, active: 1, partial: 0, failed: 0, expired: 0, cancelled: 0 },
    dynamic: { total: 1, processing: 0, active: 1, exhausted: 0, cancelled: 0, failed: 0 },
  },
  subUsers: {
    total: 1,
    active: 1,
    disabled: 0,
    balance: 50_000_000,
    totalRecharge: 50_000_000,
    totalConsumption: 0,
    monthConsumption: 0,
    lastMonthConsumption: 0,
    dailyStats: DAYS,
    expiringSoon: 0,
  },
  expiringSoon: 0,
}

/** GET /open/app/dashboard/info/v2 (rules 7.4). */
export const dashboard = endpoint({
  name: 'dashboard',
  method: 'GET',
  path: '/open/app/dashboard/info/v2',
  tag: 'Records',
  scope: 'read',
  summary: 'Balance, resources and overview of an account',
  description:
    'Of the calling account, or of a direct sub-user of the calling agent. All figures are those of that one account; ' +
    '`sub_users` adds up an agent’s direct sub-users.',
  query: z.object({
    target_user_id: idOfRecord
      .optional()
      .meta({ description: 'A direct sub-user of the calling agent; the caller when missing' }),
  }),
  answer: dashboardSchema,
  errors: ['agent_required', 'not_direct_sub_user', 'sub_user_not_found'],
  example: { data: (variant) => toDashboard(FIGURES, FALLBACK_LANGUAGE, variant) },
  async handle({ core, query, language, variant }, actor) {
    return toDashboard(await core.records.dashboard(actor, query.target_user_id), language, variant)
  },
})
