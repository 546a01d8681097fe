import type { Selectable, Updateable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { WatchedWallet } from './record-receipt.ts'
import { addsWork } from '../jobs/added-work.ts'

/** What is known of the scans for one wallet and token. */
export type ScanState = Omit<
  Selectable<DB['chainScans']>,
  'id' | 'balanceUnits' | 'reconciledAt' | 'wantedScan'
>

/** Reads what is stored of the scans for a wallet and token; undefined before the first one. */
export function findScan(db: Readable, { wallet, contract }: WatchedWallet): Promise<ScanState | undefined> {
  return db.$kysely
    .selectFrom('chainScans')
    .select([
      'wallet',
      'contract',
      'watermark',
      'lastSuccessAt',
      'lastSweepAt',
      'scans',
      'fault',
      'createdAt',
    ])
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .executeTakeFirst()
}

/**
 * Begins the scans for a wallet and token, unless they have begun.
 *
 * @param since block time up to which everything counts as known
 */
export async function beginScans(tx: Tx, { wallet, contract }: WatchedWallet, since: Date): Promise<void> {
  await tx.$kysely
    .insertInto('chainScans')
    .values({ wallet, contract, watermark: since, createdAt: since })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Changes what is stored of the scans for a wallet and token. */
export async function updateScan(
  tx: Tx,
  { wallet, contract }: WatchedWallet,
  change: Updateable<DB['chainScans']>,
): Promise<void> {
  await tx.$kysely
    .updateTable('chainScans')
    .set(change)
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .execute()
}

/** Stores how a scan has ended, for requests that wait for it in other servers. */
export async function endScan(
  tx: Tx,
  { wallet, contract }: WatchedWallet,
  end: { readonly lastSuccessAt?: Date; readonly fault: string | null },
): Promise<void> {
  await tx.$kysely
    .updateTable('chainScans')
    .set(({ eb }) => ({ ...end, scans: eb('scans', '+', 1) }))
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .execute()
}

/**
 * Asks the server that scans for one more scan: at once, unless one runs.
 *
 * @returns the number of scans that have ended until now
 */
export async function wantScan(tx: Tx, { wallet, contract }: WatchedWallet): Promise<number> {
  const { scans } = await tx.$kysely
    .updateTable('chainScans')
    .set(({ eb }) => ({ wantedScan: eb('scans', '+', 1) }))
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .returning('scans')
    .executeTakeFirstOrThrow()
  addsWork(tx, 'chain')
  return scans
}
