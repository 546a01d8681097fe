import type { Tx } from './database/database.ts'
import type { CoreDeps } from './deps.ts'

const ORIGIN = 'origin'
/** Until the demo data is complete, the time at which it was begun stands there. */
const SANDBOX = 'sandbox'

/**
 * What made this database: nobody yet, the sandbox (its demo accounts have public passwords), or a real operator.
 */
export async function databaseOrigin({ db }: CoreDeps): Promise<'empty' | 'sandbox' | 'production'> {
  const setting = await db.read.setting.findUnique({ where: { key: ORIGIN } })
  if (setting) return 'sandbox'
  return (await db.read.account.count()) === 0 && (await db.read.product.count()) === 0
    ? 'empty'
    : 'production'
}

/**
 * Marks the database as the sandbox's, for ever.
 *
 * @returns when that was, as long as its demo data is not complete
 */
export async function claimForSandbox({ db, clock }: CoreDeps): Promise<Date | undefined> {
  const { value } = await db.write((tx) =>
    tx.setting.upsert({
      where: { key: ORIGIN },
      create: { key: ORIGIN, value: clock.now().toISOString() },
      update: {},
    }),
  )
  return value === SANDBOX ? undefined : new Date(value)
}

/** The demo data is complete. */
export async function completeSandbox({ db }: CoreDeps): Promise<void> {
  await db.write((tx) => writeSetting(tx, ORIGIN, SANDBOX))
}

/** Something that the service itself remembers in this database. */
export async function readSetting({ db }: CoreDeps, key: string): Promise<string | undefined> {
  return (await db.read.setting.findUnique({ where: { key } }))?.value
}

export async function writeSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx.setting.upsert({ where: { key }, create: { key, value }, update: { value } })
}
