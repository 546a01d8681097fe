import type { Updateable } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { once } from '../requests/once.ts'
import { type Page, paging } from '../page.ts'
import { RequestKey } from '../requests/request-key.ts'
import { ALL_EVENTS, EVENT_CHOICES } from './events.ts'
import { newWebhookSecret } from './signature.ts'
import { webhookUrl } from './webhook-url.ts'
import { secretOwner, selectWebhooks, type Webhook } from './webhook.ts'
import { addsWork } from '../jobs/added-work.ts'
import type { WebhookDeps } from './deps.ts'

/** Maximum number of webhooks of one account. */
export const MOST_WEBHOOKS = 10
/** Time in ms for which the former secret holds, too (rules 19.5). */
const OLD_SECRET_MS = 24 * 60 * 60_000

const Events = z.array(z.enum(EVENT_CHOICES)).min(1, 'no_event_chosen').max(EVENT_CHOICES.length)
const Description = z.string().trim().max(100)

export const NewWebhook = z.object({
  /** Checked by {@link webhookUrl}, which knows the configuration. */
  url: z.string(),
  /** Events that it is told; all when missing. */
  events: Events.nullish(),
  description: Description.nullish(),
})

export const WebhookChange = z.object({
  url: z.string().optional(),
  events: Events.optional(),
  description: Description.optional(),
  enabled: z.boolean().optional(),
})

const WebhookCreation = NewWebhook.extend({ requestKey: RequestKey.nullish() })

/**
 * Creates a webhook of an account (rules 19.1).
 *
 * @returns the record, and the secret: it is shown once, and stored encrypted
 * @throws idempotency_conflict, validation_error, also for more than {@link MOST_WEBHOOKS} (`too_many_webhooks`)
 */
export async function createWebhook(
  deps: WebhookDeps,
  actor: Actor,
  input: z.input<typeof WebhookCreation>,
): Promise<Webhook & { readonly secret: string; readonly replayed: boolean }> {
  const { requestKey, ...terms } = parseInput(addressed(deps, WebhookCreation), input)
  return once(deps, actor, { key: requestKey, kind: 'create_webhook', input: terms }, async (tx) => {
    const { count } = await tx.$kysely
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('accountId', '=', actor.id)
      .where('status', '<>', 'deleted')
      .executeTakeFirstOrThrow()
    if (count >= MOST_WEBHOOKS) throw InvalidInput.of('url', 'too_many_webhooks')
    const now = deps.clock.now()
    const secret = newWebhookSecret()
    const id = await insertWebhook(tx, {
      accountId: actor.id,
      url: terms.url,
      description: terms.description ?? '',
      events: JSON.stringify(inOrder(terms.events ?? ALL_EVENTS)),
      secret: deps.webhooks.secrets.seal(secret, secretOwner(actor.id)),
      createdAt: now,
      updatedAt: now,
    })
    happened(tx, { kind: 'webhook.created', actor, webhookId: id })
    return { ...(await find(tx, actor, id)), secret }
  })
}

/** Returns the schema with the check of the address that this configuration asks for. */
function addressed<Shape extends { url: z.ZodType }>({ webhooks }: WebhookDeps, schema: z.ZodObject<Shape>) {
  return schema.extend({ url: webhookUrl(webhooks.loopback) })
}

/**
 * Returns the address of a webhook as it would be stored (rules 19.4).
 *
 * @throws validation_error
 */
export function webhookAddress(deps: WebhookDeps, url: string): string {
  return parseInput(addressed(deps, NewWebhook.pick({ url: true })), { url }).url
}

function inOrder(events: readonly string[]) {
  return EVENT_CHOICES.filter((choice) => events.includes(choice))
}

const insertWebhook = compiledInsert('webhooks')

export const WebhookFilter = z.object(paging)

/**
 * Lists the webhooks of an account, newest first.
 *
 * @throws validation_error
 */
export async function listWebhooks(
  { db }: WebhookDeps,
  actor: Actor,
  input: z.input<typeof WebhookFilter> = {},
): Promise<Page<Webhook>> {
  const { page, pageSize } = parseInput(WebhookFilter, input)
  // Reads all of them: there are at most `MOST_WEBHOOKS`.
  const all = await selectWebhooks(db.read)
    .where('w.accountId', '=', actor.id)
    .orderBy('w.id', 'desc')
    .execute()
  return { items: all.slice((page - 1) * pageSize, page * pageSize), total: all.length, page, pageSize }
}

