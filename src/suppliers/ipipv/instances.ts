import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { SupplierFault, type SupplierInstance } from '../../core/supply/driver.ts'
import { type Api, type Ask, shaped } from './api.ts'
import { placeOfCodes } from './places.ts'

/** Most rows of a page, and most numbers in one request. */
export const PAGE_SIZE = 100
/** Far more pages than an account has; a platform that repeats a page for ever is not read for ever. */
const MAX_PAGES = 1000

const RUNNING = 3
const STOPPED = 6
const CLOSED = 10
const RELEASED = 11

/** A proxy in `instance`, `instance/list` and `order`, as far as it is used. */
export const Instance = z.object({
  instanceNo: z.string().min(1).max(64),
  orderNo: z.string().default(''),
  ip: z.string().default(''),
  port: z.int().default(0),
  username: z.string().default(''),
  pwd: z.string().default(''),
  countryCode: z.string().default(''),
  cityCode: z.string().default(''),
  /** Unix seconds; 0: not known. */
  userExpired: z.int().default(0),
  status: z.int(),
})
export type Instance = z.output<typeof Instance>

const STATUSES: Readonly<Record<number, SupplierInstance['status']>> = {
  [RUNNING]: 'running',
  [STOPPED]: 'stopped',
  [CLOSED]: 'closed',
  [RELEASED]: 'released',
}

/**
 * Returns a proxy as the core knows it.
 *
 * @returns undefined while it is being made (status 1, 2), or when it has no usable address
 */
export function instanceOf(row: Instance): SupplierInstance | undefined {
  const status = STATUSES[row.status]
  const isProxy = isIP(row.ip) !== 0 && row.port > 0 && row.port <= 65_535
  if (status === undefined || !isProxy) return undefined
  const place = placeOfCodes({ ...row, stateCode: '' }, new Map())
  return {
    providerInstanceNo: row.instanceNo,
    ...(row.orderNo !== '' && { providerOrderNo: row.orderNo }),
    ip: ipaddr.parse(row.ip).toString(),
    port: row.port,
    username: row.username,
    password: row.pwd,
    ...(place !== undefined && { countryCode: place.countryCode }),
    ...(place?.cityCode && { cityCode: place.cityCode }),
    ...(row.userExpired > 0 && { expireTime: new Date(row.userExpired * 1000).toISOString() }),
    status,
  }
}

/** Reads proxies by their numbers, in requests of 100; those that the platform does not know are left out. */
export async function readInstances(
  ask: Ask,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<readonly SupplierInstance[]> {
  const found: SupplierInstance[] = []
  for (let from = 0; from < numbers.length; from += PAGE_SIZE) {
    const instances = numbers.slice(from, from + PAGE_SIZE)
    const rows = (await ask('instance', { instances }, signal)) ?? []
    const shown = shaped(z.array(Instance), 'instance', rows)
    const asked = new Set(instances)
    found.push(
      ...shown.filter(({ instanceNo }) => asked.has(instanceNo)).flatMap((row) => instanceOf(row) ?? []),
    )
  }
  return found
}

/** Reads all proxies of the account that run, of the last 365 days: the platform lists no older ones. */
export async function readRunning(api: Api, signal: AbortSignal): Promise<readonly SupplierInstance[]> {
  const rows = await allPages(async (page) => {
    const data = await api.read('instance/list', { page, pageSize: PAGE_SIZE }, signal)
    return shaped(pageOf(z.unknown()), 'instance/list', data ?? {})
  })
  // An account may have rows of other products, which are of no interest whatever their shape.
  const running = rows
    .flatMap((row) => Instance.safeParse(row).data ?? [])
    .filter(({ status }) => status === RUNNING)
  // A row may move to the next page while the pages are read.
  const unique = new Map(running.map((row) => [row.instanceNo, row]))
  return [...unique.values()].flatMap((row) => instanceOf(row) ?? [])
}

/** The shape of a page of a list. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    total: z.int().default(0),
    list: z
      .array(row)
      .nullish()
      .transform((rows) => rows ?? []),
  })
}

/**
 * Reads pages until all rows are there, or an empty page comes.
 *
 * @throws SupplierFault `unknown` for a list without an end
 */
export async function allPages<Row>(
  readPage: (page: number) => Promise<{ readonly total: number; readonly list: readonly Row[] }>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { total, list } = await readPage(page)
    rows.push(...list)
    if (list.length === 0 || rows.length >= total) return rows
  }
  throw new SupplierFault('unknown', `a list has no end after ${MAX_PAGES} pages`)
}
