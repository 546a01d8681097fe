import { type DeleteResult, expressionBuilder, type UpdateResult } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import type { EndedSecrets, SecretKind } from '../ended-secrets.ts'
import { beforeItsOwn, ofOthers, ofPerson } from './makers.ts'
import { endLogIns } from './end-log-ins.ts'
import { newGatewayPassword } from '../gateway-login.ts'

/** Events that take away the right of a bearer secret, with the data that is needed to end secrets. */
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
  /**
   * The person who made it for the shop is removed, or gets another role or Telegram user; null: the first person is named, which ends what
   * an unnamed operator made.
   */
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
  /** Losses that end the secret for good; each function returns how many secrets it has ended. */
  readonly ends: { readonly [Each in Loss]?: Ending<Losses[Each]> }
  /** Losses during which the secret is refused: checked at each use, against the current state of the account and its agent. */
  readonly refused: readonly Loss[]
}

/**
 * All secrets that give a right to whoever holds them, and the losses that take it away; a loss in neither list has no effect. The only
 * place of this table, whose rule (rules 2.28) also says what each secret gives and who makes it.
 */
export const BEARER_SECRETS = {
  api_key: {
    ends: {
      move: (tx, now, { accountId }) =>
        ended(
          tx.$kysely
            .updateTable('apiKeys')
            .set({ revokedAt: now })
            .where('accountId', '=', accountId)
            .where('revokedAt', 'is', null)
            .where(({ ref }) => beforeItsOwn(accountId, ref('apiKeys.createdAt'))),
        ),
    },
    refused: ['disabling', 'deletion'],
  },
  webhook: {
    ends: {
      move: (tx, now, { accountId }) =>
        ended(
          tx.$kysely
            .updateTable('webhooks')
            .set({ status: 'deleted', updatedAt: now })
            .where('accountId', '=', accountId)
            .where('status', '<>', 'deleted')
            .where(({ ref }) => beforeItsOwn(accountId, ref('webhooks.createdAt'))),
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
      person: (tx, now, { personId }) =>
        ended(
          tx.$kysely
            .updateTable('invites')
            .set({ expiresAt: now })
            .where('expiresAt', '>', now.toISOString())
            .where(({ ref }) => ofPerson(personId, ref('invites.personId'), ref('invites.unnamed'))),
        ),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  person_link: {
    ends: {
      person: (tx, now, { personId }) =>
        ended(
          tx.$kysely
            .updateTable('personInvites')
            .set({ endedAt: now })
            .where('endedAt', 'is', null)
            .where(({ ref }) =>
              ofPerson(personId, ref('personInvites.personId'), ref('personInvites.unnamed')),
            ),
        ),
    },
    refused: [],
  },
  web_log_in: {
    ends: {
      person: (tx, now, { personId }) =>
        ended(
          tx.$kysely
            .updateTable('webLogIns')
            .set({ endedAt: now })
            .where('endedAt', 'is', null)
            .where('personId', personId === null ? 'is' : '=', personId),
        ),
    },
    refused: [],
  },
  join_link: {
    ends: {
      key_revoked: (tx, now, { keyId }) =>
        ended(
          tx.$kysely
            .updateTable('joinLinks')
            .set({ revokedAt: now })
            .where('keyId', '=', keyId)
            .where('revokedAt', 'is', null),
        ),
    },
    refused: ['agent_disabled'],
  },
  proxy_link: {
    ends: {
      move: (tx, _now, { accountId }) =>
        ended(
          tx.$kysely
            .deleteFrom('proxyLinks')
            .where('userId', '=', accountId)
            .where(({ ref }) => ofOthers(accountId, ref('proxyLinks.madeBy'), ref('proxyLinks.createdAt'))),
        ),
      key_revoked: (tx, _now, { keyId }) =>
        ended(tx.$kysely.deleteFrom('proxyLinks').where('keyId', '=', keyId)),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  extraction_link: {
    ends: {
      move: (tx, _now, { accountId }) =>
        ended(
          tx.$kysely
            .deleteFrom('extractLinks')
            .where('trafficId', 'in', trafficOf(accountId))
            .where(({ ref }) =>
              ofOthers(accountId, ref('extractLinks.madeBy'), ref('extractLinks.createdAt')),
            ),
        ),
      key_revoked: (tx, _now, { keyId }) =>
        ended(tx.$kysely.deleteFrom('extractLinks').where('keyId', '=', keyId)),
    },
    refused: ['disabling', 'deletion', 'agent_disabled'],
  },
  allowed_address: {
    ends: {
      move: (tx, _now, { accountId }) =>
        ended(
          tx.$kysely
            .deleteFrom('allowedAddresses')
            .where('trafficId', 'in', trafficOf(accountId))
            .where(({ ref }) =>
              ofOthers(accountId, ref('allowedAddresses.madeBy'), ref('allowedAddresses.createdAt')),
            ),
        ),
      // Frees the address for other accounts.
      deletion: (tx, _now, { accountId }) =>
        ended(tx.$kysely.deleteFrom('allowedAddresses').where('trafficId', 'in', trafficOf(accountId))),
      key_revoked: (tx, _now, { keyId }) =>
        ended(tx.$kysely.deleteFrom('allowedAddresses').where('keyId', '=', keyId)),
    },
    refused: ['disabling', 'agent_disabled'],
  },
  /** Passwords for traffic at the gateway; the agent can extract those of a sub-user. */
  gateway_password: {
    ends: { move: (tx, now, { accountId }) => changeGatewayPasswords(tx, now, accountId) },
    refused: ['disabling', 'deletion'],
  },
  password: {
    ends: {
      move: (tx, now, { accountId, passwordHash }) =>
        ended(
          tx.$kysely
            .updateTable('accounts')
            .set({ passwordHash, updatedAt: now })
            .where('id', '=', accountId)
            .where('ownSince', 'is', null),
        ),
    },
    refused: ['disabling', 'deletion'],
  },
  /** Access tokens, and the log-ins of chats. Last in this list, so that chats can be told before they are logged out. */
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

function trafficOf(accountId: number) {
  return expressionBuilder<DB>().selectFrom('traffic').select('traffic.id').where('userId', '=', accountId)
}

function endInvitations(tx: Tx, now: Date, accountId: number): Promise<number> {
  return ended(
    tx.$kysely
      .updateTable('invites')
      .set({ expiresAt: now })
      .where('accountId', '=', accountId)
      .where('expiresAt', '>', now.toISOString()),
  )
}

/** Ends all access tokens and log-ins of chats, except in the kept chat. */
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

/** Ends the log-ins in the private chat of a person to accounts for which that person made an invitation that was opened. */
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

/** Runs a statement, and returns how many rows it has ended. */
async function ended(statement: {
  readonly executeTakeFirstOrThrow: () => Promise<UpdateResult | DeleteResult>
}): Promise<number> {
  const result = await statement.executeTakeFirstOrThrow()
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)
}
