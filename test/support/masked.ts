/** Order numbers, tokens, hashes, secrets: letters and digits mixed, or letters alone, more than words have. */
const RANDOM = /(?<!\w)(?:(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/-]{12,}=*|[A-Za-z]{18,})(?!\w)/g
/** A promotion code that was made up. */
const CODE = /(?<=🎟 )[A-Z\d]{8}(?= )/gu
const INSTANT = /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?\b/g
const FIGURE = /\d+(?:[.,:]\d+)*/g
const MONTH = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g
const PADDING = /(?<=\S) {3,}/g

/** A text that people see, without what differs from run to run: numbers of orders and the like, instants, and the padding of both. */
export const withoutIdentifiers = (text: string): string =>
  text.replaceAll(INSTANT, '⌚').replaceAll(CODE, '№').replaceAll(RANDOM, '№').replaceAll(PADDING, '  ')

/** A text that people see, without what differs from run to run or from day to day: all figures and the names of months, too. */
export const withoutFigures = (text: string): string =>
  withoutIdentifiers(text).replaceAll(FIGURE, '0').replaceAll(MONTH, 'Mon')
