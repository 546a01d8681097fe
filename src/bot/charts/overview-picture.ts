import type { DayFigures } from '../../core/records/dashboard.ts'
import { barChart, type Series } from './bar-chart.ts'
import { COLOR } from './palette.ts'

/** As wide as a phone shows it with letters that can be read. */
const WIDTH = 800
const HEIGHT = 700
const MARGIN = 32
const GAP = 16
const TILE = { columns: 2, height: 132 }

/**
 * A figure with what it is. Labels of pictures are in English in every language, because the font has no Chinese; the
 * caption says the same in the language of the chat.
 */
export interface Tile {
  readonly label: string
  /** At most eight characters. */
  readonly value: string
  /** A second, smaller figure, or the unit. */
  readonly hint: string
}

/** Days of one account or group, and the name in the legend. */
export interface NamedDays {
  readonly name: string
  readonly color: string
  readonly days: readonly DayFigures[]
}

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
  const isEmpty = series.every(({ amounts }) => amounts.every((amount) => amount === 0))
  const title = MARGIN + Math.ceil(tiles.length / TILE.columns) * (TILE.height + GAP) + 28
  const chart = { x: MARGIN, y: title + 6, width: WIDTH - 2 * MARGIN, height: HEIGHT - title - 26 }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.background}"/>`,
    ...tiles.map(tileSvg),
    `<text x="${MARGIN}" y="${title}" font-size="27" font-weight="bold" fill="${COLOR.text}">Spending per day, ${currency}</text>`,
    ...(groups.length > 1 ? legend(groups, title) : []),
    barChart(dates, series, chart),
    isEmpty
      ? `<text x="${WIDTH / 2 + 30}" y="${chart.y + chart.height / 2}" text-anchor="middle" font-size="30" fill="${COLOR.muted}">Nothing spent in these 30 days</text>`
      : '',
    '</svg>',
  ].join('\n')
}

function tileSvg({ label, value, hint }: Tile, index: number): string {
  const width = (WIDTH - 2 * MARGIN - (TILE.columns - 1) * GAP) / TILE.columns
  const x = MARGIN + (index % TILE.columns) * (width + GAP)
  const y = MARGIN + Math.floor(index / TILE.columns) * (TILE.height + GAP)
  const text = (below: number, size: number, color: string, content: string, weight = 'normal') =>
    `<text x="${x + 22}" y="${y + below}" font-size="${size}" font-weight="${weight}" fill="${color}">${content}</text>`
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${TILE.height}" rx="16" fill="${COLOR.tile}"/>`,
    text(36, 25, COLOR.muted, label),
    text(81, 42, COLOR.text, value, 'bold'),
    text(115, 24, COLOR.muted, hint),
  ].join('\n')
}

/** From the right edge leftward; a letter takes about 15 pixels. */
function legend(groups: readonly NamedDays[], y: number): string[] {
  let right = WIDTH - MARGIN
  return groups.toReversed().map(({ name, color }) => {
    const x = right - name.length * 15
    right = x - 60
    return `<rect x="${x - 32}" y="${y - 20}" width="22" height="22" rx="5" fill="${color}"/><text x="${x}" y="${y}" font-size="25" fill="${COLOR.text}">${name}</text>`
  })
}
