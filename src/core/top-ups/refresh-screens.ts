import type { Actor } from '../access.ts'
import { actorOf } from '../accounts/authenticate.ts'
import type { Language } from '../catalog/places.ts'
import type { Draft } from '../chats/draft.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { Essentials } from '../essentials.ts'
import { ServiceError } from '../errors.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { DeliveryResult } from '../notices/messenger.ts'

/** A chat whose live screen shows something that changes by itself. */
export interface FollowingScreen {
  readonly chatId: number
  readonly language: Language
  readonly messageId: number
  /** The number of a top-up, or {@link followedBalance}. */
  readonly follows: string
  /** What waits in that chat. */
  readonly draft: Draft
  /** Who is logged in there. */
  readonly viewer: Actor
}

const BALANCE = 'balance:'

/** What a screen follows that waits for money of an account. */
export function followedBalance(accountId: number): string {
  return `${BALANCE}${accountId}`
}

/** The account for whose money a screen waits; undefined when it follows something else. */
export function accountOfFollowed(follows: string): number | undefined {
  return follows.startsWith(BALANCE) ? Number(follows.slice(BALANCE.length)) : undefined
}

/** Edits a screen in place; the bot does. */
export type ScreenRefresher = (screen: FollowingScreen) => Promise<DeliveryResult>

/**
 * Asks for a new look of the screens that follow this, in the transaction that changed it: the loop edits them.
 *
 * @param follows number of a top-up, or {@link followedBalance}
 * @param state what it has become: each is shown once
 */
export async function refreshScreens(
  deps: Essentials,
  tx: Tx,
  follows: string,
  state: string,
): Promise<void> {
  const [followed] = await findFollower(tx, { follows })
  if (followed) await deps.jobs.enqueue(tx, 'refresh_screens', { follows, state })
}

const findFollower = compiled<{ follows: string }>()((db, { follows }) =>
  db.selectFrom('chats').select('id').where('follows', '=', follows).limit(1),
)

/**
 * Shows a top-up, or what waits for money, anew wherever its screen is still the live one. Doing it twice shows the same.
 *
 * @returns when to try again, if at all
 */
export async function refreshFollowingScreens(
  deps: Essentials,
  refresh: ScreenRefresher,
  job: ClaimedJob<'refresh_screens'>,
): Promise<RetryLater | undefined> {
  const { follows } = job.subject
  const chats = await deps.db.read.$kysely
    .selectFrom('chats')
    .select(['id as chatId', 'language', 'screenMessage as messageId', 'accountId', 'accountVersion'])
    .select(({ ref }) => parsed<Draft>(ref('draft')).as('draft'))
    .where('follows', '=', follows)
    .where('screenMessage', 'is not', null)
    .where('accountId', 'is not', null)
    .where('blocked', '=', false)
    .orderBy('id')
    .$narrowType<{ messageId: number; accountId: number; accountVersion: number }>()
    .execute()
  for (const { accountId, accountVersion: version, draft, ...chat } of chats) {
    const viewer = await actorOf(deps.db.read, accountId, version).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined
      throw error
    })
    const result = viewer && (await refresh({ ...chat, draft: draft ?? {}, follows, viewer }))
    if (result?.status === 'later') return result
  }
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}
