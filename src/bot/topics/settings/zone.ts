import { isTimeZone, type TimeZone } from '../../../core/time-zone.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { SETTINGS } from '../../actions/settings.ts'
import type { OperatorQuestion, Outcome, Question } from '../../dialogue/ask.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { textsOf } from '../../texts/index.ts'
import { zoneScreen } from './zone-screen.ts'
import { COMMON_ZONES, zonesNamed } from './zones.ts'

const WHICH_ZONE = 'settings.zone'
const WHICH_ZONE_OF_OPERATOR = 'settings.zone.operator'

/** The time zone of the chat, in the operator's groups and before a log-in as well. */
export function zoneFeature(): Feature {
  const feature = new Feature((ctx) => ctx.chat?.type === 'private' || isOperatorChat(ctx))
  feature.on(SETTINGS.zone, async (ctx, { zone }) => {
    if (!isTimeZone(zone)) return ctx.show(zonesScreen(ctx))
    return ctx.show(await choose(ctx, zone))
  })
  return feature
}

const whichZone = {
  presses: [],
  prompt: (ctx: BotContext) => zonesScreen(ctx),
  answer: async (ctx: BotContext, _actor: unknown, _state: unknown, text: string): Promise<Outcome> => {
    const [zone, ...others] = zonesNamed(text, ctx.core.now())
    if (zone === undefined) return { problem: ctx.texts.settings.zone.unknown(text.slice(0, 40)) }
    return { screen: others.length === 0 ? await choose(ctx, zone) : zonesScreen(ctx, [zone, ...others]) }
  },
}

/** The questions that take text typed at the screen: one for members, one for those who run the shop, who need not be logged in. */
export const zoneQuestions: readonly [Question, OperatorQuestion] = [
  { ...whichZone, name: WHICH_ZONE },
  { ...whichZone, name: WHICH_ZONE_OF_OPERATOR, forOperator: true },
]

async function choose(ctx: BotContext, timeZone: TimeZone): Promise<Screen> {
  const { core, session } = ctx
  await core.chats.setTimeZone(session.chatId, timeZone)
  ctx.session = { ...session, timeZone }
  ctx.texts = textsOf(ctx.session)
  return zonesScreen(ctx)
}

/** @param zones that are offered */
function zonesScreen(ctx: BotContext, zones: readonly TimeZone[] = COMMON_ZONES): Screen {
  const { texts } = ctx
  const screen = (back: readonly Button[]) => zoneScreen(viewOf(ctx), zones, back)
  if (ctx.session.actor)
    return {
      ...screen([backButton(texts, SETTINGS.home.data()), homeButton(texts)]),
      takes: { question: WHICH_ZONE, state: {} },
    }
  if (!isOperatorChat(ctx)) return screen([homeButton(texts)])
  return {
    ...screen([{ text: texts.operator.buttons.operator, data: OPERATOR.home.data() }]),
    takes: { question: WHICH_ZONE_OF_OPERATOR, state: {} },
  }
}
