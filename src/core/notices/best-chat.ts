import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { notSo } from '../database/dialect.ts'

type Scope = DB & { c: DB['chats']; l: DB['logIns'] }

/**
 * Returns the condition on chats `c` and log-ins `l` that the person is told in this chat, although the account is logged in there with
 * several bots: in that of the agent, when it works and is not blocked, else in the shop's (rules 20.7). The bot of somebody who is not, or no
 * longer, the account's agent tells it nothing.
 */
export function isBestChat(): Expression<SqlBool> {
  const { eb: is, and: all, or: either, exists, selectFrom } = expressionBuilder<Scope, 'c' | 'l'>()
  const better = selectFrom('logIns as l2')
    .innerJoin('chats as c2', 'c2.id', 'l2.chatId')
    .select('c2.id')
    .whereRef('l2.accountId', '=', 'l.accountId')
    .whereRef('l2.accountVersion', '=', 'l.accountVersion')
    .whereRef('c2.id', '<>', 'c.id')
    .where(({ eb, fn, ref, or, and }) => {
      const [mine, other] = [rankOf('c'), rankOf('c2')]
      return and([
        eb(fn.coalesce('c2.telegramId', 'c2.id'), '=', fn.coalesce('c.telegramId', 'c.id')),
        or([eb(other, '>', mine), and([eb(other, '=', mine), eb('c2.id', '>', ref('c.id'))])]),
      ])
    })
  return all([notSo(exists(better)), either([is('c.botId', 'is', null), exists(botOfAgent('c'))])])
}

/** 2: with the bot of an agent, which works and is not blocked; 1: with the shop's bot; 0: with the bot of an agent otherwise. */
function rankOf(chat: 'c' | 'c2') {
  const { eb, exists, and } = expressionBuilder<Scope & { c2: DB['chats'] }, 'c' | 'c2'>()
  const works = exists(botOfAgent(chat).where('b.state', '=', 'active').where('g.status', '=', 'active'))
  return eb
    .case()
    .when(`${chat}.botId`, 'is', null)
    .then(1)
    .when(and([eb(`${chat}.blocked`, '=', false), works]))
    .then(2)
    .else(0)
    .end()
}

/** The bot that a chat is with, if it is that of the agent of account `l`. */
function botOfAgent(chat: 'c' | 'c2') {
  const { ref, selectFrom } = expressionBuilder<Scope & { c2: DB['chats'] }, 'c' | 'c2' | 'l'>()
  return selectFrom('agentBots as b')
    .innerJoin('accounts as g', 'g.id', 'b.agentId')
    .innerJoin('accounts as owned', 'owned.agentId', 'b.agentId')
    .select('b.id')
    .where('b.id', '=', ref(`${chat}.botId`))
    .where('owned.id', '=', ref('l.accountId'))
}
