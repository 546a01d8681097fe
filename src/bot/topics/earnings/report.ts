import { InputFile } from 'grammy'
import type { Actor } from '../../../core/access/actor.ts'
import { daysAgo } from '../../../core/calendar-day.ts'
import { type Days, daysOfPeriod, LAST_DAYS } from '../../../core/periods.ts'
import { EARNINGS, type REPORT_PERIODS } from '../../actions/earnings.ts'
import type { Read } from '../../kit/action.ts'
import { toPng } from '../../kit/charts/png.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
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
  const { core } = ctx
  const now = core.now()
  const report = await core.earnings.report(actor, daysOf(now, period))
  const { total: before } = await core.earnings.report(actor, daysBefore(now, period))
  const { sales, takenBack } = report.total
  const picture = sales > 0 || takenBack > 0 ? await toPng(earningsSvg(report, core.currency)) : undefined
  return reportScreen(viewOf(ctx), report, before, { period, part, page }, picture)
}

const LENGTH = { week: 7, days: LAST_DAYS }

function daysOf(now: Date, period: Period): Days {
  return period === 'month' ? daysOfPeriod(now, 'this_month') : lastDays(now, LENGTH[period])
}

/** What a period is compared with: as many days before it, or the whole month before. */
function daysBefore(now: Date, period: Period): Days {
  return period === 'month' ? daysOfPeriod(now, 'last_month') : lastDays(now, LENGTH[period], LENGTH[period])
}

/** Returns `count` days in a row, of which the last was `ago` days before today. */
function lastDays(now: Date, count: number, ago = 0): Days {
  return { startDate: daysAgo(now, ago + count - 1), endDate: daysAgo(now, ago) }
}

async function sendFile(
  ctx: BotContext,
  actor: Actor,
  { period = 'days' }: Read<typeof EARNINGS.file.shape>,
): Promise<undefined> {
  const { texts, core } = ctx
  const { report: words } = texts.earnings
  const days = daysOf(core.now(), period)
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
