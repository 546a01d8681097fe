import type { AnsweredRequest } from '../../../core/accounts/answer-request.ts'
import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import { fromNumber } from '../../../core/money.ts'
import { START } from '../../actions/list-position.ts'
import { topUpButton } from '../../actions/top-ups.ts'
import { USERS } from '../../actions/users.ts'
import { amount } from '../../kit/format.ts'
import { homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { html, lines } from '../../texts/html.ts'
import { userFor } from './handlers.ts'

/** An agent answers a request for money with one press; a second one changes nothing and says what became of it. */
export function askedMoneyFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USERS.giveAsked, async (ctx, actor, { id }) => {
    try {
      return await answered(ctx, actor, await ctx.core.accounts.giveAskedMoney(actor, id))
    } catch (error) {
      const screen = error instanceof ServiceError && refusalScreen(ctx, error)
      if (!screen) throw error
      return screen
    }
  })
  feature.onMember(USERS.declineAsked, async (ctx, actor, { id }) =>
    answered(ctx, actor, await ctx.core.accounts.declineAskedMoney(actor, id)),
  )
  return feature
}

/** Shows the sub-user, below what has become of its request. */
function answered(ctx: BotContext, actor: Actor, request: AnsweredRequest): Promise<Screen> {
  const { userId, username, status, changed } = request
  const { done, before } = ctx.texts.users.asked
  const words = changed && status !== 'over' ? done[status] : before[status]
  const note = words(username, amount(request.amount, ctx.core.currency))
  return userFor(ctx, actor, userId, START, note)
}

/** Returns the screen for a refusal with words of its own here; undefined for one that is worded as everywhere. */
function refusalScreen({ texts, core }: BotContext, { code, data }: ServiceError): Screen | undefined {
  if (code === 'account_disabled') return { text: texts.users.asked.disabled, buttons: [[homeButton(texts)]] }
  const missing = code === 'insufficient_balance' ? fromNumber(Number(data?.['shortfall'])) : undefined
  if (missing === undefined) return undefined
  return {
    text: lines(html`⚠️ ${texts.users.asked.ownShort(amount(missing, core.currency))}`),
    buttons: [[topUpButton(texts, missing)], [homeButton(texts)]],
  }
}
