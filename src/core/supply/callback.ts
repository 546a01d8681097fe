import { createHash, timingSafeEqual } from 'node:crypto'
import { compiled } from '../database/compiled.ts'
import { DRIVER_NAMES } from './driver.ts'
import { addsWork } from '../jobs/added-work.ts'
import type { SupplyDeps } from './deps.ts'

/** Returns the secret in the address to which a supplier sends its callbacks (rules 11.15). */
export function callbackSecret({ supplierSecrets }: SupplyDeps, connectionId: number): string {
  return supplierSecrets.digest(`callback ${connectionId}`)
}

/**
 * Takes a callback of a supplier. It proves nothing: the call that it names is looked up at once instead of later.
 *
 * @returns the body of the answer that the supplier expects; undefined when no connection has this address
 */
export async function takeCallback(
  deps: SupplyDeps,
  name: string,
  secret: string,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly answer: unknown } | undefined> {
  const [connection] = await findConnection(deps.db.read, { name })
  // Compared even without a connection, so that the response time does not reveal which names exist.
  const isRight = same(secret, callbackSecret(deps, connection?.id ?? 0))
  const driver = DRIVER_NAMES.find((known) => known === connection?.driver)
  const callback = driver && deps.drivers[driver]?.callback
  if (!connection || !isRight || !callback) return undefined
  const subject = callback.subject(query)
  if (subject !== undefined) await lookUpNow(deps, connection.id, subject)
  return { answer: callback.answer }
}

/** Compares in a time that does not depend on where the texts differ. */
function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const findConnection = compiled<{ name: string }>()((db, { name }) =>
  db.selectFrom('supplierConnections').select(['id', 'driver']).where('name', '=', name),
)

async function lookUpNow(deps: SupplyDeps, connectionId: number, subject: string): Promise<void> {
  const now = deps.clock.now().toISOString()
  const waiting = await waitingCalls(deps.db.read, { connectionId, subject, now })
  if (waiting.length === 0) return
  await deps.db.write(async (tx) => {
    for (const { id } of waiting) await makeDue(tx, { id, now })
    addsWork(tx, 'supplier_calls')
  })
}

/** Calls that were sent and are looked up later; a union, so that each number is found by its own index. */
const waitingCalls = compiled<{ connectionId: number; subject: string; now: string }>()((
  db,
  { connectionId, subject, now },
) => {
  const calls = db
    .selectFrom('supplierCalls')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('state', '<>', 'intended')
    .where('nextAt', '>', now)
  return calls.where('callNo', '=', subject).union(calls.where('providerOrderNo', '=', subject))
})

const makeDue = compiled<{ id: number; now: string }>()((db, { id, now }) =>
  db
    .updateTable('supplierCalls')
    .set({ nextAt: now })
    .where('id', '=', id)
    .where('state', '<>', 'intended')
    .where('nextAt', '>', now),
)
