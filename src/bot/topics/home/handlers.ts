import { GENERAL } from '../../actions/home.ts'
import { HOME } from '../../kit/buttons.ts'
import { NOTHING } from '../../kit/pager.ts'
import type { BotContext } from '../../session/context.ts'
import { anywhere, Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { balanceScreen, helpScreen } from './screens.ts'

/** Handles the home button, which every screen has. */
export function homeButtonFeature(): Feature {
  const feature = new Feature(anywhere)
  feature.on(HOME, (ctx) => showHome(ctx))
  return feature
}

/** Handles start, menu, help and balance. */
export function homeFeature(): Feature {
  const feature = new Feature()

  feature.command(['start', 'menu', 'cancel'], (ctx) => showHome(ctx))
  feature.on(NOTHING, () => {})

  const showHelp = (ctx: BotContext) => ctx.show(helpScreen(ctx.texts))
  feature.command('help', showHelp)
  feature.on(GENERAL.help, showHelp)

  const showBalance = (ctx: BotContext) =>
    showToMember(ctx, async (actor) => balanceScreen(ctx.texts, await ctx.core.accounts.balance(actor)))
  feature.command('balance', showBalance)
  feature.on(GENERAL.balance, showBalance)
  return feature
}
