import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { Audience } from '../../generated/prisma/enums.ts'
import type { Queryable } from '../database/queries.ts'
import { allOf, jsonText, listHas, listOf, notSo } from '../database/dialect.ts'
import { readLanguage } from '../database/read-language.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import { isBestChat } from '../notices/best-chat.ts'
import type { Target } from '../notices/content.ts'

export type { Audience }

/** Audiences of the shop, in the order in which they are offered; `picked` is for agents. */
export const AUDIENCES = Object.values(Audience).filter((audience) => audience !== 'picked')

/** Time in ms without a purchase after which an account belongs to the audience `idle`. */
const IDLE_MS = 30 * 24 * 60 * 60_000

type Scope = DB & { a: DB['accounts']; c: DB['chats']; l: DB['logIns'] }

/**
 * Returns the condition on accounts `a`, chats `c` and log-ins `l` that an account of the audience is logged in there and news are not
 * muted. Used for counting and for sending.
 */
export function isAddressed(
  { audience, agentId, userIds, language }: Target,
  now: Date,
): Expression<SqlBool> {
  const { eb, ref, val } = expressionBuilder<Scope, 'a' | 'c' | 'l'>()
  return allOf([
    eb('a.status', '=', 'active'),
    eb('l.accountVersion', '=', ref('a.tokenVersion')),
    notSo(listHas(ref('c.muted'), val('broadcast'))),
    ...(language === null ? [] : [eb(readLanguage(ref('c.language')), '=', language)]),
    // The shop does not speak in the bot of an agent.
    ...(agentId === null ? [eb('c.botId', 'is', null)] : [eb('a.agentId', '=', agentId), isBestChat()]),
    ...(userIds === null ? [] : [eb('a.id', 'in', listOf(userIds))]),
    ...segment(audience, now),
  ])
}

function segment(audience: Audience, now: Date): Expression<SqlBool>[] {
  const { eb, ref, exists, cast, selectFrom } = expressionBuilder<Scope, 'a' | 'c' | 'l'>()
  switch (audience) {
    case 'agents':
      return [eb('a.role', '=', 'agent')]
    case 'users':
      return [eb('a.role', '=', 'user')]
    case 'with_proxies':
      return [
        exists(
          selectFrom('instances as i')
            .select('i.id')
            .whereRef('i.userId', '=', 'a.id')
            .where('i.status', '=', 'active'),
        ),
      ]
    case 'with_traffic':
      return [
        exists(
          selectFrom('traffic as t')
            .select('t.id')
            .whereRef('t.userId', '=', 'a.id')
            .where(bytesLeft(), '>', 0),
        ),
      ]
    case 'short':
      return [
        eb(cast<number>(jsonText(ref('c.draft'), 'resumeFor'), 'integer'), '=', ref('a.id')),
        eb(cast<number>(jsonText(ref('c.draft'), 'resumeNeeds'), 'bigint'), '>', ref('a.balance')),
      ]
    case 'idle': {
      const since = new Date(now.getTime() - IDLE_MS).toISOString()
      const bought = selectFrom('ledgerEntries as e')
        .select('e.id')
        .whereRef('e.accountId', '=', 'a.id')
        .where('e.type', '=', 'consumption')
        .where('e.createdAt', '>', since)
      return [eb('a.createdAt', '<=', since), notSo(exists(bought))]
    }
    case 'all':
    case 'sub_users':
    case 'picked':
      return []
  }
}

/** Counts the chats that would get a broadcast now, those that have blocked the bot included. */
export async function countTarget({ db, clock }: Essentials, target: Target): Promise<number> {
  const { chats } = await addressed(db.read, target, clock.now())
    .select(({ fn }) => fn.count<number>('c.id').distinct().as('chats'))
    .executeTakeFirstOrThrow()
  return chats
}

/** Selects the chats `c` and accounts `a` of an audience: a chat once for each of its accounts. */
export function addressed(db: Queryable, target: Target, now: Date) {
  return db.$kysely
    .selectFrom('chats as c')
    .innerJoin('logIns as l', 'l.chatId', 'c.id')
    .innerJoin('accounts as a', 'a.id', 'l.accountId')
    .where(isAddressed(target, now))
}
