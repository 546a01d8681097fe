import type { DayFigures } from '../../core/records/dashboard.ts'
import { barChart, type Series } from './bar-chart.ts'
import { COLOR } from './palette.ts'

export const WIDTH = 1000
export const HEIGHT = 700

/**
 * A figure with what it is. Labels of pictures are in English in every language, because the font has no Chinese; the
 * caption says the same in the language of the chat.
 */
export interface Tile {
  readonly label: string
  /** At most eight characters. */
  readonly value: string
  /** A second, smaller figure. */
  readonly hint?: string
}

/** Days of one account or group, and the name in the legend. */
export interface NamedDays {
  readonly name: string
  readonly color: string
  readonly days: readonly DayFigures[]
}

const MARGIN = 36
const GAP = 16
const TILE = { y: 36, height: 158 }

/**
 * Figures above, the spending of the days as bars below: SVG with digits and Latin letters only. It holds nothing that a person
 * typed, so nothing has to be escaped.
 *
 * @param groups at least one; all over the same days
 */
export function overviewSvg(tiles: readonly Tile[], groups: readonly NamedDays[], currency: string): string {
  const dates = groups[0]?.days.map(({ date }) => date) ?? []
  const series = groups.map(({ color, days }): Series => ({
    color,
    amounts: days.map(({ amount }) => amount),
  }))
  const empty = series.every(({ amounts }) => amounts.every((amount) => amount === 0))
  const chart = { x: MARGIN, y: 250, width: WIDTH - 2 * MARGIN, height: HEIGHT - 250 - 20 }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.background}"/>`,
    ...tiles.map((tile, index) => tileSvg(tile, index, tiles.length)),
    `<text x="${MARGIN}" y="244" font-size="27" font-weight="bold" fill="${COLOR.text}">Spending per day, ${currency}</text>`,
    ...(groups.length > 1 ? legend(groups) : []),
    barChart(dates, series, chart),
    empty
      ? `<text x="${WIDTH / 2 + 46}" y="460" text-anchor="middle" font-size="34" fill="${COLOR.muted}">Nothing spent in these 30 days</text>`
      : '',
    '</svg>',
  ].join('\n')
}

function tileSvg({ label, value, hint }: Tile, index: number, count: number): string {
  const width = (WIDTH - 2 * MARGIN - (count - 1) * GAP) / count
  const x = MARGIN + index * (width + GAP)
  const text = (y: number, size: number, color: string, content: string, weight = 'normal') =>
    `<text x="${x + 20}" y="${TILE.y + y}" font-size="${size}" font-weight="${weight}" fill="${color}">${content}</text>`
  return [
    `<rect x="${x}" y="${TILE.y}" width="${width}" height="${TILE.height}" rx="16" fill="${COLOR.tile}"/>`,
    text(42, 24, COLOR.muted, label),
    text(92, 36, COLOR.text, value, 'bold'),
    hint === undefined ? '' : text(132, 20, COLOR.muted, hint),
  ].join('\n')
}

/** From the right edge leftward; a letter takes about 15 pixels. */
function legend(groups: readonly NamedDays[]): string[] {
  let right = WIDTH - MARGIN
  return groups.toReversed().map(({ name, color }) => {
    const x = right - name.length * 15
    right = x - 64
    return `<rect x="${x - 34}" y="224" width="22" height="22" rx="5" fill="${color}"/><text x="${x}" y="244" font-size="25" fill="${COLOR.text}">${name}</text>`
  })
}
