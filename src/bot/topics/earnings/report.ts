import { InputFile } from 'grammy'
import type { Actor } from '../../../core/access.ts'
import { dayOf, daysAgo } from '../../../core/calendar-day.ts'
import { type Days, daysOfPeriod } from '../../../core/records/periods.ts'
import type { Read } from '../../kit/action.ts'
import { toPng } from '../../kit/charts/png.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { EARNINGS, type REPORT_PERIODS } from './actions.ts'
import { earningsTable } from './earnings-table.ts'
import { earningsSvg, reportScreen } from './report-screen.ts'

type Period = (typeof REPORT_PERIODS)[number]

/** What an agent has earned by day, product and sub-user, as a screen and as a file (rules 13.7). */
export function reportFeature(): Feature {
  const feature = new Feature()
  feature.onMember(EARNINGS.report, reportFor)
  feature.onMember(EARNINGS.file, sendFile)
  return feature
}

async function reportFor(
  ctx: BotContext,
  actor: Actor,
  { period = 'days', part = 'product', page }: Read<typeof EARNINGS.report.shape>,
): Promise<Screen> {
  const report = await ctx.core.earnings.report(actor, daysOf(ctx, period))
  const picture = await toPng(earningsSvg(report, ctx.core.currency))
  return reportScreen(viewOf(ctx), report, { period, part, page }, picture)
}

function daysOf({ core }: BotContext, period: Period): Days {
  const now = core.now()
  switch (period) {
    case 'week':
      return { startDate: daysAgo(now, 6), endDate: dayOf(now) }
    case 'days':
      return daysOfPeriod(now, 'last_30_days')
    case 'month':
      return daysOfPeriod(now, 'this_month')
  }
}

async function sendFile(
  ctx: BotContext,
  actor: Actor,
  { period = 'days' }: Read<typeof EARNINGS.file.shape>,
): Promise<undefined> {
  const { texts, core } = ctx
  const { report: words } = texts.earnings
  const days = daysOf(ctx, period)
  const { items, total } = await core.earnings.export(actor, days)
  if (items.length === 0) {
    await ctx.notify(words.noneToSend, true)
    return undefined
  }
  const name = `earnings-${days.startDate}-${days.endDate}.csv`
  const table = await earningsTable(texts, core.currency, items)
  await ctx.replyWithDocument(new InputFile(table, name), {
    caption: items.length < total ? words.fileCut(items.length, total) : words.file(items.length),
    parse_mode: 'HTML',
  })
  return undefined
}
