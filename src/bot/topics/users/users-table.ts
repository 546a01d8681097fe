import type { ExportedSubUser } from '../../../core/accounts/export-sub-users.ts'
import { writeCsv } from '../../../core/csv.ts'
import { toText } from '../../../core/money.ts'
import { toGigabytes } from '../../../core/bytes.ts'
import type { Texts } from '../../texts/index.ts'
import { statusText } from './screens.ts'

/** Sub-users as a table in the language of the chat. */
export async function usersTable(texts: Texts, users: readonly ExportedSubUser[]): Promise<Buffer> {
  const cells: Record<keyof Texts['users']['columns'], (user: ExportedSubUser) => string | number> = {
    id: ({ id }) => id,
    username: ({ username }) => username,
    status: (user) => statusText(texts, user),
    balance: ({ balance }) => toText(balance),
    totalRecharge: ({ totalRecharge }) => toText(totalRecharge),
    totalConsumption: ({ totalConsumption }) => toText(totalConsumption),
    activeProxies: ({ activeProxies }) => activeProxies,
    trafficLeft: ({ trafficLeft }) => toGigabytes(trafficLeft),
    email: ({ email }) => email,
    phone: ({ phone }) => phone,
    remark: ({ remark }) => remark,
    createdAt: ({ createdAt }) => createdAt,
  }
  const columns = Object.values(cells)
  const header = (Object.keys(cells) as (keyof typeof cells)[]).map((column) => texts.users.columns[column])
  return Buffer.from(await writeCsv(header, users, (user) => columns.map((cell) => cell(user))))
}
