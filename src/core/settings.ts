import type { Tx } from './database/database.ts'
import type { CoreDeps } from './deps.ts'

const ORIGIN = 'origin'

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

/** Marks the database as the sandbox's, for ever. */
export async function claimForSandbox({ db }: CoreDeps): Promise<void> {
  await db.write((tx) =>
    tx.setting.upsert({ where: { key: ORIGIN }, create: { key: ORIGIN, value: 'sandbox' }, update: {} }),
  )
}

/** Something that the service itself remembers in this database. */
export async function readSetting({ db }: CoreDeps, key: string): Promise<string | undefined> {
  return (await db.read.setting.findUnique({ where: { key } }))?.value
}

export async function writeSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx.setting.upsert({ where: { key }, create: { key, value }, update: { value } })
}
