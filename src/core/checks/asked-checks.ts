import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { refreshScreens } from '../chats/refresh-screens.ts'

/** The time of the next check of a proxy for which somebody waits: before that of all others. */
export const ASKED = new Date(0).toISOString()
/** Screens of an order under test are redrawn no more often. */
const REDRAWN_MS = 2_000

const TEST = 'test:'

/** The value of `follows` for a screen that shows the test of an order. */
export function followedTest(orderId: number): string {
  return `${TEST}${orderId}`
}

/** The order whose test a screen follows; undefined when it follows something else. */
export function orderOfFollowed(follows: string): number | undefined {
  return follows.startsWith(TEST) ? Number(follows.slice(TEST.length)) : undefined
}

/** Has proxies checked as soon as possible. */
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

/** Has the screens redrawn that follow the test of an order: now and then, and at once when it is over. */
export async function redrawTest(deps: CoreDeps, tx: Tx, orderId: number): Promise<void> {
  const isOver = (await findAsked(tx, { orderId })).length === 0
  const [state, afterMs] = isOver ? ['over', 0] : ['under way', REDRAWN_MS]
  await refreshScreens(deps, tx, followedTest(orderId), state, afterMs)
}

const findAsked = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('instances')
    .select('id')
    .where('orderId', '=', orderId)
    .where('status', '=', 'active')
    .where('nextCheckAt', '=', ASKED)
    .limit(1),
)
