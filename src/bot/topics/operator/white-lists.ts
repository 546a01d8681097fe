import type { HeldAddress } from '../../../core/gateway/held-addresses.ts'
import { ServiceError } from '../../../core/errors.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { ask, type OperatorQuestion } from '../../dialogue/ask.ts'
import { refusalText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { listed } from '../../kit/some-of.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Ranges with a button of their own. */
const MOST_BUTTONS = 8

/** Shows who holds an address on a white list of the gateway, and frees it (rules 12.8). */
export function whiteListsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.whiteLists, (ctx) => ask(ctx, whichAddress, null))
  feature.on(OPERATOR.askFree, async (ctx, { cidr }) => {
    const [held] = await ctx.core.operator.addresses.held(cidr)
    await ctx.show(held ? askFreeScreen(ctx.texts, held) : heldScreen(ctx.texts, []))
  })
  feature.on(OPERATOR.freeAddress, async (ctx, { cidr }) => {
    try {
      const freed = await ctx.core.operator.addresses.free(by(ctx), cidr)
      await ctx.notify(ctx.texts.operator.whiteLists.freed(freed.cidr, freed.username), true)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      await ctx.notify(refusalText(ctx.texts, error, ctx.core.currency), true)
    }
    await ctx.show(heldScreen(ctx.texts, await ctx.core.operator.addresses.held(cidr)))
  })
  return feature
}

/** The address that somebody cannot add, because another customer has it. */
const whichAddress: OperatorQuestion<null> = {
  name: 'white-list.address',
  forOperator: true,
  prompt: (ctx) =>
    askedIn(ctx, promptScreen(ctx.texts, ctx.texts.operator.whiteLists.ask, OPERATOR.gateway.data())),
  answer: async (ctx: BotContext, _actor, _state, text) => ({
    screen: heldScreen(ctx.texts, await ctx.core.operator.addresses.held(text)),
  }),
}

export const whiteListQuestions = [whichAddress]

function heldScreen(texts: Texts, held: readonly HeldAddress[]): Screen {
  const { whiteLists: words, buttons } = texts.operator
  return {
    text:
      held.length === 0
        ? words.nobody
        : lines(
            words.title,
            '',
            ...listed(
              texts,
              held.map(({ cidr, username, productNo, createdAt }) =>
                words.line(cidr, username, productNo, texts.date(new Date(createdAt))),
              ),
            ),
          ),
    buttons: [
      ...held
        .slice(0, MOST_BUTTONS)
        .map(({ cidr }) => [{ text: words.free(cidr), data: OPERATOR.askFree.data({ cidr }) }]),
      [{ text: words.other, data: OPERATOR.whiteLists.data() }],
      [{ text: buttons.gateway, data: OPERATOR.gateway.data() }, operatorButton(texts)],
    ],
  }
}

function askFreeScreen(texts: Texts, { cidr, username }: HeldAddress): Screen {
  const { whiteLists: words } = texts.operator
  return {
    text: words.askFree(cidr, username),
    buttons: [
      [{ text: words.freeNow, data: OPERATOR.freeAddress.data({ cidr }), style: 'danger' }],
      [{ text: texts.buttons.cancel, data: OPERATOR.gateway.data() }],
    ],
  }
}
