import { secondsSince } from '../clock.ts'
import { literal } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Deliveries that webhooks which are on have not got yet. */
export interface WebhookBacklog {
  readonly waiting: number
  /** Age of the oldest event, in seconds. */
  readonly oldestSeconds: number
  /** Seconds since the earliest due time of a delivery: grows when the deliveries stand still, or cannot keep up. */
  readonly overdueSeconds: number
}

/** Counts what waits to be delivered. */
export async function webhookBacklog({ db, clock }: Essentials): Promise<WebhookBacklog> {
  const { waiting, oldest, due } = await db.read.$kysely
    .selectFrom('webhooks as w')
    .crossJoin('webhookDeliveries as d')
    .whereRef('d.webhookId', '=', 'w.id')
    .where('w.status', '=', 'active')
    .where('d.status', '=', literal('waiting'))
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.min('d.createdAt').as('oldest'),
      fn.min('d.nextAt').as('due'),
    ])
    .executeTakeFirstOrThrow()
  return {
    waiting,
    oldestSeconds: oldest ? secondsSince(clock, oldest) : 0,
    overdueSeconds: due ? Math.max(0, secondsSince(clock, due)) : 0,
  }
}
