import { AdjustmentInput } from '../../../core/accounts/adjust-balance.ts'
import { parseInput, ServiceError } from '../../../core/errors.ts'
import { START } from '../../actions/list-position.ts'
import type { Find } from '../../dialogue/pasted.ts'
import { refusalText } from '../../kit/errors.ts'
import { amountAndRest } from '../../kit/typed-number.ts'
import { html } from '../../texts/html.ts'
import { adjusting } from './adjust.ts'
import { userFor } from './handlers.ts'

/** A name, and with a sign what its balance is changed by. */
const NAMED = /^@?(?<name>\S+)(?:\s+(?<change>[+\-−–—＋－].*))?$/

/**
 * An agent's own sub-user by its username. With an amount such as `+10`, and perhaps a remark behind it, this is the question whether its
 * balance is changed (rules 17.3).
 */
export const findUser: Find = async (ctx, actor, text) => {
  const { name, change } = NAMED.exec(text)?.groups ?? {}
  if (actor.role !== 'agent' || name === undefined) return undefined
  const { currency } = ctx.core
  const adjustment = change === undefined ? undefined : amountAndRest(change, currency)
  if (change !== undefined && !adjustment?.micros) return undefined
  const [id] = (await ctx.core.accounts.subUsersNamed(actor, [name])).ids
  if (id === undefined || !adjustment) return id === undefined ? undefined : userFor(ctx, actor, id, START)
  try {
    const remark = adjustment.rest === '' ? null : parseInput(AdjustmentInput.shape.remark, adjustment.rest)
    await ctx.core.accounts.planAdjustment(actor, id, adjustment.micros)
    return adjusting({ id, position: START, change: adjustment.micros }, remark)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const why = refusalText(ctx.texts, error, currency, ctx.texts.input.ownShort)
    return userFor(ctx, actor, id, START, html`⚠️ ${why}`)
  }
}
