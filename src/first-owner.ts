import type { Core } from './core/core.ts'
import { SYSTEM } from './core/people/operator.ts'

/** The name of the first person until somebody writes another one. */
const NAME = 'Owner'

/**
 * While nobody runs the shop, makes the link by which whoever opens it first becomes its owner; an earlier one ends (rules 14.9).
 *
 * @returns the parameter that starts the bot; undefined where somebody is named, or OPERATOR_CHAT_IDS says who runs the shop
 */
export async function firstOwnerLink({ operator }: Core): Promise<string | undefined> {
  const { people, chats } = operator
  if ((await chats()).length > 0 || (await people.list()).length > 0) return undefined
  for (const { id, name } of await people.invites()) if (name === NAME) await people.uninvite(SYSTEM, id)
  return (await people.invite(SYSTEM, { name: NAME, role: 'owner' })).start
}
