import { compiled, compiledByShape, type Placeholders } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { withIds } from '../database/dialect.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import type { StockProxy } from './stock.ts'
import { isFree } from './stock-conditions.ts'

/** A proxy of the stock that an order holds, by the number that its instance carries. */
interface HeldProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
}

/** Whether the proxy may be in the network of the old one, in which more may be dead. */
interface Nearness {
  readonly near: boolean
}

/**
 * Takes another free proxy of the same product and place for an order, and takes the one that it replaces off sale for good
 * (rules 5.22).
 *
 * @param equal the id of the proxy to take; by default that of {@link equalStock}
 * @returns undefined when the place has no free proxy, or `equal` is not free any more; nothing is changed then
 */
export async function exchangeStock(tx: Tx, old: HeldProxy, equal?: string): Promise<StockProxy | undefined> {
  const id = equal === undefined ? (await equalStock(tx, old))?.stockId : Number(equal)
  const [taken] = id === undefined ? [] : await take(tx, { id, orderId: old.orderId })
  if (!taken) return undefined
  await layStockAside(tx, old)
  const [proxy] = await readProxy(tx, taken)
  return proxy
}

/** Returns the free proxy that would replace another one: from another network where there is one. */
export async function equalStock(db: Queryable, old: HeldProxy): Promise<StockProxy | undefined> {
  const held = { orderId: old.orderId, oldId: Number(old.providerInstanceNo) }
  const [far] = await findEqual(db, { near: false }, held)
  const [found] = far ? [far] : await findEqual(db, { near: true }, held)
  const [proxy] = found ? await readProxy(db, found) : []
  return proxy
}

/** Takes a free proxy that is dead off sale; one that was sold meanwhile stays as it is. */
export async function withdrawStock(tx: Tx, providerInstanceNo: string): Promise<void> {
  await withdraw(tx, { id: Number(providerInstanceNo) })
}

/** Frees a proxy that is dead, and takes it off sale for good: only the operator puts it back. */
export async function layStockAside(tx: Tx, { orderId, providerInstanceNo }: HeldProxy): Promise<void> {
  await layAside(tx, { orderId, id: Number(providerInstanceNo) })
}

interface Held {
  readonly orderId: number
  /** Id of the proxy to be replaced. */
  readonly oldId: number
}

function equalIds(db: Queries, near: boolean, { orderId, oldId }: Placeholders<Held>) {
  const ofOld = (column: 'locationId' | 'network') =>
    db.selectFrom('stockIps as old').select(`old.${column}`).where('old.id', '=', oldId)
  const free = db
    .selectFrom('stockIps as s')
    .select('s.id')
    .where('s.locationId', '=', ofOld('locationId') as never)
    .where(isFree)
    // An order keeps a record of each address that it had, and gets none twice.
    .where(({ not, exists, cast, ref, selectFrom }) =>
      not(
        exists(
          selectFrom('instances as i')
            .select('i.id')
            .where('i.orderId', '=', orderId)
            .where('i.providerInstanceNo', '=', cast<string>(ref('s.id'), 'text')),
        ),
      ),
    )
    .orderBy(({ ref }) => withIds(ref('s.position'), ref('s.id')))
    .limit(1)
  return near ? free : free.where('s.network', '<>', ofOld('network') as never)
}

const findEqual = compiledByShape<Nearness, Held>()((db, { near }, held) => equalIds(db, near, held))

const take = compiled<{ id: number; orderId: number }>()((db, { id, orderId }) =>
  db.updateTable('stockIps as s').set({ orderId }).where('s.id', '=', id).where(isFree).returning('id'),
)

const withdraw = compiled<{ id: number }>()((db, { id }) =>
  db.updateTable('stockIps as s').set({ resting: true, disabled: true }).where('s.id', '=', id).where(isFree),
)

const layAside = compiled<{ orderId: number; id: number }>()((db, { orderId, id }) =>
  db
    .updateTable('stockIps')
    .set({ orderId: null, resting: true, disabled: true })
    .where('id', '=', id)
    .where('orderId', '=', orderId),
)

const readProxy = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .select(['s.id as stockId', 's.ip', 's.port', 's.username', 's.password', 's.cidr', 's.monthlyCost'])
    .select(['l.countryCode', 'l.state', 'l.cityCode'])
    .where('s.id', '=', id),
)
