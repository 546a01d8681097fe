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

/** Returns the columns that each label has in a row of `labels`. */
export function share(labels: number): number {
  return Math.floor(LINE / labels)
}

/** A text cut at its end, with `…` for what is missing: names are told apart by how they begin (rules 18.1). */
export function shortened(text: string, most: number): string {
  if (columns(text) <= most) return text
  return `${fitting(charactersOf(text), most - 1)
    .join('')
    .trimEnd()}…`
}

/** An address or a hash cut in its middle: people compare both of its ends (rules 18.1). */
export function bothEnds(address: string, most: number): string {
  if (columns(address) <= most) return address
  const characters = charactersOf(address)
  const end = fitting(characters.toReversed(), Math.floor((most - 1) / 2))
    .toReversed()
    .join('')
  return `${fitting(characters, most - 1 - columns(end)).join('')}…${end}`
}

/** Text of a button, and the name in it that is shortened where the line lacks room. */
export interface Label {
  readonly text: string
  readonly name?: string | undefined
}

/** An IPv6 address, also of a network or with a port. */
const LONG_ADDRESS = /\[?[\da-f]*(?::[\da-f]*){3,}[\d./:\]]*/i

/**
 * Returns a label that fits a line. One that is too long loses the currency of its price first, then the end of its name, or the middle
 * of an address, or the end of what stands before the last ` · ` with figures behind it (rules 18.1).
 */
export function shortLabel({ text: whole, name: given }: Label): string {
  if (columns(whole) <= LINE) return whole
  const text = given !== undefined && whole.endsWith(given) ? whole : whole.replace(/(?<=\d) [A-Z]{3,4}$/, '')
  if (columns(text) <= LINE) return text
  const [address] = LONG_ADDRESS.exec(text) ?? []
  const roomFor = (part: string) => LINE - columns(text) + columns(part)
  const part =
    [given, address, /^(.*) · .*\d.*$/s.exec(text)?.[1]]
      .filter((each) => each !== undefined)
      .find((each) => roomFor(each) >= Math.min(LEAST, columns(each))) ?? text
  return text.replace(part, () => (part === address ? bothEnds : shortened)(part, roomFor(part)))
}

/** Wraps a text into lines of at most `most` columns, cut at blanks where there are some; a joined emoji that is wider has its own line. */
export function wrapped(text: string, most: number): string[] {
  const rows: string[] = []
  let rest = text.trim()
  while (columns(rest) > most) {
    const characters = charactersOf(rest)
    const fit = fitting(characters, most).join('') || (characters[0] ?? '')
    if (fit === rest) break
    const blank = rest[fit.length] === ' ' ? fit.length : fit.lastIndexOf(' ')
    const end = blank > 0 ? blank : fit.length
    rows.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return [...rows, rest]
}

/** Splits a text into characters as people see them: flags and other joined emoji stay whole. */
function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
}

/** The first characters that fit. */
function fitting(characters: readonly string[], most: number): string[] {
  let width = 0
  const end = characters.findIndex((character) => (width += columns(character)) > most)
  return characters.slice(0, end === -1 ? undefined : end)
}

/** Rows of labels as a phone shows them, and what is too much for a label but must be known. */
export interface Fitted<Labelled> {
  readonly rows: Labelled[][]
  /** Full texts of labels that would look the same when shortened; on its button, each begins with its number in this list, from 1. */
  readonly alike: readonly string[]
}

/**
 * Splits a row whose labels do not fit beside each other, and shortens a label that is too long even alone (rules 18.1).
 */
export function fitted<Labelled extends Label>(rows: readonly (readonly Labelled[])[]): Fitted<Labelled> {
  const alike = alikeIn(rows.flat())
  const shown = (button: Labelled): string => {
    const at = alike.indexOf(button.text)
    return shortLabel(at === -1 ? button : { ...button, text: `${at + 1}. ${button.text}` })
  }
  const fit = rows.flatMap((row) => {
    const parts: Labelled[][] = []
    for (const button of row) {
      const last = parts.at(-1)
      const joined = [...(last ?? []), button]
      if (last && joined.every(({ text }) => columns(text) <= share(joined.length))) last.push(button)
      else parts.push([{ ...button, text: shown(button) }])
    }
    return parts
  })
  return { rows: fit, alike }
}

/** Returns the full texts of the labels that look the same when shortened. */
function alikeIn(labels: readonly Label[]): string[] {
  const wholes = new Map<string, Set<string>>()
  const long = labels.filter(({ text }) => columns(text) > LINE)
  for (const label of long) {
    const short = shortLabel(label)
    wholes.set(short, (wholes.get(short) ?? new Set()).add(label.text))
  }
  // In the order of the screen, each once.
  const alike = long.filter((label) => (wholes.get(shortLabel(label))?.size ?? 0) > 1)
  return [...new Set(alike.map(({ text }) => text))]
}
