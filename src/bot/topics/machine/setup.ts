import { InvalidInput } from '../../../core/errors.ts'
import type { Choice } from '../../../core/operator/choices.ts'
import type { ChoiceState } from '../../../core/operator/setup.ts'
import { MACHINE } from '../../actions/machine.ts'
import { operatorButton } from '../../actions/operator.ts'
import { ask, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { grid, type Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Settings that an owner chooses without a file (rules 9.11). */
export function setupFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(MACHINE.setup, async (ctx, { name }) =>
    name ? ask(ctx, newChoice, { name }) : ctx.show(await setupScreenFor(ctx)),
  )
  return feature
}

/** Another value of a setting. */
const newChoice: OperatorQuestion<{ name: Choice }> = {
  name: 'machine.setup',
  forOperator: true,
  prompt: (ctx, _actor, { name }) => {
    const { setup } = ctx.texts.machine
    const { none } = setup.choices[name]
    return askedIn(ctx, {
      text: setup.choices[name].ask,
      buttons: [
        ...(none === undefined ? [] : [[{ text: none, answer: NONE }]]),
        [{ text: ctx.texts.buttons.cancel, data: MACHINE.setup.data() }],
      ],
    })
  },
  answer: (ctx, _actor, { name }, text) => chosen(ctx, name, name === 'CURRENCY' ? text.toUpperCase() : text),
  choose: (ctx, _actor, { name }) => chosen(ctx, name, null),
}
const NONE = 'none'

export const setupQuestions = [newChoice]

async function chosen(ctx: BotContext, name: Choice, value: string | null): Promise<Outcome> {
  const { setup } = ctx.texts.machine
  try {
    await ctx.core.operator.setup.choose(by(ctx), { name, value })
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const isInUse = error.issues.some(({ message }) => message === 'currency_in_use')
    return { problem: isInUse ? setup.currencyInUse : setup.choices[name].wrong }
  }
  return { screen: await setupScreenFor(ctx, setup.saved) }
}

/** @param note that stands above it */
export async function setupScreenFor(ctx: BotContext, note?: string): Promise<Screen> {
  return setupScreen(ctx.texts, await ctx.core.operator.setup.list(), note)
}

function setupScreen(texts: Texts, states: readonly ChoiceState[], note: string | undefined): Screen {
  const { setup } = texts.machine
  return {
    text: withNote(
      lines(
        setup.title,
        '',
        ...states.map(({ name, value }) =>
          setup.line(setup.choices[name].label, value ?? setup.choices[name].usual),
        ),
        ...(states.some(({ fixed }) => fixed) ? ['' as const, setup.fixed] : []),
      ),
      note,
    ),
    buttons: [
      ...grid(
        states
          .filter(({ fixed }) => !fixed)
          .map(({ name }) => ({ text: setup.choices[name].button, data: MACHINE.setup.data({ name }) })),
        2,
      ),
      [operatorButton(texts)],
    ],
  }
}