/**
 * Returns one webhook of an account.
 *
 * @param id undefined when the request had no valid id
 * @throws webhook_not_found
 */
export async function getWebhook(
  { db }: WebhookDeps,
  actor: Actor,
  id: number | undefined,
): Promise<Webhook> {
  return find(db.read, actor, id)
}

/**
 * Changes the given fields of a webhook. When it is switched on, deliveries that still wait are sent.
 *
 * @throws webhook_not_found, validation_error
 */
export async function changeWebhook(
  deps: WebhookDeps,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof WebhookChange>,
): Promise<Webhook> {
  const schema = WebhookChange.extend({ url: webhookUrl(deps.webhooks.loopback).optional() })
  const { url, events, description, enabled } = parseInput(schema, input)
  return deps.db.write(async (tx) => {
    const { id: webhookId, status } = await find(tx, actor, id)
    await update(tx, actor, id, {
      ...(url !== undefined && { url }),
      ...(events && { events: JSON.stringify(inOrder(events)) }),
      ...(description !== undefined && { description }),
      ...(enabled === true && status !== 'active' && { status: 'active', failingSince: null }),
      ...(enabled === false && status === 'active' && { status: 'off' }),
      updatedAt: deps.clock.now(),
    })
    addsWork(tx, 'webhook_deliveries')
    happened(tx, { kind: 'webhook.changed', actor, webhookId })
    return find(tx, actor, id)
  })
}

/**
 * Deletes a webhook: nothing is delivered to it any more. Its deliveries are cleared away by a sweep.
 *
 * @throws webhook_not_found
 */
export async function deleteWebhook(
  deps: WebhookDeps,
  actor: Actor,
  id: number | undefined,
): Promise<Webhook> {
  return deps.db.write(async (tx) => {
    const webhook = await find(tx, actor, id)
    await update(tx, actor, id, { status: 'deleted', updatedAt: deps.clock.now() })
    happened(tx, { kind: 'webhook.deleted', actor, webhookId: webhook.id })
    return webhook
  })
}

/**
 * Gives a webhook another secret (rules 19.5): for {@link OLD_SECRET_MS} deliveries are signed by the former one, too.
 *
 * @returns the record, and the secret, which is shown once
 * @throws webhook_not_found, idempotency_conflict
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  actor: Actor,
  id: number | undefined,
  requestKey?: string,
): Promise<Webhook & { readonly secret: string; readonly replayed: boolean }> {
  const request = { key: requestKey, kind: 'rotate_webhook_secret', input: { id } }
  return once(deps, actor, request, async (tx) => {
    const { id: webhookId } = await find(tx, actor, id)
    const now = deps.clock.now()
    const secret = newWebhookSecret()
    await tx.$kysely
      .updateTable('webhooks')
      .set(({ ref }) => ({
        oldSecret: ref('secret'),
        oldSecretUntil: new Date(now.getTime() + OLD_SECRET_MS),
        secret: deps.webhooks.secrets.seal(secret, secretOwner(actor.id)),
        updatedAt: now,
      }))
      .where('id', '=', id ?? 0)
      .where('accountId', '=', actor.id)
      .execute()
    happened(tx, { kind: 'webhook.secret_rotated', actor, webhookId })
    return { ...(await find(tx, actor, id)), secret }
  })
}

async function update(tx: Tx, actor: Actor, id = 0, change: Updateable<DB['webhooks']>): Promise<void> {
  await tx.$kysely
    .updateTable('webhooks')
    .set(change)
    .where('id', '=', id)
    .where('accountId', '=', actor.id)
    .execute()
}

/** @throws webhook_not_found */
async function find(db: Readable, actor: Actor, id = 0): Promise<Webhook> {
  const webhook = await selectWebhooks(db)
    .where('w.id', '=', id)
    .where('w.accountId', '=', actor.id)
    .executeTakeFirst()
  if (!webhook) throw new ServiceError('webhook_not_found')
  return webhook
}
