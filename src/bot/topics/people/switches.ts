import { ALL_CONCERNS, type Concern, muteOf } from '../../../core/notices/concerns.ts'
import { SALES_MODES } from '../../../core/notices/sales.ts'
import { operatorButton } from '../../actions/operator.ts'
import { PEOPLE } from '../../actions/people.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, isOperatorChat } from '../../session/operator-chat.ts'
import type { Texts } from '../../texts/index.ts'

/** What a person is told in its own chat (rules 14.5); groups are told everything. */
export function switchesFeature(): Feature {
  const feature = new Feature((ctx) => isOperatorChat(ctx) && ctx.chat?.type === 'private')
  feature.on(PEOPLE.notices, async (ctx, { what, off }) => {
    if (what) await ctx.core.chats.setMuted(ctx.chat.id, muteOf(what), off)
    await ctx.show(switchesScreen(ctx, await ctx.core.chats.muted(ctx.chat.id)))
  })
  return feature
}

function switchesScreen(ctx: BotContext, muted: ReadonlySet<string>): Screen {
  const { texts } = ctx
  const { notices } = texts.people
  const concerns: readonly Concern[] = ALL_CONCERNS.filter((concern) => allows(ctx, concern))
  const switches = concerns.map((what) => {
    const off = muted.has(muteOf(what))
    return {
      text: `${off ? '🔕' : '🔔'} ${notices.kinds[what]}`,
      data: PEOPLE.notices.data({ what, off: !off }),
    }
  })
  const sales = allows(ctx, 'profit') ? [[salesButton(texts)]] : []
  return { text: notices.title, buttons: [...grid(switches, 2), ...sales, [operatorButton(texts)]] }
}

/** How the chat, a group too, is told of sales (rules 14.10). */
export function salesFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(PEOPLE.sales, async (ctx, { mode }) => {
    const { core, texts, chat } = ctx
    if (mode) await core.chats.setSalesMode(chat.id, mode)
    const chosen = await core.chats.salesMode(chat.id)
    const { sales } = texts.people
    return ctx.show({
      text: sales.title,
      buttons: [
        ...SALES_MODES.map((each) => [
          choiceButton(sales.modes[each], each === chosen, PEOPLE.sales.data({ mode: each })),
        ]),
        [operatorButton(texts)],
      ],
    })
  })
  return feature
}

const salesButton = ({ people }: Texts): Button => ({
  text: people.buttons.sales,
  data: PEOPLE.sales.data({}),
})
