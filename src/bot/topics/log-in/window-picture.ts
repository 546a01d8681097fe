import { columns, wrapped } from '../../kit/columns.ts'
import { COLOR } from '../../kit/charts/palette.ts'
import { svgText, toPng, WRITING } from '../../kit/charts/png.ts'
import type { Texts } from '../../texts/index.ts'

/** A product in the picture: what it is called, what it costs, and where it is. */
export interface Shown {
  readonly name: string
  readonly price: string
  readonly countries: readonly string[]
}

/** Writes words one after another, as the language does. */
type ListWords = Texts['list']

/** Width at which the letters can be read on a phone of 360 points. */
const WIDTH = 800
const MARGIN = 28
const PADDING = 30
const GAP = 20
const HEADER = 84
/** Columns of a line at the font size of a name, and of the countries. */
const NAME_COLUMNS = 28
const COUNTRY_COLUMNS = 40
const NAME_LINE = 46
const COUNTRY_LINE = 40
/** Pictures that are kept, because strangers see the same ones. */
const MOST_KEPT = 20
const kept = new Map<string, Promise<string>>()

/**
 * Draws what is sold: a card for each product, below the name of the shop.
 *
 * @returns PNG, base64
 */
export function windowPicture(shop: string, products: readonly Shown[], list: ListWords): Promise<string> {
  const svg = windowSvg(shop, products, list)
  const known = kept.get(svg)
  if (known) return known
  if (kept.size >= MOST_KEPT) kept.clear()
  const drawn = toPng(svg, WRITING)
  kept.set(svg, drawn)
  drawn.catch(() => kept.delete(svg))
  return drawn
}

function windowSvg(shop: string, products: readonly Shown[], list: ListWords): string {
  let top = HEADER
  const cards = products.map((product) => {
    const { svg, height } = card(product, top, list)
    top += height + GAP
    return svg
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top + MARGIN - GAP}">`,
    `<rect width="100%" height="100%" fill="${COLOR.background}"/>`,
    svgText(MARGIN, 56, wrapped(shop, NAME_COLUMNS)[0] ?? '', `font-size="32" fill="${COLOR.muted}"`),
    ...cards,
    '</svg>',
  ].join('\n')
}

function card(
  { name, price, countries }: Shown,
  top: number,
  list: ListWords,
): { svg: string; height: number } {
  const rows = [
    ...wrapped(name, NAME_COLUMNS).map((text) => ({
      text,
      height: NAME_LINE,
      style: `font-size="34" font-weight="bold" fill="${COLOR.text}"`,
    })),
    { text: price, height: NAME_LINE + 10, style: `font-size="40" fill="${COLOR.own}"` },
    ...countryLines(countries, list).map((text) => ({
      text,
      height: COUNTRY_LINE,
      style: `font-size="28" fill="${COLOR.muted}"`,
    })),
  ]
  let bottom = top + PADDING / 2
  const texts = rows.map(({ text, height, style }) =>
    svgText(MARGIN + PADDING, (bottom += height), text, style),
  )
  const height = bottom - top + PADDING
  const box = `<rect x="${MARGIN}" y="${top}" width="${WIDTH - 2 * MARGIN}" height="${height}" rx="18" fill="${COLOR.grid}"/>`
  return { svg: [box, ...texts].join('\n'), height }
}

/** Two lines of countries, with the number of those for which they have no room. */
function countryLines(countries: readonly string[], list: ListWords): string[] {
  for (let most = countries.length; most > 0; most -= 1) {
    const more = countries.length - most
    const text = `${list(countries.slice(0, most))}${more > 0 ? ` +${more}` : ''}`
    if (columns(text) > 2 * COUNTRY_COLUMNS) continue
    const lines = wrapped(text, COUNTRY_COLUMNS)
    if (lines.length <= 2) return lines
  }
  return []
}
