import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Readable } from '../database/database.ts'
import { type Health, HEALTH } from '../checks/health.ts'
import { anyOf, beginsWith } from '../database/dialect.ts'
import { type PastedProxy, pastedProxy } from '../orders/search-static-orders.ts'
import { INSTANCE_STATUSES } from '../orders/static-order.ts'
import { type HeldOf, record, Time } from '../record.ts'

/** A proxy that a customer has or had. */
export const FoundProxyRecord = record({
  kind: z.literal('proxy'),
  instanceNo: z.string(),
  orderNo: z.string(),
  username: z.string(),
  /** The present address, which a replacement has changed. */
  ip: z.string(),
  port: z.int(),
  status: z.enum(INSTANCE_STATUSES),
  expireTime: Time,
})
export type FoundProxy = HeldOf<typeof FoundProxyRecord> & { readonly health: Health }

/** A proxy of the stock that nobody has. */
export const FoundStockRecord = record({
  kind: z.literal('stock'),
  ip: z.string(),
  port: z.int(),
  state: z.enum(['free', 'resting', 'off_sale']),
  productNo: z.string(),
})
export type FoundStock = HeldOf<typeof FoundStockRecord>

const MOST = 10

const { eb, ref, and, or, selectFrom } = expressionBuilder<DB & { i: DB['instances'] }, 'i'>()

/**
 * Finds proxies by an address or a line with one, those in use first; also by the address that one had before it was replaced. A
 * username narrows it down where a proxy has it; a password, which may have changed, does not. Any other text is taken as the number of
 * a proxy.
 */
export async function proxiesAt(db: Readable, text: string): Promise<FoundProxy[]> {
  const proxy = pastedProxy(text)
  if (!proxy) return proxiesThat(db, eb('i.instanceNo', '=', text.toUpperCase()))
  const { username } = proxy
  const exact =
    username === null ? [] : await proxiesThat(db, and([isAt(proxy), eb('i.username', '=', username)]))
  return exact.length > 0 ? exact : proxiesThat(db, anyOf([isAt(proxy), wasAt(proxy)]))
}

function isAt({ ip, port }: PastedProxy): Expression<SqlBool> {
  return and([eb('i.ip', '=', ip), ...(port === null ? [] : [eb('i.port', '=', port)])])
}

function wasAt({ ip, port }: PastedProxy): Expression<SqlBool> {
  const replaced = selectFrom('replacements').select('instanceId').where('oldIp', '=', ip)
  return eb('i.id', 'in', port === null ? replaced : replaced.where('oldPort', '=', port))
}

/** Finds proxies whose address or number begins with the text. */
export async function proxiesLike(db: Readable, text: string): Promise<FoundProxy[]> {
  if (/^[\d.]+$|:/.test(text)) return proxiesThat(db, beginsWith(ref('i.ip'), text.toLowerCase()))
  const number = text.toUpperCase()
  return /^[A-Z]\d/.test(number) ? proxiesThat(db, or([beginsWith(ref('i.instanceNo'), number)])) : []
}

async function proxiesThat({ $kysely }: Readable, condition: Expression<SqlBool>): Promise<FoundProxy[]> {
  const found = await $kysely
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .select(['i.instanceNo', 'o.orderNo', 'u.username', 'i.ip', 'i.port', 'i.status', 'i.expireTime'])
    .select(HEALTH.as('health'))
    .where(condition)
    .orderBy((proxy) => proxy('i.status', '=', 'active'), 'desc')
    .orderBy('i.id', 'desc')
    .limit(MOST)
    .execute()
  return found.map((proxy) => ({ kind: 'proxy', ...proxy }))
}

/** Finds proxies of the stock at an address that belong to no order. */
export async function stockAt({ $kysely }: Readable, text: string): Promise<FoundStock[]> {
  const proxy = pastedProxy(text)
  if (!proxy) return []
  const found = await $kysely
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select(['s.ip', 's.port', 's.disabled', 's.resting', 'p.productNo'])
    .where('s.ip', '=', proxy.ip)
    .where('s.orderId', 'is', null)
    .orderBy('s.id')
    .limit(MOST)
    .execute()
  return found
    .filter(({ port }) => proxy.port === null || port === proxy.port)
    .map(({ disabled, resting, ...stock }) => ({
      kind: 'stock',
      ...stock,
      state: disabled ? 'off_sale' : resting ? 'resting' : 'free',
    }))
}
