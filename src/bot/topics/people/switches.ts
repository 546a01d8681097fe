import { ALL_CONCERNS, type Concern, muteOf } from '../../../core/notices/concerns.ts'
import { grid, type Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, isOperatorChat } from '../../session/operator-chat.ts'
import { operatorButton } from '../operator/menu-screen.ts'
import { PEOPLE } from './actions.ts'

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
  return { text: notices.title, buttons: [...grid(switches, 2), [operatorButton(texts)]] }
}
