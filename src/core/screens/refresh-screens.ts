import type { Actor } from '../access/actor.ts'
import { actorOf } from '../accounts/authenticate.ts'
import type { ChatLocale } from '../chat-locale.ts'
import type { Draft } from '../chats/draft.ts'
import { type Refreshed, followedIn } from '../chats/followed.ts'
import { parsed } from '../database/dialect.ts'
import { readLanguage } from '../database/read-language.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { ServiceError } from '../errors.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { DeliveryResult } from '../notices/messenger.ts'
import { unlessItStands } from '../notices/outbox.ts'
import type { ProxyFormat } from '../proxy-formats.ts'

/** A chat whose live screen is refreshed when the followed record changes. */
export interface FollowingScreen extends ChatLocale {
  readonly messageId: number
  readonly followed: Refreshed
  /** Format in which the chat gets its proxies. */
  readonly proxyFormat: ProxyFormat
  /** Kinds of notices that the chat does not get. */
  readonly muted: readonly string[]
  /** The draft of that chat. */
  readonly draft: Draft
  /** The account that is logged in there. */
  readonly viewer: Actor
}

/** Edits a screen in place; implemented by the bot. */
export type ScreenRefresher = (screen: FollowingScreen) => Promise<DeliveryResult>

/**
 * Refreshes the live screens that follow the subject of the job. Idempotent.
 *
 * @param again returns when to refresh again what changes by itself; undefined when it does not change any more
 * @returns when to try again; undefined when the job is done
 */
export async function refreshFollowingScreens(
  deps: Essentials,
  refresh: ScreenRefresher,
  job: ClaimedJob<'refresh_screens'>,
  again: (followed: Refreshed) => Promise<RetryLater | undefined>,
): Promise<RetryLater | undefined> {
  const { follows } = job.subject
  const followed = followedIn(follows)
  const chats = await deps.db.read.$kysely
    .selectFrom('chats as c')
    .innerJoin('logIns as l', (on) =>
      on.onRef('l.chatId', '=', 'c.id').onRef('l.accountId', '=', 'c.accountId'),
    )
    .select(['c.id as chatId', 'c.timeZone', 'c.screenMessage as messageId'])
    .select(['c.proxyFormat', 'l.accountId', 'l.accountVersion'])
    .select(({ ref }) => [
      readLanguage(ref('c.language')).as('language'),
      parsed<Draft>(ref('c.draft')).as('draft'),
      parsed<string[]>(ref('c.muted')).as('muted'),
    ])
    .where('c.follows', '=', follows)
    .where('c.screenMessage', 'is not', null)
    .where('c.blocked', '=', false)
    .orderBy('c.id')
    .$narrowType<{ messageId: number; proxyFormat: ProxyFormat }>()
    .execute()
  for (const { accountId, accountVersion: version, draft, ...chat } of chats) {
    const viewer = await actorOf(deps.db.read, accountId, version).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined
      throw error
    })
    const result = viewer && (await refresh({ ...chat, draft: draft ?? {}, followed, viewer }))
    if (result?.status === 'later') return result
    const again = result?.status === 'held' ? await unlessItStands(deps.db.read, chat.chatId) : undefined
    if (again) return again
  }
  const later = chats.length > 0 ? await again(followed) : undefined
  if (later) return later
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}
