import { literal } from '../database/dialect.ts'
import { every } from '../jobs/every.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import { tellIncident } from './tell-incident.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Time in ms that a delivery to a working webhook is overdue before the operator is told (rules 19.9). */
const LATE_MS = 15 * 60_000
const LOOK_MS = 60_000

/**
 * Makes the sweep of the job loop that tells the operator that deliveries stand still or pile up; once for each incident, and again
 * when it is over. Webhooks that fail do not count: their accounts see that in the log. Deliveries from before the start of this
 * process are given the same time.
 */
export function lateDeliveryAlarm(deps: Essentials): () => Promise<void> {
  const started = deps.clock.now().getTime()
  return every(LOOK_MS, deps.clock, async () => {
    const before = deps.clock.now().getTime() - LATE_MS
    if (before < started || !(await isAnybodyTold(deps))) return
    const { since, webhooks } = await late(deps, new Date(before).toISOString())
    await tellIncident(deps, {
      key: 'webhooks_late',
      wrong: since !== null,
      since: since ?? undefined,
      news: ({ wrong, subject, since: begun }) =>
        wrong
          ? { kind: 'webhooks_late', subject, data: { since: begun, webhooks } }
          : { kind: 'webhooks_back', subject, data: { since: begun } },
    })
  })
}

async function late({ db }: Essentials, before: string) {
  return db.read.$kysely
    .selectFrom('webhooks as w')
    .innerJoin('accounts as a', 'a.id', 'w.accountId')
    .crossJoin('webhookDeliveries as d')
    .select(({ fn }) => [fn.min('d.nextAt').as('since'), fn.count<number>('w.id').distinct().as('webhooks')])
    .whereRef('d.webhookId', '=', 'w.id')
    .where('w.status', '=', 'active')
    .where('w.failingSince', 'is', null)
    .where('a.status', '=', 'active')
    .where('d.status', '=', literal('waiting'))
    .where('d.nextAt', '<', before)
    .executeTakeFirstOrThrow()
}
