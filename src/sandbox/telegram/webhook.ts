import { setTimeout as delay } from 'node:timers/promises'
import type { Update } from 'grammy/types'
import type { UpdateQueue } from './update-queue.ts'

export type Webhook = ReturnType<typeof createWebhook>

export interface WebhookTarget {
  readonly url: string
  readonly secretToken?: string
  readonly maxConnections?: number
  readonly ipAddress?: string
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 30_000
const ANSWER_TIMEOUT_MS = 60_000

/**
 * Delivers updates to the bot's own server: one after the other, each until the server answers with 2xx.
 *
 * @param now in Unix seconds
 */
export function createWebhook(updates: UpdateQueue, now: () => number) {
  let target: WebhookTarget | undefined
  let stop = new AbortController()
  let delivering = false
  let lastError: { last_error_date: number; last_error_message: string } | undefined

  updates.onPush(() => void deliver())

  async function deliver(): Promise<void> {
    if (delivering || !target) return
    delivering = true
    const { signal } = stop
    let retryMs = FIRST_RETRY_MS
    for (let [update] = updates.first(1); update && !signal.aborted; [update] = updates.first(1)) {
      const problem = await post(target, update, signal)
      if (signal.aborted) return
      if (problem === undefined) {
        updates.confirmBelow(update.update_id + 1)
        retryMs = FIRST_RETRY_MS
        continue
      }
      lastError = { last_error_date: now(), last_error_message: problem }
      await delay(retryMs, undefined, { signal }).catch(() => undefined)
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
    if (!signal.aborted) delivering = false
  }

  /** Ends the delivery that is under way; what it did not confirm stays in the queue. */
  function set(next: WebhookTarget | undefined): void {
    stop.abort()
    stop = new AbortController()
    delivering = false
    lastError = undefined
    target = next
    void deliver()
  }

  return {
    set,
    isSet: () => target !== undefined,
    /** The `WebhookInfo` of the Bot API. */
    info: () => ({
      url: target?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: updates.size(),
      ...(target && { max_connections: target.maxConnections ?? 40 }),
      ...(target?.ipAddress !== undefined && { ip_address: target.ipAddress }),
      ...(updates.allowed().length > 0 && { allowed_updates: updates.allowed() }),
      ...lastError,
    }),
    close: () => set(undefined),
  }
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
