import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { badFile, type BadLine } from '../csv.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { canBeProxy } from '../ip-address.ts'
import { isCountryCode, isNamedCity } from './places.ts'
import { isDynamic } from './product.ts'
import { networkOf } from './network.ts'
import { DELIVERED_BEFORE, wereDelivered } from './stock.ts'
import { type Numbered, ProxyLine, readStockLines } from './stock-lines.ts'

const Code = z
  .string()
  .regex(/^[A-Za-z0-9-]{0,16}$/, 'must be a code of at most 16 letters, digits and hyphens')

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
  })
  .refine(({ cidr, ip }) => cidr === '' || contains(cidr, ip), {
    path: ['cidr'],
    error: 'is not a CIDR range that contains the ip',
  })
type Line = Numbered<z.output<typeof Line>>

export interface ImportOptions {
  /** Only check the file. */
  readonly dryRun?: boolean
  /** Leave out proxies that are in the stock already, instead of refusing the file. */
  readonly skipExisting?: boolean
}

export interface StockImport {
  readonly imported: number
  /** Left out, because they are in the stock already. */
  readonly skipped: number
  readonly dryRun: boolean
  /** City codes without a name: customers see the codes. */
  readonly namelessCities: readonly string[]
  /** Addresses on which there are now several exclusive proxies, each on a port of its own. */
  readonly severalPorts: readonly string[]
}

/**
 * Takes proxies into the stock (rules 10.7): every line is checked first, then all are taken or none.
 *
 * @param csv text of the file with the header `product_no,ip,port,username,password,country_code,state,city_code,cidr`
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export async function importStock(
  deps: CoreDeps,
  csv: string,
  { dryRun = false, skipExisting = false }: ImportOptions = {},
): Promise<StockImport> {
  const lines = readStockLines(csv, Line)
  return deps.db.write(async (tx) => {
    const { bad, fresh, severalPorts } = await compare(tx, lines, skipExisting)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun) await insert(tx, fresh, deps.clock.now())
    const cities = new Set(fresh.map(({ city_code }) => city_code))
    return {
      imported: fresh.length,
      skipped: lines.length - fresh.length,
      dryRun,
      namelessCities: [...cities].filter((code) => code !== '' && !isNamedCity(code)).toSorted(),
      severalPorts,
    }
  })
}

/** The proxies on one address. */
interface OnAddress {
  /** Port and seat of those in the stock. */
  readonly stocked: Set<string>
  /** Those of them that wait for other credentials. */
  readonly resting: Set<string>
  /** The same of those in the file. */
  readonly listed: Set<string>
  /** Exclusive proxies have no seat; an address has either those or shared ones. */
  readonly exclusive: boolean
}

/** What the database says about the lines: those that it does not have yet, and those that cannot be taken. */
async function compare(tx: Tx, lines: readonly Line[], skipExisting: boolean) {
  const products = new Map((await tx.product.findMany()).map((product) => [product.productNo, product]))
  const addresses = await addressesOf(tx, lines)
  const delivered = await deliveredBefore(tx, lines)
  const bad: BadLine[] = []
  const fresh: Line[] = []
  const severalPorts = new Set<string>()
  for (const line of lines) {
    const { product_no, ip, port, username } = line
    const refuse = (message: string) => bad.push({ line: line.line, message })
    const product = products.get(product_no)
    if (!product) refuse(`product_no ${product_no} does not exist`)
    else if (isDynamic(product.proxyType)) refuse(`product_no ${product_no} is sold by traffic, not per IP`)
    else {
      const exclusive = product.productType !== 2
      const proxy = `${Number(port)} ${exclusive ? '' : username}`
      const there = addresses.get(ip) ?? onAddress(exclusive)
      addresses.set(ip, there)
      if (there.exclusive !== exclusive) {
        refuse(`ip ${ip} has ${exclusive ? 'shared' : 'exclusive'} proxies: it cannot have both kinds`)
      } else if (there.listed.has(proxy)) refuse(`ip ${ip} port ${port} comes twice in this file`)
      else if (!there.stocked.has(proxy)) {
        if (delivered.has(line.line)) refuse(DELIVERED_BEFORE)
        else fresh.push(line)
      } else if (!skipExisting) {
        const state = there.resting.has(proxy)
          ? 'and waits for other credentials: give it some by stock update'
          : 'already'
        refuse(`ip ${ip} port ${port} is in the stock ${state}`)
      }
      there.listed.add(proxy)
      if (exclusive && new Set([...there.stocked, ...there.listed]).size > 1) severalPorts.add(ip)
    }
  }
  return { bad, fresh, severalPorts: [...severalPorts] }
}

function onAddress(exclusive: boolean): OnAddress {
  return { stocked: new Set(), resting: new Set(), listed: new Set(), exclusive }
}

/** Numbers of the lines whose credentials a customer has had. */
async function deliveredBefore(tx: Tx, lines: readonly Line[]): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ line: number }[]>`
    SELECT line.value ->> 'line' AS line FROM json_each(${JSON.stringify(lines)}) line WHERE ${wereDelivered('line.value')}`
  return new Set(rows.map(({ line }) => line))
}

async function addressesOf(tx: Tx, lines: readonly Line[]): Promise<Map<string, OnAddress>> {
  const stock = await tx.$queryRaw<{ ip: string; port: number; seat: string; resting: boolean }[]>`
    SELECT ip, port, seat, resting FROM stock_ips WHERE ip IN (SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.ip))}))`
  const addresses = new Map<string, OnAddress>()
  for (const { ip, port, seat, resting } of stock) {
    const there = addresses.get(ip) ?? onAddress(seat === '')
    addresses.set(ip, there)
    there.stocked.add(`${port} ${seat}`)
    if (resting) there.resting.add(`${port} ${seat}`)
  }
  return addresses
}

async function insert(tx: Tx, lines: readonly Line[], now: Date): Promise<void> {
  const json = JSON.stringify(lines.map((line) => ({ ...line, network: networkOf(line.ip) })))
  await tx.$executeRaw`
    INSERT OR IGNORE INTO locations (product_id, country_code, state, city_code)
    SELECT DISTINCT p.id, j.value ->> 'country_code', j.value ->> 'state', j.value ->> 'city_code'
    FROM json_each(${json}) j JOIN products p ON p.product_no = j.value ->> 'product_no'`
  await tx.$executeRaw`
    INSERT INTO stock_ips (location_id, ip, port, username, password, cidr, network, seat, created_at)
    SELECT l.id, j.value ->> 'ip', CAST(j.value ->> 'port' AS INTEGER), j.value ->> 'username', j.value ->> 'password',
           j.value ->> 'cidr', j.value ->> 'network', iif(p.product_type = 2, j.value ->> 'username', ''), ${now}
    FROM json_each(${json}) j
    JOIN products p ON p.product_no = j.value ->> 'product_no'
    JOIN locations l ON l.product_id = p.id AND l.country_code = j.value ->> 'country_code'
      AND l.state = j.value ->> 'state' AND l.city_code = j.value ->> 'city_code'`
}

function contains(cidr: string, ip: string): boolean {
  try {
    return ipaddr.parse(ip).match(ipaddr.parseCIDR(cidr))
  } catch {
    return false
  }
}
