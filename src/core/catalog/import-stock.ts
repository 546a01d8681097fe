import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { badFile, type BadLine } from '../csv.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { isCountryCode } from './places.ts'
import { isDynamic } from './product.ts'
import { type Numbered, ProxyLine, readStockLines } from './stock-lines.ts'

const Code = z
  .string()
  .regex(/^[A-Za-z0-9-]{0,16}$/, 'must be a code of at most 16 letters, digits and hyphens')

const Line = z
  .object({
    product_no: z.string().min(1, 'is missing'),
    ...ProxyLine.shape,
    country_code: z.string().refine(isCountryCode, 'is not an ISO 3166 two-letter country code'),
    state: Code,
    city_code: Code,
    cidr: z.string(),
  })
  .refine(({ cidr, ip }) => cidr === '' || contains(cidr, ip), {
    path: ['cidr'],
    error: 'is not a CIDR range that contains the ip',
  })
type Line = Numbered<z.output<typeof Line>>

export interface StockImport {
  readonly imported: number
  readonly dryRun: boolean
}

/**
 * Takes proxies into the stock (contract 10): every line is checked first, then all are taken or none.
 *
 * @param csv text of the file with the header `product_no,ip,port,username,password,country_code,state,city_code,cidr`
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export async function importStock(deps: CoreDeps, csv: string, dryRun = false): Promise<StockImport> {
  const lines = readStockLines(csv, Line)
  return deps.db.write(async (tx) => {
    const bad = await conflicts(tx, lines)
    if (bad.length > 0) throw badFile(bad)
    if (!dryRun) await insert(tx, lines, deps.clock.now())
    return { imported: lines.length, dryRun }
  })
}

/** What the database says against the lines: unknown products, and proxies that are in the file or the stock already. */
async function conflicts(tx: Tx, lines: readonly Line[]): Promise<BadLine[]> {
  const products = new Map((await tx.product.findMany()).map((product) => [product.productNo, product]))
  const stocked = await tx.$queryRaw<{ ip: string; seat: string }[]>`
    SELECT ip, seat FROM stock_ips WHERE ip IN (SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.ip))}))`
  const seats = new Map<string, Set<string>>()
  const seatsOf = (ip: string) => seats.get(ip) ?? seats.set(ip, new Set()).get(ip) ?? new Set()
  for (const { ip, seat } of stocked) seatsOf(ip).add(seat)

  const bad: BadLine[] = []
  for (const { line, product_no, ip, username } of lines) {
    const product = products.get(product_no)
    if (!product) bad.push({ line, message: `product_no ${product_no} does not exist` })
    else if (isDynamic(product.proxyType))
      bad.push({ line, message: `product_no ${product_no} is sold by traffic, not per IP` })
    else {
      // An exclusive proxy is the only one on its address; a shared address has one seat per username.
      const seat = seatOf(product.productType, username)
      const taken = seatsOf(ip)
      if (taken.has(seat) || (seat === '' ? taken.size > 0 : taken.has(''))) {
        bad.push({ line, message: `ip ${ip} is in the stock or in this file already` })
      }
      taken.add(seat)
    }
  }
  return bad
}

function seatOf(productType: number, username: string): string {
  return productType === 2 ? username : ''
}

async function insert(tx: Tx, lines: readonly Line[], now: Date): Promise<void> {
  const json = JSON.stringify(lines)
  await tx.$executeRaw`
    INSERT OR IGNORE INTO locations (product_id, country_code, state, city_code)
    SELECT DISTINCT p.id, j.value ->> 'country_code', j.value ->> 'state', j.value ->> 'city_code'
    FROM json_each(${json}) j JOIN products p ON p.product_no = j.value ->> 'product_no'`
  await tx.$executeRaw`
    INSERT INTO stock_ips (location_id, ip, port, username, password, cidr, seat, created_at)
    SELECT l.id, j.value ->> 'ip', CAST(j.value ->> 'port' AS INTEGER), j.value ->> 'username', j.value ->> 'password',
           j.value ->> 'cidr', iif(p.product_type = 2, j.value ->> 'username', ''), ${now}
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
