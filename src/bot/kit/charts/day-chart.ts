import { barChart, type Series } from './bar-chart.ts'
import { shortAmount } from './figures.ts'
import { COLOR, FONT } from './palette.ts'

const WIDTH = 800
const HEIGHT = 520
const MARGIN = 32
/** Height of the line with unit and sums, above the chart. */
const HEADER = 40
/** Room for the longest sum. */
const SUM_WIDTH = 230

/**
 * Money or traffic per day as SVG, with digits and the unit only: the caption says what it shows. It holds nothing that a person typed, so
 * nothing has to be escaped.
 *
 * @param unit code of the currency, or a unit of traffic
 * @param days `YYYY-MM-DD`, oldest first
 * @param series stacked on each other, each with an amount for every day
 */
export function dayChart(unit: string, days: readonly string[], series: readonly Series[]): string {
  // The last sum ends at the margin.
  const sums = series.map(({ color, amounts }, index) => {
    const sum = shortAmount(amounts.reduce((total, amount) => total + amount, 0))
    const x = WIDTH - MARGIN - (series.length - 1 - index) * SUM_WIDTH
    return `<text x="${x}" y="46" text-anchor="end" font-size="${FONT}" font-weight="bold" fill="${color}">Σ ${sum}</text>`
  })
  const chart = {
    x: MARGIN,
    y: MARGIN / 2 + HEADER,
    width: WIDTH - 2 * MARGIN,
    height: HEIGHT - MARGIN - HEADER,
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.background}"/>`,
    `<text x="${MARGIN}" y="46" font-size="${FONT}" fill="${COLOR.muted}">${unit}</text>`,
    ...sums,
    barChart(days, series, chart),
    '</svg>',
  ].join('\n')
}
