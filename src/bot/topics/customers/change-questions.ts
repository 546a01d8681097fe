import { randomText } from '../../../core/ids.ts'
import { type ChangeName, CUSTOMERS } from '../../actions/customers.ts'
import { ask, nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { amountAndRest } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, isOperatorChat } from '../../session/operator-chat.ts'
import { html, lines } from '../../texts/html.ts'
import type { Asked, Change, Decided } from './change.ts'
import { CUSTOMER_CHANGES } from './customer-changes.ts'
import { ORDER_CHANGES } from './order-changes.ts'
import { orGone } from './pages.ts'

const CHANGES: { readonly [Name in ChangeName]: Change } = { ...CUSTOMER_CHANGES, ...ORDER_CHANGES }
/** Longest reason, in characters. */
const LONGEST_REASON = 255
const DANGEROUS = new Set<ChangeName>(['disable', 'delete', 'endOrder', 'end'])

/** Changes of customers, orders and proxies: a preview, a reason, a confirmation (rules 16.2). */
export function changesFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(CUSTOMERS.change, (ctx, { change, subject = '' }) =>
    orGone(ctx, async () => {
      if (change === undefined) return ctx.show(await ctx.homeScreen())
      const asked = { change, subject }
      return ask(ctx, (await CHANGES[change].ask?.(ctx, asked)) ? value : reason, asked)
    }),
  )
  return feature
}

/** The value that a change needs before its reason. */
const value: OperatorQuestion<Asked> = {
  name: 'customers.value',
  forOperator: true,
  prompt: async (ctx, _actor, asked) => {
    const prompt = await CHANGES[asked.change].ask?.(ctx, asked)
    return askedIn(ctx, withCancel(ctx, asked, prompt ?? { text: html``, buttons: [] }))
  },
  answer: takeValue,
  choose: takeValue,
}

async function takeValue(ctx: BotContext, _actor: undefined, asked: Asked, typed: string): Promise<Outcome> {
  const taken = await CHANGES[asked.change].take?.(ctx, asked, typed)
  if (!taken) return { problem: ctx.texts.useButtons }
  return 'problem' in taken ? taken : nextQuestion(reason, { ...asked, ...taken })
}

/** The reason: typed, or one of the usual ones. */
const reason: OperatorQuestion<Asked> = {
  name: 'customers.reason',
  forOperator: true,
  prompt: async (ctx, _actor, asked) => {
    const { why, whyTold, partToo, usualReasons } = ctx.texts.customers
    const { told, part, preview } = CHANGES[asked.change]
    const text = lines(
      await preview(ctx, asked),
      '',
      told ? whyTold : why,
      ...(part ? ['' as const, partToo] : []),
    )
    const reasons = usualReasons[asked.change]().map((label, at) => [{ text: label, answer: String(at) }])
    return askedIn(ctx, withCancel(ctx, asked, { text, buttons: reasons }))
  },
  answer: async (ctx, _actor, asked, text) => {
    const { part } = CHANGES[asked.change]
    if (text.length > LONGEST_REASON) return { problem: ctx.texts.input.tooLong(LONGEST_REASON) }
    const begun = part && /^\p{Nd}/u.test(text) ? amountAndRest(text, ctx.core.currency) : undefined
    if (!part || !begun?.rest) return decided(asked, text)
    const taken = await part(ctx, asked, begun.micros)
    return 'problem' in taken ? taken : decided({ ...asked, ...taken }, begun.rest)
  },
  choose: ({ texts }, _actor, asked, choice) => {
    const usual = texts.customers.usualReasons[asked.change]()[Number(choice)]
    return usual === undefined ? { problem: texts.useButtons } : decided(asked, usual)
  },
}

function decided(asked: Asked, why: string): Outcome {
  return nextQuestion(confirmed, { ...asked, reason: why, key: randomText(12) })
}

const confirmed: OperatorQuestion<Decided> = {
  name: 'customers.confirm',
  forOperator: true,
  prompt: async (ctx, _actor, state) => {
    const { customers } = ctx.texts
    const { preview, otherWay } = CHANGES[state.change]
    const other = await otherWay?.(ctx, state)
    const style = DANGEROUS.has(state.change) ? 'danger' : 'success'
    return withCancel(ctx, state, {
      text: lines(await preview(ctx, state), '', customers.reason(state.reason), '', customers.sure),
      buttons: [
        [{ text: customers.confirms[state.change], answer: 'now', style }],
        other === undefined ? [] : [{ text: other, answer: 'other', style }],
      ],
    })
  },
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, state, choice) => ({
    screen: await CHANGES[state.change].carryOut(ctx, state, choice === 'other'),
  }),
}

function withCancel({ texts }: BotContext, { change, subject }: Asked, prompt: Prompt): Prompt {
  const cancel = { text: texts.buttons.cancel, data: CHANGES[change].back(subject) }
  return { ...prompt, buttons: [...prompt.buttons, [cancel]] }
}

export const changeQuestions = [value, reason, confirmed]
