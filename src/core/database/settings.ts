import { randomBytes } from 'node:crypto'
import { compiled } from './compiled.ts'
import type { Database, Readable, Tx } from './database.ts'
import type { Clock } from '../clock.ts'

const ORIGIN = 'origin'
/** Value of the setting once the demo data is complete; until then, the time at which it was begun. */
const SANDBOX = 'sandbox'

/** Dependencies for reading and writing settings. */
export interface Stored {
  readonly db: Database
}

/** Returns what filled this database: nothing yet, the sandbox (its demo accounts have public passwords), or a real operator. */
export async function databaseOrigin({ db }: Stored): Promise<'empty' | 'sandbox' | 'production'> {
  if ((await readSetting({ db }, ORIGIN)) !== undefined) return 'sandbox'
  const account = await db.read.$kysely.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  const product = await db.read.$kysely.selectFrom('products').select('id').limit(1).executeTakeFirst()
  return account || product ? 'production' : 'empty'
}

/**
 * Marks the database permanently as the sandbox's.
 *
 * @returns when it was marked; undefined once its demo data is complete
 */
export async function claimForSandbox({
  db,
  clock,
}: Stored & { readonly clock: Clock }): Promise<Date | undefined> {
  const value = await db.write((tx) => keepSetting(tx, ORIGIN, clock.now().toISOString()))
  return value === SANDBOX ? undefined : new Date(value)
}

/** Records that the demo data is complete. */
export async function completeSandbox({ db }: Stored): Promise<void> {
  await db.write((tx) => writeSetting(tx, ORIGIN, SANDBOX))
}

/** Returns a setting that the service stores in this database; undefined when it is not set. */
export async function readSetting(
  { db }: { readonly db: { readonly read: Readable } },
  key: string,
): Promise<string | undefined> {
  const [setting] = await findSetting(db.read, { key })
  return setting?.value
}

/** Sets or replaces a setting. */
export async function writeSetting(tx: Tx, key: string, value: string): Promise<void> {
  await replaceSetting(tx, { key, value })
}

/** Removes a setting. */
export async function dropSetting(tx: Tx, key: string): Promise<void> {
  await deleteSetting(tx, { key })
}

/**
 * Sets a setting unless it is set already.
 *
 * @returns its value now: the earlier one if there was one
 */
export async function keepSetting(tx: Tx, key: string, value: string): Promise<string> {
  await addSetting(tx, { key, value })
  const [kept] = await findSetting(tx, { key })
  return kept?.value ?? value
}

const WRITE_TRIAL = 'write_trial'
/** About as many pages of the database as an order writes; random, so that nothing makes it smaller. */
const TRIAL_BYTES = 48 * 1024

/**
 * Writes as much as a customer's order does.
 *
 * @throws unavailable when that cannot be done
 */
export async function tryWrite({ db }: Stored): Promise<void> {
  const value = randomBytes(TRIAL_BYTES).toString('base64')
  await db.write((tx) => writeSetting(tx, WRITE_TRIAL, value))
}

interface Setting {
  readonly key: string
  readonly value: string
}

const findSetting = compiled<{ key: string }>()((db, { key }) =>
  db.selectFrom('settings').select('value').where('key', '=', key),
)

const deleteSetting = compiled<{ key: string }>()((db, { key }) =>
  db.deleteFrom('settings').where('key', '=', key),
)

const addSetting = compiled<Setting>()((db, { key, value }) =>
  db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((same) => same.column('key').doNothing()),
)

const replaceSetting = compiled<Setting>()((db, { key, value }) =>
  db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((same) => same.column('key').doUpdateSet({ value })),
)
