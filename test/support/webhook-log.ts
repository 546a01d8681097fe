import type { Actor } from '../../src/core/access/actor.ts'
import { webhookBody } from '../../src/api/wire/webhook-event.ts'
import type { Service } from './service.ts'

/** An event as its body tells it. */
export interface Told {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The first body of each type that was told in this file of tests. */
export const FIRST_BODIES = new Map<string, Told>()

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
    const told = bodies.map((body) => JSON.parse(body) as Told)
    for (const each of told) if (!FIRST_BODIES.has(each.type)) FIRST_BODIES.set(each.type, each)
    return told
  }
}
