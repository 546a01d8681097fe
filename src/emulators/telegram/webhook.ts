import { setTimeout as delay } from 'node:timers/promises'
import type { Update } from 'grammy/types'
import type { UpdateQueue } from './update-queue.ts'

export type Webhook = ReturnType<typeof createWebhook>

interface WebhookTarget {
  readonly url: string
  readonly secretToken?: string
  readonly maxConnections?: number
  readonly ipAddress?: string
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
const ANSWER_TIMEOUT_MS = 60_000
/** Deliveries at the same time, unless the bot wants another number (Bot API). */
const MAX_CONNECTIONS = 40

/**
 * Delivers updates to the bot's own server, each until the server answers with 2xx: those of one chat one after the other,
 * those of different chats in parallel, as Telegram does.
 *
 * @param now in Unix seconds
 */
export function createWebhook(updates: UpdateQueue, now: () => number) {
  let target: WebhookTarget | undefined
  let stop = new AbortController()
  /** The chats of which an update is being delivered. */
  let busy = new Set<number>()
  let lastError: { last_error_date: number; last_error_message: string } | undefined

  updates.onPush(deliverAll)

  function deliverAll(): void {
    if (!target) return
    for (const update of updates.all()) {
      const chat = chatOf(update)
      if (busy.size >= (target.maxConnections ?? MAX_CONNECTIONS)) return
      if (!busy.has(chat)) void deliver(target, update, busy.add(chat))
    }
  }

  async function deliver(to: WebhookTarget, update: Update, chats: Set<number>): Promise<void> {
    const { signal } = stop
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      const problem = await post(to, update, signal)
      if (signal.aborted) return
      if (problem === undefined) break
      lastError = { last_error_date: now(), last_error_message: problem }
      await delay(retryMs, undefined, { signal }).catch(() => undefined)
    }
    updates.confirm(update.update_id)
    chats.delete(chatOf(update))
    deliverAll()
  }

  /** Ends the deliveries that are under way; what they did not confirm stays in the queue. */
  function set(next: WebhookTarget | undefined): void {
    stop.abort()
    stop = new AbortController()
    busy = new Set()
    lastError = undefined
    target = next
    deliverAll()
  }

  return {
    set,
    isSet: () => target !== undefined,
    /** The `WebhookInfo` of the Bot API. */
    info: () => ({
      url: target?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: updates.size(),
      ...(target && { max_connections: target.maxConnections ?? MAX_CONNECTIONS }),
      ...(target?.ipAddress !== undefined && { ip_address: target.ipAddress }),
      ...(updates.allowed().length > 0 && { allowed_updates: updates.allowed() }),
      ...lastError,
    }),
    close: () => set(undefined),
  }
}

/** Returns the chat within which updates keep their order; 0 for those of no chat. */
function chatOf({ message, callback_query, my_chat_member }: Update): number {
  return (message ?? callback_query?.message ?? my_chat_member)?.chat.id ?? 0
}

/** Returns why the delivery failed, in the words of `last_error_message`; undefined when it succeeded. */
async function post(target: WebhookTarget, update: Update, stop: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(target.secretToken !== undefined && { 'x-telegram-bot-api-secret-token': target.secretToken }),
      },
      body: JSON.stringify(update),
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.ok
      ? undefined
      : `Wrong response from the webhook: ${response.status} ${response.statusText}`
  } catch (error) {
    return `Connection failed: ${error instanceof Error ? error.message : String(error)}`
  }
}
