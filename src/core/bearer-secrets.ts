import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB, ShopRole } from '../generated/kysely/tables.ts'
import type { Actor } from './access.ts'
import { endLogIns } from './chats/log-ins.ts'
import type { Tx } from './database/database.ts'
import { listOf, type ValueOf } from './database/dialect.ts'
import type { EndedSecrets, SecretKind } from './ended-secrets.ts'
import { newGatewayPassword } from './traffic/credit-traffic.ts'

/** By what a right is lost that a bearer secret gave; with what has to be known in order to end secrets by it. */
interface Losses {
  /** The account gets another agent, or none; `passwordHash` is of a password that nobody knows. */
  readonly move: { readonly accountId: number; readonly passwordHash: string }
  readonly new_password: KeptChat
  /** A newer link to the account is made. */
  readonly new_link: { readonly accountId: number }
  /** The account logs out everywhere, or is logged out by the operator. */
  readonly log_out: KeptChat
  /** The account is disabled, until it is enabled. */
  readonly disabling: { readonly accountId: number }
  readonly deletion: { readonly accountId: number }
  /** The agent that made it is disabled, until it is enabled. */
  readonly agent_disabled: { readonly accountId: number }
  /** The API key with which it was made is revoked. */
  readonly key_revoked: { readonly keyId: number }
  /** Who made it for the shop is removed, or gets another role or Telegram user; null: whoever was not named, by the first person. */
  readonly person: { readonly personId: number | null; readonly telegramId: number | null }
}

interface KeptChat {
  readonly accountId: number
  /** The chat that stays logged in. */
  readonly keptChatId?: number | undefined
}

export type Loss = keyof Losses

type Ending<Facts> = (tx: Tx, now: Date, facts: Facts) => Promise<number>

interface BearerSecret {
  /** What ends it for good; each answers how many it has ended. */
  readonly ends: { readonly [Each in Loss]?: Ending<Losses[Each]> }
  /** While what lasts it is refused where it is shown, which looks at the account and its agent as they are at that moment. */
  readonly refused: readonly Loss[]
}

/**
 * Everything that gives a right to whoever holds it, and what takes the right away; what stands in neither list leaves it as it is.
 * The one place of these rules (rules 2.28), which says what each gives and who makes it.
 */
