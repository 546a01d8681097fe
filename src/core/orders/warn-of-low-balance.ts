import { compiled } from '../database/compiled.ts'
import { type ExpirySpan, renewsWithin } from './self-renewing.ts'
import { renewalOutlook } from './upcoming-renewals.ts'
import { happened } from '../facts/happened.ts'
import type { FactOf } from '../facts/facts.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Days of automatic renewals that a balance should cover. */
const DAYS = 7

/**
 * Sweep of the loop: warns users whose balance does not cover the automatic renewals of the next week; once for each day on which it
 * first falls short.
 */
export async function warnOfLowBalance(deps: Essentials): Promise<void> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + DAYS * 24 * 60 * 60_000)
  const span = { after: now.toISOString(), until: until.toISOString() }
  const users = await usersRenewing(deps.db.read, span)
  const low: FactOf<'balance.low'>[] = []
  for (const { id: userId } of users) {
    const { balance, needed, unpaidFrom } = await renewalOutlook(deps.db.read, now, userId, span)
    if (unpaidFrom === undefined) continue
    low.push({ kind: 'balance.low', userId, balance, needed, until: unpaidFrom })
  }
  if (low.length > 0) await deps.db.write(async (tx) => happened(tx, ...low))
}

/** Users with automatic renewals in the span, if they or their agents have a chat or a webhook. */
const usersRenewing = compiled<ExpirySpan>()((db, { after, until }) =>
  db
    .selectFrom('accounts as u')
    .select('u.id')
    .where('u.status', '=', 'active')
    .where(({ exists, selectFrom, or }) =>
      or([
        exists(
          selectFrom('chats as c')
            .select('c.id')
            .where(({ eb, ref }) => eb('c.accountId', 'in', [ref('u.id'), ref('u.agentId')])),
        ),
        exists(
          selectFrom('webhooks as w')
            .select('w.id')
            .where(({ eb, ref }) => eb('w.accountId', 'in', [ref('u.id'), ref('u.agentId')]))
            .where('w.status', '=', 'active'),
        ),
      ]),
    )
    .where('u.id', 'in', ({ selectFrom }) =>
      selectFrom('instances as i').select('i.userId').where(renewsWithin({ after, until })),
    )
    .orderBy('u.id'),
)
