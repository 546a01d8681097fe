import type { DeliveryStatus } from '../../generated/kysely/tables.ts'
import type { DueDelivery, WebhookLane } from './due-deliveries.ts'
import type { DeliveredEvent } from './events.ts'
import { signedHeaders } from './signature.ts'
import { secretOwner } from './webhook.ts'
import type { StoredFault, WebhookAnswer, WebhookSender } from './webhook-sender.ts'
import type { WebhookDeps } from './deps.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pauses after each failed attempt, 72 hours together; after the last one the delivery is given up (rules 19.6). */
export const PAUSES_MS = [
  5_000,
  30_000,
  ...[2, 10, 18, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * HOUR_MS),
]
/** A pause is longer by up to this part of it, so that a receiver that comes back is not called by all at once. */
const JITTER = 0.1
/** Longest `Retry-After`, in ms, that is kept to. */
const MOST_RETRY_AFTER_MS = 24 * HOUR_MS

/** What an attempt needs from outside of the core. */
export interface WebhookOutside {
  readonly send: WebhookSender
  /** The body of an event, in the shape of the API. */
  readonly bodyOf: (event: DeliveredEvent, happenedAt: string) => string
  readonly userAgent: string
}

/** The result of an attempt, to be stored. */
export interface AttemptResult {
  readonly id: number
  readonly webhookId: number
  readonly subject: string
  readonly status: DeliveryStatus
  /** Time of the next attempt; null where there is none. */
  readonly nextAt: string | null
  readonly responseStatus: number | null
  readonly error: StoredFault | null
  readonly durationMs: number
  readonly attemptedAt: string
}

/**
 * Sends a delivery once (rules 19.6).
 *
 * @returns the result; undefined where the service ended meanwhile: then it is as if it had not been tried
 */
export async function attemptDelivery(
  deps: WebhookDeps,
  { send, bodyOf, userAgent }: WebhookOutside,
  lane: WebhookLane,
  delivery: DueDelivery,
): Promise<AttemptResult | undefined> {
  const at = deps.clock.now()
  const begun = performance.now()
  const secrets = secretsOf(deps, lane, at)
  const body = bodyOf(delivery.event, delivery.createdAt)
  const sent = { 'content-type': 'application/json', 'user-agent': userAgent }
  const answer: WebhookAnswer = secrets
    ? await send({
        url: lane.url,
        headers: { ...sent, ...signedHeaders({ id: delivery.messageId, at, body }, secrets) },
        body,
      })
    : { error: 'secret_unreadable' }
  const fault = 'error' in answer ? answer.error : null
  if (fault === 'stopped') return undefined
  const { id, webhookId, subject } = delivery
  return {
    id,
    webhookId,
    subject,
    ...becomes(answer, delivery.attempts, deps.clock.now()),
    responseStatus: 'status' in answer ? answer.status : null,
    error: fault,
    durationMs: Math.round(performance.now() - begun),
    attemptedAt: at.toISOString(),
  }
}

/** @param attempts number of attempts before this one */
function becomes(
  answer: WebhookAnswer,
  attempts: number,
  now: Date,
): Pick<AttemptResult, 'status' | 'nextAt'> {
  if ('status' in answer && answer.status >= 200 && answer.status < 300)
    return { status: 'delivered', nextAt: null }
  const pause = PAUSES_MS[attempts]
  if (pause === undefined) return { status: 'failed', nextAt: null }
  const wanted = 'status' in answer ? Math.min(answer.retryAfterMs ?? 0, MOST_RETRY_AFTER_MS) : 0
  const wait = Math.max(pause * (1 + JITTER * Math.random()), wanted)
  return { status: 'waiting', nextAt: new Date(now.getTime() + wait).toISOString() }
}

/** Decrypts the secret and, while it holds, the former one; undefined where they cannot be read. */
function secretsOf({ webhooks }: WebhookDeps, lane: WebhookLane, now: Date): string[] | undefined {
  const { accountId, secret, oldSecret, oldSecretUntil } = lane
  const old =
    oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now.toISOString() ? [oldSecret] : []
  const secrets = [secret, ...old].map((sealed) => webhooks.secrets.open(sealed, secretOwner(accountId)))
  return secrets.every((opened) => typeof opened === 'string') ? secrets : undefined
}
