import type { Actor } from '../../src/core/access.ts'
import { webhookBody } from '../../src/api/wire/webhook-event.ts'
import type { Service } from './service.ts'

/** An event as its body tells it. */
export interface Told {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Lets a webhook of an account listen, to which nobody delivers; answers what it was told since the last look, oldest first. */
export async function listening({ core }: Pick<Service, 'core'>, actor: Actor) {
  const { id } = await core.webhooks.create(actor, { url: 'https://example.com/hook' })
  let seen = 0
  return async (): Promise<Told[]> => {
    const { items, total } = await core.webhooks.deliveries(actor, id, { pageSize: 100 })
    const bodies = items
      .slice(0, total - seen)
      .map(({ event, createdAt }) => webhookBody(event, createdAt))
      .toReversed()
    seen = total
    return bodies.map((body) => JSON.parse(body) as Told)
  }
}
