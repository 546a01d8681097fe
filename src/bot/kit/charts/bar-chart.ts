import type { Micros } from '../../../core/money.ts'
import { shortAmount, tickLabels } from './figures.ts'
import { COLOR, FONT } from './palette.ts'
import { axisFor } from './scale.ts'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Series {
  readonly color: string
  /** One amount a day; negative where more came back than was spent. */
  readonly amounts: readonly Micros[]
}

const CENT = 10_000
/** Margins of the plot: left for the numbers of the axis, below for the dates, above for the value of the highest bar, right for today's date. */
const MARGINS = { left: 110, bottom: 48, top: 46, right: 36 }
/** Share of a day's width that its bar takes. */
const BAR_SHARE = 0.72
/** A date below every seventh bar, counted from today. */
const WEEK = 7

/**
 * Bars of days, the series stacked on each other: SVG with round numbers beside it, dates below and the value of the highest bar.
 *
 * @param days `YYYY-MM-DD`, oldest first
 */
export function barChart(days: readonly string[], series: readonly Series[], box: Box): string {
  const plot = {
    x: box.x + MARGINS.left,
    y: box.y + MARGINS.top,
    width: box.width - MARGINS.left - MARGINS.right,
    height: box.height - MARGINS.top - MARGINS.bottom,
  }
  const stacks = days.map((_, day) => stackOf(series.map(({ amounts }) => amounts[day] ?? 0)))
  const axis = axisFor(
    stacks.flatMap(({ low, high }) => [low, high]),
    CENT,
  )
  const toY = (amount: number) => plot.y + plot.height * (1 - (amount - axis.min) / (axis.max - axis.min))
  const pitch = plot.width / days.length
  const centre = (day: number) => plot.x + pitch * (day + 0.5)

  const labels = tickLabels(axis.ticks)
  const grid = axis.ticks.map((tick, index) => {
    const y = round(toY(tick))
    const line = `<line x1="${plot.x}" x2="${plot.x + plot.width}" y1="${y}" y2="${y}" stroke="${tick === 0 ? COLOR.axis : COLOR.grid}" stroke-width="2"/>`
    return `${line}<text x="${plot.x - 14}" y="${y + 11}" text-anchor="end" font-size="${FONT}" fill="${COLOR.muted}">${labels[index]}</text>`
  })
  const bars = stacks.flatMap(({ parts }, day) =>
    parts.flatMap(({ from, to }, index) => {
      if (from === to) return []
      const [top, bottom] = [toY(Math.max(from, to)), toY(Math.min(from, to))]
      // A day with little must be told from a day with nothing.
      const height = Math.max(bottom - top, 3)
      return `<rect x="${round(centre(day) - (pitch * BAR_SHARE) / 2)}" y="${round(bottom - height)}" width="${round(pitch * BAR_SHARE)}" height="${round(height)}" rx="3" fill="${series[index]?.color}"/>`
    }),
  )
  const dates = days.flatMap((date, day) =>
    (days.length - 1 - day) % WEEK === 0
      ? `<text x="${round(centre(day))}" y="${plot.y + plot.height + 42}" text-anchor="middle" font-size="${FONT}" fill="${COLOR.muted}">${date.slice(5)}</text>`
      : [],
  )
  return [...grid, ...bars, ...dates, ...peakLabel(stacks, plot, centre, toY)].join('\n')
}

interface Stack {
  readonly low: number
  readonly high: number
  readonly parts: readonly { readonly from: number; readonly to: number }[]
}

/** Draws the value of the highest bar above it, within the plot; its outline covers the lines of the grid. */
function peakLabel(
  stacks: readonly Stack[],
  plot: Box,
  centre: (day: number) => number,
  toY: (amount: number) => number,
): string[] {
  const highest = Math.max(0, ...stacks.map(({ high }) => high))
  if (highest === 0) return []
  const label = shortAmount(highest)
  const half = label.length * 10.5
  const wanted = centre(stacks.findIndex(({ high }) => high === highest))
  const x = Math.min(Math.max(wanted, plot.x + half), plot.x + plot.width - half)
  return [
    `<text x="${round(x)}" y="${round(toY(highest) - 12)}" text-anchor="middle" font-size="${FONT}" font-weight="bold" fill="${COLOR.text}" stroke="${COLOR.background}" stroke-width="10" paint-order="stroke">${label}</text>`,
  ]
}

/** What was spent grows upward from zero, what came back downward. */
function stackOf(amounts: readonly number[]): Stack {
  let [low, high] = [0, 0]
  const parts = amounts.map((amount) => {
    const from = amount < 0 ? low : high
    const to = from + amount
    if (amount < 0) low = to
    else high = to
    return { from, to }
  })
  return { low, high, parts }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
