import { randomBytes } from 'node:crypto'
import { expressionBuilder } from 'kysely'
import type { DB, Role } from '../../generated/kysely/tables.ts'
import { type Actor, directSubUser } from '../access/actor.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import { logChatIn } from './chat-log-ins.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { makerMayAct, personMayAct } from '../access/makers.ts'
import { type Acting, makerOf } from '../people/guarded.ts'
import { ACTIONS, rolesWith } from '../people/permissions.ts'
import { hashOf } from '../token-hash.ts'
import { agentNamed, customerNamed } from './account-named.ts'
import { actorOf } from './authenticate.ts'
import { Because, type CustomerChange } from './because.ts'
import { storePassword } from './store-password.ts'
import { readSubUser } from './sub-user.ts'
import { Password } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

/** Prefix of an invitation's token in the start parameter of a deep link. */
export const INVITE_MARK = 'inv_'
/** How long a link is valid. */
const INVITE_DAYS = 7
const DAY_MS = 86_400_000
/** 43 characters in base64; a deep link may have 64. */
const TOKEN_BYTES = 32

/** What opening a link would do. */
export type InviteState =
  | { readonly state: 'open'; readonly accountId: number; readonly username: string }
  /** The link has logged a chat in; while `settable`, the account can set a password of its own there. */
  | { readonly state: 'used'; readonly accountId: number; readonly settable: boolean }
  | {
      readonly state: 'unknown' | 'expired' | 'user_not_found' | 'account_disabled' | 'account_not_activated'
    }

/**
 * An agent invites a direct sub-user to the bot: the first chat in which the link is opened is logged in, and can set a password
 * of its own. A new link invalidates the earlier ones.
 *
 * @param userId undefined for what cannot be an id
 * @returns the account and the token of the link, which is stored as a hash only
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, account_disabled, account_not_activated
 */
export function createInvite(
  deps: AccountDeps,
  actor: Actor,
  userId: number | undefined,
): Promise<NewInvite> {
  return newInvite(deps, { madeBy: actor.id }, async (tx) => {
    await directSubUser(tx, actor, userId)
    happened(tx, { kind: 'invite.created', actor, userId: Number(userId) })
    return readSubUser(tx, Number(userId))
  })
}

/**
 * The operator gives an agent a link to the bot, by which it sets its password (rules 10.2). A new link invalidates the earlier ones.
 *
 * @throws user_not_found, agent_required, account_disabled
 */
export function inviteAgent(deps: AccountDeps & Acting, username: string): Promise<NewInvite> {
  return newInvite(deps, makerOf(deps.by), (tx) => agentNamed(tx, username))
}

/**
 * The operator gives a customer, who is no agent, a link to the bot, by which the customer logs in and may set a new password
 * (rules 16.2). A new link invalidates the earlier ones.
 *
 * @throws user_not_found, validation_error, account_disabled, account_not_activated
 */
export async function inviteCustomer(
  deps: AccountDeps & Acting,
  { username, ...input }: CustomerChange,
): Promise<NewInvite> {
  parseInput(Because, input)
  return newInvite(deps, makerOf(deps.by), (tx) => customerNamed(tx, username))
}

interface NewInvite {
  readonly userId: number
  readonly username: string
  readonly token: string
  readonly expiresAt: Date
}

interface Invited {
  readonly id: number
  readonly username: string
  readonly status: string
  readonly activated: boolean
}

/** The agent that makes an invitation, or who makes it for the shop. */
type Maker = { readonly madeBy: number } | ReturnType<typeof makerOf>

/** @param invited finds the account and tells of the invitation, or refuses */
function newInvite(
  { db, clock }: AccountDeps,
  maker: Maker,
  invited: (tx: Tx) => Promise<Invited>,
): Promise<NewInvite> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + INVITE_DAYS * DAY_MS)
  return db.write(async (tx) => {
    const { id, username, status, activated } = await invited(tx)
    if (status === 'disabled') throw new ServiceError('account_disabled')
    if (!activated) throw new ServiceError('account_not_activated')
    await endSecrets(tx, now, 'new_link', { accountId: id })
    await insertInvite(tx, { tokenHash: hashOf(token), accountId: id, ...maker, expiresAt, createdAt: now })
    return { userId: id, username, token, expiresAt }
  })
}

