import { svgText as text } from '../../kit/charts/png.ts'
import { wrapped } from '../../kit/columns.ts'

/** A line of a receipt: label and value. */
export type ReceiptRow = readonly [label: string, value: string]

/** What a receipt says, in the words of the chat. */
export interface Receipt {
  /** Number of the order or top-up. */
  readonly number: string
  readonly rows: readonly ReceiptRow[]
  readonly total: ReceiptRow
}

const WIDTH = 800
const MARGIN = 48
const LINE_HEIGHT = 42
/** Space between rows. */
const GAP = 14
const HEADER = 132
const FOOTER = 120
/** Columns per line of a value: what the label leaves free at this font size. */
const VALUE_COLUMNS = 28
const RIGHT = 'text-anchor="end"'
/** Dark on white, for screen and print. */
const INK = { paper: '#ffffff', text: '#101828', muted: '#5b6780', rule: '#d5dbe6' } as const

/**
 * Draws a receipt as SVG; its height follows the rows.
 *
 * @param title heading of the picture
 * @param issuer name of whoever was paid
 */
export function receiptSvg({ rows, total }: Receipt, title: string, issuer: string): string {
  let top = HEADER
  const drawn = rows.map(([label, value]) => {
    const values = wrapped(value, VALUE_COLUMNS)
    const row = [
      text(MARGIN, top, label, `fill="${INK.muted}"`),
      ...values.map((line, index) => text(WIDTH - MARGIN, top + index * LINE_HEIGHT, line, RIGHT)),
    ]
    top += values.length * LINE_HEIGHT + GAP
    return row.join('')
  })
  const rule = (y: number) =>
    `<path d="M${MARGIN} ${y} H${WIDTH - MARGIN}" stroke="${INK.rule}" stroke-width="2"/>`
  const [label, value] = total
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top + FOOTER - MARGIN}" font-size="28" fill="${INK.text}">`,
    `<rect width="100%" height="100%" fill="${INK.paper}"/>`,
    text(MARGIN, 66, title, 'font-size="42"'),
    text(WIDTH - MARGIN, 66, wrapped(issuer, VALUE_COLUMNS)[0] ?? '', RIGHT),
    rule(88),
    ...drawn,
    rule(top - LINE_HEIGHT / 2),
    text(MARGIN, top + LINE_HEIGHT, label, 'font-size="34"'),
    text(WIDTH - MARGIN, top + LINE_HEIGHT, value, `${RIGHT} font-size="34"`),
    '</svg>',
  ].join('\n')
}
