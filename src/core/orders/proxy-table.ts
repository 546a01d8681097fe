import { writeCsv } from '../csv.ts'
import type { OrderedInstance } from './active-instances.ts'

/** Columns of the table, named as the fields of the API (rules 5.11). */
const COLUMNS: Readonly<Record<string, (proxy: OrderedInstance) => string | number | boolean>> = {
  user: ({ owner }) => owner,
  order_no: ({ orderNo }) => orderNo,
  instance_no: ({ instanceNo }) => instanceNo,
  ip: ({ ip }) => ip,
  port: ({ port }) => port,
  username: ({ username }) => username,
  password: ({ password }) => password,
  country_code: ({ countryCode }) => countryCode,
  city_code: ({ cityCode }) => cityCode,
  cidr: ({ cidr }) => cidr,
  status: ({ status }) => status,
  auto_renew: ({ autoRenew }) => autoRenew,
  opened_at: ({ openedAt }) => openedAt,
  expire_time: ({ expireTime }) => expireTime,
  health: ({ health }) => health,
}

/** Writes proxies as the text of a CSV file with a header. */
export function proxyTable(proxies: readonly OrderedInstance[]): Promise<string> {
  const columns = Object.values(COLUMNS)
  return writeCsv(Object.keys(COLUMNS), proxies, (proxy) => columns.map((value) => String(value(proxy))))
}

/** Writes proxies as the text of a JSON list of objects with the same field names. */
export function proxyObjects(proxies: readonly OrderedInstance[]): string {
  const columns = Object.entries(COLUMNS)
  return JSON.stringify(
    proxies.map((proxy) => Object.fromEntries(columns.map(([name, value]) => [name, value(proxy)]))),
  )
}
