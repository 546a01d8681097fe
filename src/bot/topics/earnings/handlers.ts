import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import { randomText } from '../../../core/ids.ts'
import { type Micros, toNumber } from '../../../core/money.ts'
import { daysOfPeriod } from '../../../core/periods.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { amount, balanceText } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { amountIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { withEarningsWords } from './problem.ts'
import { earningsScreen, movePrompt } from './screens.ts'

/** What an agent has earned, and how it goes to the balance (rules 13.3, 13.5). */
export function earningsFeature(): Feature {
  const feature = new Feature()
  // Customers have no such command.
  feature.command('earnings', (ctx, next) =>
    ctx.session.actor?.role === 'user' ? next() : showToMember(ctx, (actor) => earningsFor(ctx, actor)),
  )
  feature.onMember(EARNINGS.home, (ctx, actor) => earningsFor(ctx, actor))
  feature.onMember(EARNINGS.move, async (ctx, actor) => {
    requireAgent(actor)
    await ask(ctx, howMuchToMove, { confirmationKey: randomText(10) })
    return undefined
  })
  return feature
}

/**
 * The earnings as they are now.
 *
 * @param note what has just been done
 * @throws agent_required
 */
export async function earningsFor(ctx: BotContext, actor: Actor, note?: Html): Promise<Screen> {
  const { earnings, now } = ctx.core
  const report = await earnings.report(actor, daysOfPeriod(now(), 'this_month'))
  const prices = await earnings.listPrices(actor)
  return earningsScreen(viewOf(ctx), report, earnings.payoutTerms, prices.length > 0, note)
}

/** An amount above 0 that was typed, or that a button answered; undefined for anything else. */
export function typedAmount(text: string, currency: string): Micros | undefined {
  const micros = amountIn(text, currency)
  return micros !== undefined && micros > 0 ? micros : undefined
}

interface Moving {
  readonly confirmationKey: string
  /** What was typed: a button with it moves it. */
  readonly typed?: Micros
}

/** The amount that goes to the balance; the button that names it moves it. */
const howMuchToMove: Question<Moving> = {
  name: 'earnings.move',
  prompt: async (ctx, actor, { typed }) =>
    movePrompt(viewOf(ctx), (await ctx.core.earnings.ofAgent(actor)).available, typed),
  answer: async (ctx, actor, { confirmationKey }, text) => {
    const { core, texts } = ctx
    const typed = typedAmount(text, core.currency)
    if (typed === undefined) return { problem: texts.input.rules.not_an_amount }
    const missing = typed - (await core.earnings.ofAgent(actor)).available
    return missing > 0
      ? { problem: texts.earnings.short(amount(missing, core.currency)) }
      : nextQuestion(howMuchToMove, { confirmationKey, typed })
  },
  choose: move,
}

function move(ctx: BotContext, actor: Actor, { confirmationKey }: Moving, text: string): Promise<Outcome> {
  return withEarningsWords(ctx, async () => {
    const { core, texts } = ctx
    const micros = typedAmount(text, ctx.core.currency)
    if (micros === undefined) return { problem: texts.input.rules.not_an_amount }
    const requestKey = `chat-${confirmationKey}`
    const { balance } = await core.earnings.toBalance(actor, { amount: toNumber(micros), requestKey })
    const note = texts.earnings.moved(amount(micros, core.currency), balanceText(balance, core.currency))
    return { screen: await earningsFor(ctx, actor, note) }
  })
}

export const earningsQuestions = [howMuchToMove]
