import { START } from '../../actions/list-position.ts'
import type { Find } from '../../dialogue/pasted.ts'
import { userFor } from './handlers.ts'

/** A sub-user by its username. */
export const findUser: Find = async (ctx, actor, text) => {
  if (actor.role !== 'agent' || /\s/.test(text)) return undefined
  const [id] = (await ctx.core.accounts.subUsersNamed(actor, [text.replace(/^@/, '')])).ids
  return id === undefined ? undefined : userFor(ctx, actor, id, START)
}
