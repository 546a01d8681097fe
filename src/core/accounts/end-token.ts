import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { every } from '../jobs/every.ts'
import type { AccountDeps } from './deps.ts'

const SWEEP_MS = 60 * 60_000
/** Rows deleted in one transaction; small, so that other writes are not delayed. */
const BATCH = 500

/**
 * Ends an access token before its time (rules 1.18). Ending it twice is no error.
 *
 * @throws token_invalid for a token of somebody else
 */
export async function endToken({ db, tokens }: AccountDeps, actor: Actor, token: string): Promise<void> {
  const claims = tokens.read(token)
  if (claims?.accountId !== actor.id) throw new ServiceError('token_invalid')
  const { hash: tokenHash, expiresAt } = claims
  await db.write(async (tx) => {
    happened(tx, { kind: 'account.logged_out', actor })
    await tx.$kysely
      .insertInto('endedTokens')
      .values({ tokenHash, accountId: actor.id, expiresAt })
      .onConflict((known) => known.doNothing())
      .execute()
  })
}

/** Sweep of the job loop: deletes ended tokens that would have expired by now. */
export function endedTokenSweep({ db, clock }: AccountDeps): () => Promise<void> {
  return every(SWEEP_MS, clock, async () => {
    const before = clock.now().toISOString()
    for (;;) {
      const deleted = await db.write((tx) => deleteTokens(tx, { before }))
      if (deleted.length < BATCH) return
    }
  })
}

const deleteTokens = compiled<{ before: string }>()((db, { before }) =>
  db
    .deleteFrom('endedTokens')
    .where('tokenHash', 'in', ({ selectFrom }) =>
      selectFrom('endedTokens').select('tokenHash').where('expiresAt', '<', before).limit(BATCH),
    )
    .returning('tokenHash'),
)
