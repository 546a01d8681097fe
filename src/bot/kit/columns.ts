import { eastAsianWidth } from 'get-east-asian-width'

/** Columns of a label that stands alone in its row; a phone cuts what is longer (rules 18.1). */
export const LINE = 28

/** Least columns that are left of a name that is shortened. */
const LEAST = 6

const ASCII = /^[\x20-\x7e]*$/
/** Drawn over, or joined to, what stands before. */
const WITHOUT_WIDTH = /\p{Mark}|\u200d/u
/** An emoji as people see it: flags are two letters, and a selector makes an emoji of a sign. */
const EMOJI = /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\ufe0f|\p{Emoji_Presentation}/gu

/** Columns that a text takes on a phone: a letter 1, a Chinese character and an emoji 2. */
export function columns(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  const rest = text.replace(EMOJI, () => ((width += 2), ''))
  for (const character of rest)
    if (!WITHOUT_WIDTH.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0)
  return width
}

/** Columns of each label in a row of so many. */
export function share(labels: number): number {
  return Math.floor(LINE / labels)
}

/** Shortens a text in its middle, because order numbers, addresses and names with numbers differ at their ends. */
export function shortened(text: string, most: number): string {
  if (columns(text) <= most) return text
  // Of flags and other joined emoji no half is left.
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const end = fitting(characters.toReversed(), Math.floor((most - 1) / 2))
    .toReversed()
    .join('')
  const start = fitting(characters, most - 1 - columns(end)).join('')
  return `${start.trimEnd()}…${end.trimStart()}`
}

/**
 * `Residential ISP · 4.50 USD`: a label of a name, which may be as long as somebody has made it, and of what must be read behind it.
 * The name is shortened.
 */
export function named(name: string, facts: string, most = LINE): string {
  return shortened(name, Math.max(most - columns(facts) - 3, LEAST)) + (facts === '' ? '' : ` · ${facts}`)
}

/**
 * A label that fits a line; one that is too long loses the currency of its price first, and a price, number or date behind its last dot
 * is left whole (rules 18.1).
 */
export function shortLabel(label: string): string {
  if (columns(label) <= LINE) return label
  const text = label.replace(/(?<=\d) [A-Z]{3,4}$/, '')
  if (columns(text) <= LINE) return text
  const [, name = '', facts = ''] = /^(.*) · (.*)$/s.exec(text) ?? []
  const keeps = /\d/.test(facts) && columns(facts) + 3 + LEAST <= LINE
  return keeps ? named(name, facts) : shortened(text, LINE)
}

/** Lines of at most so many columns, cut at blanks where there are some; a joined emoji that is wider has a line of its own. */
export function wrapped(text: string, most: number): string[] {
  const rows: string[] = []
  let rest = text.trim()
  while (columns(rest) > most) {
    const characters = [...new Intl.Segmenter().segment(rest)].map(({ segment }) => segment)
    const fit = fitting(characters, most).join('') || (characters[0] ?? '')
    if (fit === rest) break
    const blank = rest[fit.length] === ' ' ? fit.length : fit.lastIndexOf(' ')
    const end = blank > 0 ? blank : fit.length
    rows.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return [...rows, rest]
}

/** The first characters that fit. */
function fitting(characters: readonly string[], most: number): string[] {
  let end = characters.length
  while (end > 0 && columns(characters.slice(0, end).join('')) > most) end -= 1
  return characters.slice(0, end)
}

/**
 * Rows of labels that a phone shows whole: a row whose labels do not fit beside each other becomes several, and a label that is
 * too long even alone is shortened (rules 18.1).
 */
export function fitted<Labelled extends { readonly text: string }>(
  rows: readonly (readonly Labelled[])[],
): Labelled[][] {
  return rows.flatMap((row) => {
    const fit: Labelled[][] = []
    for (const button of row) {
      const last = fit.at(-1)
      const joined = [...(last ?? []), button]
      if (last && joined.every(({ text }) => columns(text) <= share(joined.length))) last.push(button)
      else fit.push([{ ...button, text: shortLabel(button.text) }])
    }
    return fit
  })
}