export const BEARER_SECRETS = {
  api_key: {
    ends: {
      move: async (tx, now, { accountId }) =>
        ended(
          await tx.$kysely
            .updateTable('apiKeys')
            .set({ revokedAt: now })
            .where('accountId', '=', accountId)
            .where('revokedAt', 'is', null)
            .where(({ ref }) => beforeItsOwn(accountId, ref('apiKeys.createdAt')))
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'deletion'],
  },
  webhook: {
    ends: {
      move: async (tx, now, { accountId }) =>
        ended(
          await tx.$kysely
            .updateTable('webhooks')
            .set({ status: 'deleted', updatedAt: now })
            .where('accountId', '=', accountId)
            .where('status', '<>', 'deleted')
            .where(({ ref }) => beforeItsOwn(accountId, ref('webhooks.createdAt')))
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'deletion'],
  },
  activation_link: { ends: {}, refused: ['deletion'] },
  invitation: {
    ends: {
      move: (tx, now, { accountId }) => endInvitations(tx, now, accountId),
      new_password: (tx, now, { accountId }) => endInvitations(tx, now, accountId),
      log_out: (tx, now, { accountId }) => endInvitations(tx, now, accountId),
      new_link: (tx, now, { accountId }) => endInvitations(tx, now, accountId),
      person: async (tx, now, { personId }) =>
        ended(
          await tx.$kysely
            .updateTable('invites')
            .set({ expiresAt: now })
            .where('expiresAt', '>', now.toISOString())
            .where(({ eb }) => (personId === null ? eb('unnamed', '=', true) : eb('personId', '=', personId)))
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  person_link: {
    ends: {
      person: async (tx, now, { personId }) =>
        ended(
          await tx.$kysely
            .updateTable('personInvites')
            .set({ endedAt: now })
            .where('endedAt', 'is', null)
            .where(({ eb }) => (personId === null ? eb('unnamed', '=', true) : eb('personId', '=', personId)))
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: [],
  },
  join_link: {
    ends: {
      key_revoked: async (tx, now, { keyId }) =>
        ended(
          await tx.$kysely
            .updateTable('joinLinks')
            .set({ revokedAt: now })
            .where('keyId', '=', keyId)
            .where('revokedAt', 'is', null)
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['agent_disabled'],
  },
  proxy_link: {
    ends: {
      move: async (tx, _now, { accountId }) =>
        ended(
          await tx.$kysely
            .deleteFrom('proxyLinks')
            .where('userId', '=', accountId)
            .where(({ ref }) => ofOthers(accountId, ref('proxyLinks.madeBy'), ref('proxyLinks.createdAt')))
            .executeTakeFirstOrThrow(),
        ),
      key_revoked: async (tx, _now, { keyId }) =>
        ended(await tx.$kysely.deleteFrom('proxyLinks').where('keyId', '=', keyId).executeTakeFirstOrThrow()),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  extraction_link: {
    ends: {
      move: async (tx, _now, { accountId }) =>
        ended(
          await tx.$kysely
            .deleteFrom('extractLinks')
            .where('trafficId', 'in', trafficOf(accountId))
            .where(({ ref }) =>
              ofOthers(accountId, ref('extractLinks.madeBy'), ref('extractLinks.createdAt')),
            )
            .executeTakeFirstOrThrow(),
        ),
      key_revoked: async (tx, _now, { keyId }) =>
        ended(
          await tx.$kysely.deleteFrom('extractLinks').where('keyId', '=', keyId).executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  allowed_address: {
    ends: {
      move: async (tx, _now, { accountId }) =>
        ended(
          await tx.$kysely
            .deleteFrom('allowedAddresses')
            .where('trafficId', 'in', trafficOf(accountId))
            .where(({ ref }) =>
              ofOthers(accountId, ref('allowedAddresses.madeBy'), ref('allowedAddresses.createdAt')),
            )
            .executeTakeFirstOrThrow(),
        ),
      // Somebody else may need the address.
      deletion: async (tx, _now, { accountId }) =>
        ended(
          await tx.$kysely
            .deleteFrom('allowedAddresses')
            .where('trafficId', 'in', trafficOf(accountId))
            .executeTakeFirstOrThrow(),
        ),
      key_revoked: async (tx, _now, { keyId }) =>
        ended(
          await tx.$kysely
            .deleteFrom('allowedAddresses')
            .where('keyId', '=', keyId)
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'agent_disabled'],
  },
  /** With which traffic is used at the gateway; the agent can extract those of a sub-user. */
  gateway_password: {
    ends: { move: (tx, now, { accountId }) => changeGatewayPasswords(tx, now, accountId) },
    refused: ['disabling', 'deletion'],
  },
  password: {
    ends: {
      move: async (tx, now, { accountId, passwordHash }) =>
        ended(
          await tx.$kysely
            .updateTable('accounts')
            .set({ passwordHash, updatedAt: now })
            .where('id', '=', accountId)
            .where('ownSince', 'is', null)
            .executeTakeFirstOrThrow(),
        ),
    },
    refused: ['disabling', 'deletion'],
  },
  /** Access tokens, and the log-ins of chats. Last, so that chats can be told before. */
  log_in: {
    ends: {
      move: async (tx, now, { accountId }) => {
        const { ownSince } = await tx.$kysely
          .selectFrom('accounts')
          .select('ownSince')
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow()
        return ownSince === null ? endVersion(tx, now, { accountId }) : 0
      },
      new_password: endVersion,
      log_out: async (tx, now, facts) => {
        await endLogIns(tx, now, { accountId: facts.accountId, but: facts.keptChatId })
        return endVersion(tx, now, facts)
      },
      person: endLogInsOfPerson,
    },
    refused: ['disabling', 'deletion'],
  },
} as const satisfies Readonly<Record<SecretKind, BearerSecret>>

const KINDS = Object.entries(BEARER_SECRETS) as [SecretKind, BearerSecret][]

/**
 * Ends, in the open transaction, every secret that a loss ends for good (rules 2.28).
 *
 * @param tell called before log-ins end, so that the chats that are logged in can be told what has ended
 */
export async function endSecrets<Each extends Loss>(
  tx: Tx,
  now: Date,
  loss: Each,
  facts: Losses[Each],
  tell?: (ended: EndedSecrets) => Promise<void>,
): Promise<EndedSecrets> {
  const endings = KINDS.flatMap(([kind, { ends }]) => {
    const end = ends[loss]
    return end ? [{ kind, end }] : []
  })
  const all: { [Kind in SecretKind]?: number } = {}
  for (const { kind, end } of endings) {
    if (kind === 'log_in') await tell?.(all)
    const count = await end(tx, now, facts)
    if (count > 0) all[kind] = count
  }
  return all
}

/** What is stored of who makes a link or an address for a user: an account, and the API key with which it acts. */
export function madeBy({ id, keyId }: Pick<Actor, 'id' | 'keyId'>) {
  return { madeBy: id, keyId: keyId ?? null }
}

/**
 * Condition: whoever made a secret of a user may still act for that user: it is the user itself, or its agent, who is not disabled.
 *
 * @param madeBy an account; null where it is not known
 */
export function makerMayAct(
  madeBy: Expression<number | null>,
  userId: Expression<number>,
): Expression<SqlBool> {
  const { eb, or, exists, selectFrom } = expressionBuilder<DB>()
  return or([
    eb(madeBy, 'is', null),
    eb(madeBy, '=', userId),
    exists(
      selectFrom('accounts as maker')
        .innerJoin('accounts as owner', 'owner.agentId', 'maker.id')
        .select('maker.id')
        .where('maker.id', '=', madeBy)
        .where('owner.id', '=', userId)
        .where('maker.status', '=', 'active'),
    ),
  ])
}

/**
 * Condition: whoever made a link for the shop may still make it: a person with one of the roles; whoever was not named, while nobody is;
 * or the command line.
 */
export function personMayAct(
  personId: Expression<number | null>,
  unnamed: Expression<boolean>,
  roles: readonly ShopRole[],
): Expression<SqlBool> {
  const { eb, or, and, not, exists, selectFrom } = expressionBuilder<DB>()
  const people = selectFrom('people').select('people.id').where('people.removedAt', 'is', null)
  return or([
    and([eb(personId, 'is', null), eb(unnamed, '=', false)]),
    and([eb(unnamed, '=', true), not(exists(people))]),
    exists(people.where('people.id', '=', personId).where('people.role', 'in', listOf<ShopRole>(roles))),
  ])
}

/**
 * Condition: a secret was made with no API key, or with one that works.
 *
 * @param now ISO 8601
 */
export function keyWorks(keyId: Expression<number | null>, now: ValueOf<string>): Expression<SqlBool> {
  const { eb, or, exists, selectFrom } = expressionBuilder<DB>()
  return or([
    eb(keyId, 'is', null),
    exists(
      selectFrom('apiKeys as key')
        .select('key.id')
        .where('key.id', '=', keyId)
        .where('key.revokedAt', 'is', null)
        .where((key) => key.or([key('key.expiresAt', 'is', null), key('key.expiresAt', '>', now)])),
    ),
  ])
}

/** Condition: it was made before the account chose its password, so that others may know it. */
function beforeItsOwn(accountId: number, createdAt: Expression<string>): Expression<SqlBool> {
  const { not, exists, selectFrom } = expressionBuilder<DB>()
  return not(
    exists(
      selectFrom('accounts as own')
        .select('own.id')
        .where('own.id', '=', accountId)
        .where('own.ownSince', '<=', createdAt),
    ),
  )
}

/** Condition: somebody else made it, or it was made before the account chose its password. */
function ofOthers(
  accountId: number,
  madeBy: Expression<number | null>,
  createdAt: Expression<string>,
): Expression<SqlBool> {
  const { eb, or } = expressionBuilder<DB>()
  return or([eb(madeBy, 'is', null), eb(madeBy, '<>', accountId), beforeItsOwn(accountId, createdAt)])
}

function trafficOf(accountId: number) {
  return expressionBuilder<DB>().selectFrom('traffic').select('traffic.id').where('userId', '=', accountId)
}

async function endInvitations(tx: Tx, now: Date, accountId: number): Promise<number> {
  return ended(
    await tx.$kysely
      .updateTable('invites')
      .set({ expiresAt: now })
      .where('accountId', '=', accountId)
      .where('expiresAt', '>', now.toISOString())
      .executeTakeFirstOrThrow(),
  )
}

/** Ends all access tokens and log-ins of chats, but in the chat that is kept. */
async function endVersion(tx: Tx, now: Date, { accountId, keptChatId }: KeptChat): Promise<number> {
  const { tokenVersion } = await tx.$kysely
    .updateTable('accounts')
    .set(({ eb }) => ({ tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', accountId)
    .returning('tokenVersion')
    .executeTakeFirstOrThrow()
  if (keptChatId !== undefined)
    await tx.$kysely
      .updateTable('logIns')
      .set({ accountVersion: tokenVersion })
      .where('chatId', '=', keptChatId)
      .where('accountId', '=', accountId)
      .execute()
  return 1
}

/** The log-ins that a person has taken in its private chat by links that it made itself. */
async function endLogInsOfPerson(
  tx: Tx,
  now: Date,
  { personId, telegramId }: Losses['person'],
): Promise<number> {
  if (personId === null || telegramId === null) return 0
  const opened = await tx.$kysely
    .selectFrom('invites')
    .select('accountId')
    .distinct()
    .where('personId', '=', personId)
    .where('usedAt', 'is not', null)
    .where('accountId', 'in', ({ selectFrom }) =>
      selectFrom('logIns').select('logIns.accountId').where('chatId', '=', telegramId),
    )
    .execute()
  for (const { accountId } of opened) await endLogIns(tx, now, { accountId, chatId: telegramId })
  return opened.length
}

async function changeGatewayPasswords(tx: Tx, now: Date, accountId: number): Promise<number> {
  const main = await tx.$kysely.selectFrom('traffic').select('id').where('userId', '=', accountId).execute()
  const parts = await tx.$kysely
    .selectFrom('subAccounts')
    .select('id')
    .where('trafficId', 'in', trafficOf(accountId))
    .where('status', '<>', 'deleted')
    .execute()
  for (const { id } of main)
    await tx.$kysely
      .updateTable('traffic')
      .set({ password: newGatewayPassword(), updatedAt: now })
      .where('id', '=', id)
      .execute()
  for (const { id } of parts)
    await tx.$kysely
      .updateTable('subAccounts')
      .set({ password: newGatewayPassword(), updatedAt: now })
      .where('id', '=', id)
      .execute()
  return main.length + parts.length
}

function ended(result: { readonly numUpdatedRows: bigint } | { readonly numDeletedRows: bigint }): number {
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)
}
