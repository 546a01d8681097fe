import type { Actor } from '../../../core/access/actor.ts'
import { USAGE } from '../../actions/traffic.ts'
import { toPng } from '../../kit/charts/png.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { accountOf, inCore, type TrafficAccount } from './account.ts'
import { DAYS_DRAWN, usageChartScreen, usageSvg } from './usage-chart.ts'
import { askForgetScreen, DAYS_SHOWN, hostsScreen, usageScreen, usedProductsScreen } from './usage-screens.ts'

const WEEK = 7

/** What traffic is used for, by day and by host: one's own and that of sub-users. */
export function usageFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USAGE.products, async (ctx, actor, { user, page }) => {
    const owner = await ctx.core.accounts.getSubUser(actor, user)
    const { items } = await ctx.core.traffic.productsFlow(actor, owner.id)
    return usedProductsScreen(viewOf(ctx), owner, items, page)
  })
  feature.onMember(USAGE.days, async (ctx, actor, which) => {
    const account = await accountOf(ctx, actor, which)
    const figures = await ctx.core.traffic.usage(actor, { ...inCore(account), days: DAYS_SHOWN })
    return usageScreen(viewOf(ctx), account, figures)
  })
  feature.onMember(USAGE.chart, async (ctx, actor, which) => {
    const account = await accountOf(ctx, actor, which)
    const range = { ...inCore(account), days: DAYS_DRAWN }
    const figures = await ctx.core.traffic.usage(actor, range)
    const svg = usageSvg(figures, ctx.core.now(), ctx.texts)
    return usageChartScreen(viewOf(ctx), account, figures, svg && (await toPng(svg)))
  })
  feature.onMember(USAGE.hosts, async (ctx, actor, { day, ...which }) =>
    hosts(ctx, actor, await accountOf(ctx, actor, which), day),
  )
  feature.onMember(USAGE.askForget, async (ctx, actor, { day, ...which }) =>
    askForgetScreen(viewOf(ctx), await accountOf(ctx, actor, which), day),
  )
  feature.onMember(USAGE.keepHosts, async (ctx, actor, { keep, day, ...which }) => {
    const account = await accountOf(ctx, actor, which)
    await ctx.core.traffic.setKeepsHosts(actor, inCore(account), keep)
    await ctx.notify(ctx.texts.usage.switched[keep ? 'on' : 'off'])
    return hosts(ctx, actor, account, day)
  })
  return feature
}

async function hosts(
  ctx: BotContext,
  actor: Actor,
  account: TrafficAccount,
  day: string | undefined,
): Promise<Screen> {
  const range = day === undefined ? { days: WEEK } : { days: 1, lastDay: day }
  const figures = await ctx.core.traffic.usage(actor, { ...inCore(account), ...range })
  return hostsScreen(viewOf(ctx), account, figures, day)
}
