import { randomBytes } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, directSubUser } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { hashOf } from '../token-hash.ts'
import { actorOf } from './authenticate.ts'
import { endInvites, storePassword } from './store-password.ts'
import { readSubUser } from './sub-user.ts'
import { Password } from './usernames.ts'

/** How long a link waits to be opened. */
export const INVITE_DAYS = 7
const DAY_MS = 86_400_000
/** 43 characters of a deep link, which takes 64. */
const TOKEN_BYTES = 32

/** What opening a link would come to. */
export type InviteState =
  | { readonly state: 'open'; readonly accountId: number; readonly username: string }
  /** A chat has been logged in by it; as long as `settable`, the account can set its first own password there. */
  | { readonly state: 'used'; readonly accountId: number; readonly settable: boolean }
  | {
      readonly state: 'unknown' | 'expired' | 'user_not_found' | 'account_disabled' | 'account_not_activated'
    }

/**
 * An agent invites a direct sub-user into the chat: whoever opens the link first is logged in there, and sets a password of
 * its own. A new link ends the earlier ones.
 *
 * @param userId undefined for what cannot be an id
 * @returns what the link carries, which is stored as a hash only
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, account_disabled, account_not_activated
 */
export async function createInvite(
  deps: CoreDeps,
  actor: Actor,
  userId: number | undefined,
): Promise<{
  readonly userId: number
  readonly username: string
  readonly token: string
  readonly expiresAt: Date
}> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + INVITE_DAYS * DAY_MS)
  return deps.db.write(async (tx) => {
    await directSubUser(tx, actor, userId)
    const id = Number(userId)
    const { username, status, activated } = await readSubUser(tx, id)
    if (status === 'disabled') throw new ServiceError('account_disabled')
    if (!activated) throw new ServiceError('account_not_activated')
    await endInvites(tx, now, id)
    await tx.invite.create({ data: { tokenHash: hashOf(token), accountId: id, expiresAt, createdAt: now } })
    return { userId: id, username, token, expiresAt }
  })
}

/** What opening the link would come to; changes nothing. */
export async function inviteState({ db, clock }: CoreDeps, token: string): Promise<InviteState> {
  const [invite] = await selectJson<{
    accountId: number
    username: string
    status: string
    activated: number
    used: number
    valid: number
  }>(
    db.read,
    Prisma.sql`SELECT json_object('accountId', a.id, 'username', a.username, 'status', a.status, 'activated', a.activated,
                                  'used', i.used_at IS NOT NULL, 'valid', i.expires_at > ${clock.now()}) AS json
               FROM invites i JOIN accounts a ON a.id = i.account_id WHERE i.token_hash = ${hashOf(token)}`,
  )
  if (!invite) return { state: 'unknown' }
  const { accountId, username, status, activated, used, valid } = invite
  if (status === 'deleted') return { state: 'user_not_found' }
  if (status === 'disabled') return { state: 'account_disabled' }
  if (used) return { state: 'used', accountId, settable: Boolean(valid) }
  if (!valid) return { state: 'expired' }
  return activated ? { state: 'open', accountId, username } : { state: 'account_not_activated' }
}

/**
 * Logs the invited sub-user in at a chat; the link is used then.
 *
 * @returns undefined when the link is not open (any more), see {@link inviteState}
 */
export async function openInvite(deps: CoreDeps, chatId: number, token: string): Promise<Actor | undefined> {
  const now = deps.clock.now()
  const origin = `chat ${chatId}`
  const actor = await deps.db.write(async (tx) => {
    const [opened] = await tx.$queryRaw<{ accountId: number; version: number }[]>`
      UPDATE invites SET used_at = ${now}
      WHERE token_hash = ${hashOf(token)} AND used_at IS NULL AND expires_at > ${now}
        AND account_id IN (SELECT id FROM accounts WHERE status = 'active' AND activated)
      RETURNING account_id AS accountId, (SELECT token_version FROM accounts WHERE id = account_id) AS version`
    if (!opened) return undefined
    const { accountId, version } = opened
    await tx.$executeRaw`
      UPDATE chats SET account_id = ${accountId}, account_version = ${version}, draft = NULL, updated_at = ${now}
      WHERE id = ${chatId}`
    return { ...(await actorOf(tx, accountId, version)), origin }
  })
  if (actor) deps.securityLog({ event: 'invite_opened', account: actor.id, from: origin })
  return actor
}

/**
 * Whoever came in by a link sets a password, without knowing the one that the agent made. All other log-ins end, this chat
 * stays logged in. Once: then the link has done all that it can.
 *
 * @throws invalid_state when the link does not allow it (any more), validation_error
 */
export async function setInvitedPassword(
  deps: CoreDeps,
  actor: Actor,
  chatId: number,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const hash = await deps.passwords.hash(parseInput(Password, password))
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    const [invite] = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM invites
      WHERE token_hash = ${hashOf(token)} AND account_id = ${actor.id} AND used_at IS NOT NULL AND expires_at > ${now}`
    if (!invite) throw new ServiceError('invalid_state')
    await storePassword(tx, now, actor.id, hash, chatId)
  })
}
