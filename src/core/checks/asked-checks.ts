import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { Queries } from '../database/queries.ts'
import { listOf } from '../database/dialect.ts'
import { happened } from '../facts/happened.ts'

/** The time of the next check of a proxy for which somebody waits: before that of all others. */
export const ASKED = new Date(0).toISOString()
/** Makes checks of proxies due before all others. */
export async function askForChecks(tx: Tx, ids: readonly number[]): Promise<void> {
  await setAsked(tx, { ids })
}

const setAsked = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .updateTable('instances')
    .set({ nextCheckAt: ASKED })
    .where('id', 'in', listOf(ids))
    .where('status', '=', 'active'),
)

/** Emits the fact that the test of an order, and of all proxies of its user, has progressed, or is over. */
export async function noteTest(tx: Tx, orderId: number, userId: number): Promise<void> {
  const isOver = (await findAsked(tx, { orderId })).length === 0
  const areAllOver = isOver && (await findAskedOf(tx, { userId })).length === 0
  happened(tx, { kind: 'test.progressed', orderId, userId, isOver, areAllOver })
}

const asked = (db: Queries) =>
  db
    .selectFrom('instances')
    .select('id')
    .where('status', '=', 'active')
    .where('nextCheckAt', '=', ASKED)
    .limit(1)

const findAsked = compiled<{ orderId: number }>()((db, { orderId }) =>
  asked(db).where('orderId', '=', orderId),
)
const findAskedOf = compiled<{ userId: number }>()((db, { userId }) => asked(db).where('userId', '=', userId))
