import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { badFile, type BadLine } from '../csv.ts'
import type { Tx } from '../database/database.ts'
import { ALWAYS, asGiven, listOf, rowsOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { canBeProxy } from '../ip-address.ts'
import { fromNumber, fromText, type Micros, toNumber } from '../money.ts'
import { isCountryCode } from './country-code.ts'
import { isNamedCity } from './places.ts'
import { isDynamic, PRODUCT_TYPE } from './product.ts'
import { networkOf } from './network.ts'
import { PriceInUnits } from './prices.ts'
import { DELIVERED_BEFORE } from './stock.ts'
import { wasDelivered } from './stock-conditions.ts'
import { type Filled, type Numbered, ProxyLine, readStockLines } from './stock-lines.ts'
import type { Essentials } from '../jobs/essentials.ts'

const Code = z
  .string()
  .regex(/^[A-Za-z0-9-]{0,16}$/, 'must be a code of at most 16 letters, digits and hyphens')

/** Highest monthly cost of a proxy that is accepted, in units of the currency. */
const MOST_COST = 1_000_000

/** As {@link StockCost}, as a cell of a file; null for an empty cell. */
const CostCell = z
  .string()
  .default('')
  .transform((text, ctx): Micros | null => {
    if (text === '') return null
    const micros = fromText(text)
    if (micros !== undefined && micros >= 0 && toNumber(micros) <= MOST_COST) return micros
    ctx.addIssue({ code: 'custom', message: 'is no amount such as 1.20' })
    return z.NEVER
  })

/** What one proxy costs the shop per month, in units of the currency. */
export const StockCostInUnits = PriceInUnits.max(MOST_COST)
/** As {@link StockCostInUnits}, read as {@link Micros}. */
export const StockCost = StockCostInUnits.transform((value) => fromNumber(value) ?? 0)

const Line = z
  .object({
    product_no: z.string().min(1, 'is missing'),
    ...ProxyLine.shape,
    ip: ProxyLine.shape.ip.refine(canBeProxy, 'is no address at which customers can reach a proxy'),
    country_code: z
      .string()
      .toUpperCase()
      .refine(isCountryCode, 'is not an ISO 3166 two-letter country code'),
    state: Code,
    city_code: Code,
    cidr: z.string(),
    cost: CostCell,
  })
  .refine(({ cidr, ip }) => cidr === '' || contains(cidr, ip), {
    path: ['cidr'],
    error: 'is not a CIDR range that contains the ip',
  })
type Line = Numbered<z.output<typeof Line>>

export interface ImportOptions {
  /** Only check the file. */
  readonly dryRun?: boolean
  /** Skip proxies that are in the stock already, instead of refusing the file. */
  readonly skipExisting?: boolean
  /** See {@link readStockLines}: such as the product and the place of all proxies. */
  readonly filled?: Filled
  /** What a proxy whose line has no cost costs the shop per month, in units of the currency (rules 11.18). */
  readonly cost?: number | undefined
}

interface StockImport {
  readonly imported: number
  /** Lines that were skipped because their proxies are in the stock already. */
  readonly skipped: number
  readonly dryRun: boolean
  /** City codes for which there is no name: customers see the codes. */
  readonly namelessCities: readonly string[]
  /** Addresses on which there are now several exclusive proxies, each on a port of its own. */
  readonly severalPorts: readonly string[]
  /** Known monthly cost of the imported proxies, and the number of those whose cost is unknown. */
  readonly monthlyCost: Micros
  readonly withoutCost: number
}

/**
 * Imports proxies into the stock (rules 10.7): every line is checked first, then all are imported or none.
 *
 * @param csv text of the file with the header `product_no,ip,port,username,password,country_code,state,city_code,cidr`, and `cost` where
 *   the file says it
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export async function importStock(
  deps: Essentials,
  csv: string,
  { dryRun = false, skipExisting = false, filled, cost }: ImportOptions = {},
): Promise<StockImport> {
  const costOfAll = parseInput(StockCost.optional(), cost) ?? null
  const lines = readStockLines(csv, Line, filled).map((line) => ({ ...line, cost: line.cost ?? costOfAll }))
  return deps.db.write(async (tx) => {
    const { bad, fresh, severalPorts } = await compare(tx, lines, skipExisting)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun) await insert(tx, fresh, deps.clock.now())
    const costs = fresh.flatMap((line) => line.cost ?? [])
    const cities = new Set(fresh.map(({ city_code }) => city_code))
    return {
      imported: fresh.length,
      skipped: lines.length - fresh.length,
      dryRun,
      namelessCities: [...cities].filter((code) => code !== '' && !isNamedCity(code)).toSorted(),
      severalPorts,
      monthlyCost: costs.reduce((sum, one) => sum + one, 0),
      withoutCost: fresh.length - costs.length,
    }
  })
}

/** The proxies on one address. */
interface OnAddress {
  /** Those in the stock, as `port seat`. */
  readonly stocked: Set<string>
  /** Those in the stock that wait for other credentials, as `port seat`. */
  readonly resting: Set<string>
  /** Those in the file, as `port seat`. */
  readonly listed: Set<string>
  /** Whether they are exclusive; those have an empty seat. An address has either exclusive or shared proxies. */
  readonly exclusive: boolean
}

/** Compares the lines with the database: `fresh` are those that it does not have yet, `bad` those that cannot be imported. */
async function compare(tx: Tx, lines: readonly Line[], skipExisting: boolean) {
  const products = new Map(
    (
      await tx.$kysely
        .selectFrom('products')
        .select(['productNo', 'proxyType', 'productType', 'supplier'])
        .execute()
    ).map((product) => [product.productNo, product]),
  )
  const connections = new Set(
    (await tx.$kysely.selectFrom('supplierConnections').select('name').execute()).map(({ name }) => name),
  )
  const addresses = await addressesOf(tx, lines)
  const delivered = await deliveredBefore(tx, lines)
  const bad: BadLine[] = []
  const fresh: Line[] = []
  const severalPorts = new Set<string>()
  for (const line of lines) {
    const { product_no, ip, port, username } = line
    const refuse = (reason: string, message: string) => bad.push({ line: line.line, message, reason })
    const product = products.get(product_no)
    if (!product) refuse('no_product', `product_no ${product_no} does not exist`)
    else if (isDynamic(product.proxyType))
      refuse('by_traffic', `product_no ${product_no} is sold by traffic, not per IP`)
    else if (connections.has(product.supplier))
      refuse(
        'supplied',
        `product_no ${product_no} is supplied by ${product.supplier}, not from the own stock`,
      )
    else {
      const exclusive = product.productType !== PRODUCT_TYPE.shared
      const proxy = `${Number(port)} ${exclusive ? '' : username}`
      const known = addresses.get(ip) ?? emptyAddress(exclusive)
      addresses.set(ip, known)
      if (known.exclusive !== exclusive) {
        refuse(
          'both_kinds',
          `ip ${ip} has ${exclusive ? 'shared' : 'exclusive'} proxies: it cannot have both kinds`,
        )
      } else if (known.listed.has(proxy)) refuse('twice', `ip ${ip} port ${port} comes twice in this file`)
      else if (!known.stocked.has(proxy)) {
        if (delivered.has(line.line)) refuse('delivered', DELIVERED_BEFORE)
        else fresh.push(line)
      } else if (!skipExisting) {
        const state = known.resting.has(proxy)
          ? 'and waits for other credentials: give it some by stock update'
          : 'already'
        refuse('in_stock', `ip ${ip} port ${port} is in the stock ${state}`)
      }
      known.listed.add(proxy)
      if (exclusive && new Set([...known.stocked, ...known.listed]).size > 1) severalPorts.add(ip)
    }
  }
  return { bad, fresh, severalPorts: [...severalPorts] }
}

function emptyAddress(exclusive: boolean): OnAddress {
  return { stocked: new Set(), resting: new Set(), listed: new Set(), exclusive }
}

/** Numbers of the lines whose credentials were delivered to a customer before. */
async function deliveredBefore(tx: Tx, lines: readonly Line[]): Promise<Set<number>> {
  const delivered = await tx.$kysely
    .selectFrom(rowsOf(lines, { line: 'integer', ip: 'text', username: 'text', password: 'text' }, 'line'))
    .select('line.line')
    .where(wasDelivered)
    .execute()
  return new Set(delivered.map(({ line }) => line))
}

async function addressesOf(tx: Tx, lines: readonly Line[]): Promise<Map<string, OnAddress>> {
  const stock = await tx.$kysely
    .selectFrom('stockIps')
    .select(['ip', 'port', 'seat', 'resting'])
    .where('ip', 'in', listOf(lines.map(({ ip }) => ip)))
    .execute()
  const addresses = new Map<string, OnAddress>()
  for (const { ip, port, seat, resting } of stock) {
    const known = addresses.get(ip) ?? emptyAddress(seat === '')
    addresses.set(ip, known)
    known.stocked.add(`${port} ${seat}`)
    if (resting) known.resting.add(`${port} ${seat}`)
  }
  return addresses
}

const COLUMNS = {
  product_no: 'text',
  ip: 'text',
  port: 'integer',
  username: 'text',
  password: 'text',
  country_code: 'text',
  state: 'text',
  city_code: 'text',
  cidr: 'text',
  network: 'text',
  cost: 'integer',
} as const

async function insert(tx: Tx, lines: readonly Line[], now: Date): Promise<void> {
  const rows = lines.map((line) => ({ ...line, port: Number(line.port), network: networkOf(line.ip) }))
  const table = rowsOf(rows, COLUMNS, 'line')
  await tx.$kysely
    .insertInto('locations')
    .columns(['productId', 'countryCode', 'state', 'cityCode'])
    .expression(({ selectFrom }) =>
      selectFrom(table)
        .innerJoin('products as p', 'p.productNo', 'line.product_no')
        .select(['p.id', 'line.country_code', 'line.state', 'line.city_code'])
        .distinct()
        .where(ALWAYS),
    )
    .onConflict((known) => known.doNothing())
    .execute()
  await tx.$kysely
    .insertInto('stockIps')
    .columns([
      ...(['locationId', 'ip', 'port', 'username', 'password', 'cidr', 'network'] as const),
      ...(['monthlyCost', 'seat', 'createdAt'] as const),
    ])
    .expression(({ selectFrom }) =>
      selectFrom(table)
        .innerJoin('products as p', 'p.productNo', 'line.product_no')
        .innerJoin('locations as l', (place) =>
          place
            .onRef('l.productId', '=', 'p.id')
            .onRef('l.countryCode', '=', 'line.country_code')
            .onRef('l.state', '=', 'line.state')
            .onRef('l.cityCode', '=', 'line.city_code'),
        )
        .select([
          'l.id',
          'line.ip',
          'line.port',
          'line.username',
          'line.password',
          'line.cidr',
          'line.network',
          'line.cost',
        ])
        .select(({ eb, ref, val }) => [
          eb
            .case()
            .when('p.productType', '=', PRODUCT_TYPE.shared)
            .then(ref('line.username'))
            .else('')
            .end()
            .as('seat'),
          val(now).as('createdAt'),
        ])
        .orderBy(asGiven('line')),
    )
    .execute()
}

function contains(cidr: string, ip: string): boolean {
  try {
    return ipaddr.parse(ip).match(ipaddr.parseCIDR(cidr))
  } catch {
    return false
  }
}
