import { daysAgo } from '../../../core/calendar-day.ts'
import type { UsageFigures } from '../../../core/gateway/usage-figures.ts'
import { USAGE } from '../../actions/traffic.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { dayChart } from '../../kit/charts/day-chart.ts'
import { COLOR } from '../../kit/charts/palette.ts'
import type { Screen } from '../../kit/screen.ts'
import { used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { accountLines, inButton, type TrafficAccount } from './account.ts'

export const DAYS_DRAWN = 30
/** Bytes in a millionth of a GB, the unit of the chart. */
const BYTES = 1000

/** Traffic per day in GB, as SVG; undefined when nothing was used (rules 18.3). */
export function usageSvg({ days }: UsageFigures, now: Date, { units }: Texts): string | undefined {
  if (days.every(({ bytes }) => bytes === 0)) return undefined
  const of = new Map(days.map(({ day, bytes }) => [day, bytes]))
  const drawn = Array.from({ length: DAYS_DRAWN }, (_, index) => daysAgo(now, DAYS_DRAWN - 1 - index))
  const amounts = drawn.map((day) => Math.round((of.get(day) ?? 0) / BYTES))
  return dayChart(units.gigabytes, drawn, [{ color: COLOR.own, amounts }])
}

/** @param photo PNG, base64; undefined when nothing was used */
export function usageChartScreen(
  view: View,
  account: TrafficAccount,
  { days }: UsageFigures,
  photo: string | undefined,
): Screen {
  const { texts } = view
  const { usage } = texts
  return {
    ...(photo !== undefined && { photo }),
    text: lines(
      usage.perDay,
      '',
      accountLines(view, account),
      ...(photo === undefined
        ? [usage.nothing(DAYS_DRAWN)]
        : [
            usage.lastDays(DAYS_DRAWN),
            usage.total(
              used(
                days.reduce((sum, { bytes }) => sum + bytes, 0),
                texts,
              ),
            ),
          ]),
    ),
    buttons: [[backButton(texts, USAGE.days.data(inButton(account))), homeButton(texts)]],
  }
}
