import { expressionBuilder, type Selectable, type Updateable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { WatchedWallet } from './payment-network.ts'
import { addsWork } from '../jobs/added-work.ts'

/** A wallet and the token that it takes, on a network by its id: what is stored of scans is stored for it. */
export interface Watched extends WatchedWallet {
  readonly network: string
}

/** What is known of the scans for one wallet and token. */
export type ScanState = Omit<
  Selectable<DB['chainScans']>,
  'id' | 'balanceUnits' | 'reconciledAt' | 'wantedScan'
>

const { eb, and } = expressionBuilder<DB, 'chainScans'>()

/** Condition: the row is that of this wallet and token. */
export function isOf({ network, wallet, contract }: Watched) {
  return and([eb('network', '=', network), eb('wallet', '=', wallet), eb('contract', '=', contract)])
}

/** Reads what is stored of the scans for a wallet and token; undefined before the first one. */
export function findScan(db: Readable, watched: Watched): Promise<ScanState | undefined> {
  return db.$kysely
    .selectFrom('chainScans')
    .select([
      'network',
      'wallet',
      'contract',
      'watermark',
      'cursor',
      'lastSuccessAt',
      'lastSweepAt',
      'scans',
      'fault',
      'createdAt',
    ])
    .where(isOf(watched))
    .executeTakeFirst()
}

/**
 * Begins the scans for a wallet and token, unless they have begun.
 *
 * @param since block time up to which everything counts as known
 */
export async function beginScans(tx: Tx, { network, wallet, contract }: Watched, since: Date): Promise<void> {
  await tx.$kysely
    .insertInto('chainScans')
    .values({ network, wallet, contract, watermark: since, createdAt: since })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Changes what is stored of the scans for a wallet and token. */
export async function updateScan(
  tx: Tx,
  watched: Watched,
  change: Updateable<DB['chainScans']>,
): Promise<void> {
  await tx.$kysely.updateTable('chainScans').set(change).where(isOf(watched)).execute()
}

/** Stores how a scan has ended, for requests that wait for it in other servers. */
export async function endScan(
  tx: Tx,
  watched: Watched,
  end: { readonly lastSuccessAt?: Date; readonly fault: string | null },
): Promise<void> {
  await tx.$kysely
    .updateTable('chainScans')
    .set(({ eb }) => ({ ...end, scans: eb('scans', '+', 1) }))
    .where(isOf(watched))
    .execute()
}

/**
 * Asks the server that scans for one more scan: at once, unless one runs.
 *
 * @returns the number of scans that have ended until now
 */
export async function wantScan(tx: Tx, watched: Watched): Promise<number> {
  const { scans } = await tx.$kysely
    .updateTable('chainScans')
    .set(({ eb }) => ({ wantedScan: eb('scans', '+', 1) }))
    .where(isOf(watched))
    .returning('scans')
    .executeTakeFirstOrThrow()
  addsWork(tx, 'chain')
  return scans
}