/** Returns what opening a link would do; changes nothing. */
export async function inviteState({ db, clock }: AccountDeps, token: string): Promise<InviteState> {
  const invite = await db.read.$kysely
    .selectFrom('invites as i')
    .innerJoin('accounts as a', 'a.id', 'i.accountId')
    .select(['a.id as accountId', 'a.username', 'a.status', 'a.activated', 'i.usedAt', 'i.expiresAt'])
    .where('i.id', 'in', rightful(token))
    .executeTakeFirst()
  if (!invite) return { state: 'unknown' }
  const { accountId, username, status, activated, usedAt, expiresAt } = invite
  const valid = expiresAt > clock.now().toISOString()
  if (status === 'deleted') return { state: 'user_not_found' }
  if (status === 'disabled') return { state: 'account_disabled' }
  if (usedAt !== null) return { state: 'used', accountId, settable: valid }
  if (!valid) return { state: 'expired' }
  return activated ? { state: 'open', accountId, username } : { state: 'account_not_activated' }
}

/** Query of the invitation with this token, if its maker may still make one for the account (rules 2.28). */
function rightful(token: string) {
  const { selectFrom } = expressionBuilder<DB>()
  return selectFrom('invites as i')
    .innerJoin('accounts as a', 'a.id', 'i.accountId')
    .select('i.id')
    .where('i.tokenHash', '=', hashOf(token))
    .where(({ ref }) => makerMayAct(ref('i.madeBy'), ref('i.accountId')))
    .where(({ eb, ref, or, and }) => {
      const mayInvite = (role: Role, action: 'customer.link' | 'agent.invite') =>
        and([
          eb('a.role', '=', role),
          personMayAct(ref('i.personId'), ref('i.unnamed'), rolesWith(ACTIONS[action])),
        ])
      return or([mayInvite('user', 'customer.link'), mayInvite('agent', 'agent.invite')])
    })
}

/**
 * Logs the invited account in at a chat and marks the link as used.
 *
 * @returns undefined when the link is not open (any more), see {@link inviteState}
 */
export async function openInvite(
  deps: AccountDeps,
  chatId: number,
  token: string,
): Promise<Actor | undefined> {
  const now = deps.clock.now()
  return deps.db.write(async (tx) => {
    const opened = await tx.$kysely
      .updateTable('invites')
      .set({ usedAt: now })
      .where('id', 'in', rightful(token))
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now.toISOString())
      .where('accountId', 'in', ({ selectFrom }) =>
        selectFrom('accounts').select('id').where('status', '=', 'active').where('activated', '=', true),
      )
      .returning('accountId')
      .executeTakeFirst()
    if (!opened) return undefined
    const { accountId } = opened
    // The agent that made the link may be the one who opens it: the account is not its own any more.
    await tx.$kysely
      .updateTable('accounts')
      .set({ ownSince: null, updatedAt: now })
      .where('id', '=', accountId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('invites')
            .select('id')
            .where('tokenHash', '=', hashOf(token))
            .where('madeBy', 'is not', null),
        ),
      )
      .execute()
    const version = await logChatIn(deps, tx, chatId, accountId)
    const actor = { ...(await actorOf(tx, accountId, version)), origin: `chat ${chatId}` }
    happened(tx, { kind: 'invite.opened', actor })
    return actor
  })
}

/**
 * An account that was logged in by a link sets a password, without knowing the one before. All other log-ins end, this chat stays logged
 * in. Works once: the new password invalidates the link.
 *
 * @throws invalid_state when the link does not allow it (any more), validation_error
 */
export async function setInvitedPassword(
  deps: AccountDeps,
  actor: Actor,
  chatId: number,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const hash = await deps.passwords.hash(parseInput(Password, password))
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    const invite = await tx.$kysely
      .selectFrom('invites')
      .select('id')
      .where('id', 'in', rightful(token))
      .where('accountId', '=', actor.id)
      .where('usedAt', 'is not', null)
      .where('expiresAt', '>', now.toISOString())
      .executeTakeFirst()
    if (!invite) throw new ServiceError('invalid_state')
    await storePassword(tx, now, actor.id, hash, { own: true, keptChatId: chatId })
    happened(tx, { kind: 'password.changed', actor })
  })
}

const insertInvite = compiledInsert('invites')
