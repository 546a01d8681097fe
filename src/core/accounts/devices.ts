import type { Actor } from '../access/actor.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import { compiled } from '../database/compiled.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { endLogIns } from '../access/end-log-ins.ts'

/** A chat in which an account is logged in, and the person there as Telegram tells them. */
export interface Device {
  readonly chatId: number
  readonly personName: string | null
  /** The username at Telegram in lower case. */
  readonly telegramName: string | null
  readonly since: string
  /** Precise to 15 minutes. */
  readonly usedAt: string
}

/** Lists the chats in which an account is logged in, the one used last first; at most 50 (rules 2.26). */
export function listDevices({ db }: Essentials, { id }: Actor): Promise<Device[]> {
  return findDevices(db.read, { id })
}

const findDevices = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('logIns as l')
    .innerJoin('accounts as a', 'a.id', 'l.accountId')
    .innerJoin('chats as c', 'c.id', 'l.chatId')
    .select(['c.id as chatId', 'c.personName', 'c.telegramName', 'l.createdAt as since', 'l.usedAt'])
    .whereRef('l.accountVersion', '=', 'a.tokenVersion')
    .where('l.accountId', '=', id)
    .orderBy('l.usedAt', 'desc')
    .orderBy('c.id')
    .limit(50),
)

/** An account logs itself out of a chat. Ending what has ended changes nothing. */
export function endDevice({ db, clock }: Essentials, actor: Actor, chatId: number): Promise<void> {
  return db.write((tx) => {
    happened(tx, { kind: 'account.logged_out', actor })
    return endLogIns(tx, clock.now(), { chatId, accountId: actor.id })
  })
}

/**
 * An account ends all its tokens, chat log-ins and invitations; its password and its API keys stay (rules 2.26).
 *
 * @param keptChatId the chat that stays logged in; undefined for none
 */
export async function endOtherDevices(
  { db, clock }: Essentials,
  actor: Actor,
  keptChatId: number | undefined,
): Promise<void> {
  await db.write((tx) => {
    happened(tx, { kind: 'account.logged_out_everywhere', actor })
    return endSecrets(tx, clock.now(), 'log_out', { accountId: actor.id, keptChatId })
  })
}
