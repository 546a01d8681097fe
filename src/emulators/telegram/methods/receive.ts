import { ApiError, badRequest } from '../api-error.ts'
import { CONFLICTS } from '../long-poll.ts'
import type { TelegramState } from '../state.ts'
import type { Call, Method } from './method.ts'

interface GetUpdates {
  readonly offset?: number
  readonly limit?: number
  readonly timeout?: number
  readonly allowed_updates?: readonly string[]
}

interface SetWebhook {
  readonly url: string
  readonly secret_token?: string
  readonly max_connections?: number
  readonly ip_address?: string
  readonly allowed_updates?: readonly string[]
  readonly drop_pending_updates?: boolean
}

/** How the bot gets its updates: by asking for them, or by a webhook. */
export function receiveMethods({ updates, longPoll, webhook }: TelegramState) {
  return {
    getUpdates({ offset = 0, limit = 100, timeout = 0, allowed_updates }: GetUpdates, { gone }: Call) {
      if (webhook.isSet()) {
        throw new ApiError(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        )
      }
      updates.allow(allowed_updates)
      return longPoll.poll({ offset, limit: Math.min(Math.max(limit, 1), 100), timeout, gone })
    },
    setWebhook({ url, secret_token, max_connections, ip_address, allowed_updates, ...rest }: SetWebhook) {
      if (!/^https?:/i.test(url) || !URL.canParse(url)) throw badRequest('invalid webhook URL specified')
      if (secret_token !== undefined && secret_token.length > 256)
        throw badRequest('secret token is too long')
      if (secret_token !== undefined && !/^[\w-]*$/.test(secret_token)) {
        throw badRequest('secret token contains unallowed characters')
      }
      if (rest.drop_pending_updates) updates.clear()
      updates.allow(allowed_updates)
      longPoll.refuse(409, CONFLICTS.webhook)
      webhook.set({
        url,
        ...(secret_token && { secretToken: secret_token }),
        ...(max_connections !== undefined && { maxConnections: max_connections }),
        ...(ip_address && { ipAddress: ip_address }),
      })
      return true
    },
    deleteWebhook({ drop_pending_updates }: { readonly drop_pending_updates?: boolean }) {
      if (drop_pending_updates) updates.clear()
      webhook.set(undefined)
      return true
    },
    getWebhookInfo: () => webhook.info(),
    // The bot may go on at once: there is no other server to move to.
    logOut: () => true,
    close: () => true,
  } satisfies Record<string, Method>
}
