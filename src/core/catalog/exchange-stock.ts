import { compiled, compiledByShape, type Placeholders } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
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
 * Takes another free proxy of the same product and place for an order, and lays the one that it replaces aside (rules 5.22): off
 * sale, and without the credentials that the customer knows. From another network where there is one.
 *
 * @returns undefined when the place has no free proxy; nothing is changed then
 */
export async function exchangeStock(tx: Tx, old: HeldProxy): Promise<StockProxy | undefined> {
  const held = { orderId: old.orderId, oldId: Number(old.providerInstanceNo) }
  const [far] = await takeEqual(tx, { near: false }, held)
  const [taken] = far ? [far] : await takeEqual(tx, { near: true }, held)
  if (!taken) return undefined
  await layStockAside(tx, old)
  const [proxy] = await readProxy(tx, { id: taken.id })
  return proxy
}

/** Whether {@link exchangeStock} would find one. */
export async function hasEqualStock(db: Queryable, old: HeldProxy): Promise<boolean> {
  return (await findEqual(db, { orderId: old.orderId, oldId: Number(old.providerInstanceNo) })).length > 0
}

/** Frees a proxy that is dead, and takes it off sale for good: only the operator puts it back. */
export async function layStockAside(tx: Tx, { orderId, providerInstanceNo }: HeldProxy): Promise<void> {
  await layAside(tx, { orderId, id: Number(providerInstanceNo) })
}

interface Held {
  readonly orderId: number
  /** Of the proxy to be replaced. */
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
    .orderBy('s.position')
    .limit(1)
  return near ? free : free.where('s.network', '<>', ofOld('network') as never)
}

const findEqual = compiled<Held>()((db, held) => equalIds(db, true, held))

const takeEqual = compiledByShape<Nearness, Held>()((db, { near }, held) =>
  db
    .updateTable('stockIps')
    .set({ orderId: held.orderId })
    .where('id', 'in', equalIds(db, near, held))
    .returning('id'),
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
    .select(['s.id as stockId', 's.ip', 's.port', 's.username', 's.password', 's.cidr'])
    .select(['l.countryCode', 'l.state', 'l.cityCode'])
    .where('s.id', '=', id),
)
