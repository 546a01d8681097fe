import { workingBot } from '../access/working-bot.ts'
import { INVITE_MARK } from '../accounts/invites.ts'
import { joinTokenIn } from '../accounts/join-links.ts'
import type { Readable } from '../database/database.ts'
import { hashOf } from '../token-hash.ts'
import type { BotDeps } from './agent-bot.ts'

/**
 * Returns the username of the bot to which an invitation or a registration link leads: that of the agent whose sub-user the person is
 * or becomes, the oldest one that works (rules 20.5).
 *
 * @param start the parameter of `/start`
 * @returns undefined: the shop's
 */
export async function botOfLink({ db }: Pick<BotDeps, 'db'>, start: string): Promise<string | undefined> {
  const agentId = await agentOfLink(db.read, start)
  if (agentId === undefined) return undefined
  const bot = await workingBot(db.read).where('b.agentId', '=', agentId).executeTakeFirst()
  return bot?.username
}

async function agentOfLink({ $kysely }: Readable, start: string): Promise<number | undefined> {
  const joinToken = joinTokenIn(start)
  const found =
    joinToken === undefined
      ? await $kysely
          .selectFrom('invites as i')
          .innerJoin('accounts as a', 'a.id', 'i.accountId')
          .select('a.agentId')
          .where('a.role', '<>', 'agent')
          .where('i.tokenHash', '=', hashOf(start.slice(INVITE_MARK.length)))
          .executeTakeFirst()
      : await $kysely
          .selectFrom('joinLinks')
          .select('agentId')
          .where('tokenHash', '=', hashOf(joinToken))
          .executeTakeFirst()
  return found?.agentId ?? undefined
}
