import { halfWidth } from './half-width.ts'

/** Whole thousands, such as `1,000` or `1.234.567`, by what stands between them. */
const THOUSANDS = { ',': /^[1-9]\d{0,2}(?:,\d{3})+$/, '.': /^[1-9]\d{0,2}(?:\.\d{3})+$/ } as const
/** Thousands with blanks of any width, apostrophes or the Arabic sign between them; then decimals. */
const SPACED = /^([1-9]\d{0,2}(?:([^\S\r\n]|['’ʼ\u066C])\d{3})(?:\2\d{3})*)(?:[.,](\d+))?$/

/**
 * Reads a number that a person typed, such as `1,5`, `1 000`, `1'000.50`, `1.000,50`, `−٢٠` or `１２．５` (rules 5.27). Every number that is
 * typed is read by this.
 *
 * @param units what may stand beside the number, as the source of a regular expression without groups that capture
 * @returns ASCII digits, a point before the decimals and `-` in front of what is negative; undefined for what is no number
 */
export function decimalIn(text: string, units?: string): string | undefined {
  const typed = signAndDigits(text, units)
  const plain = typed && withPoint(typed.digits)
  return plain === undefined ? undefined : `${typed?.sign}${plain}`
}

/**
 * Reads a whole number of 0 or more, like {@link decimalIn}; here three digits after a single point are thousands, too.
 *
 * @returns undefined for what is no such number, and for one of more than 9 digits
 */
export function wholeIn(text: string, units?: string): number | undefined {
  const { sign, digits = '' } = signAndDigits(text, units) ?? {}
  const plain = THOUSANDS['.'].test(digits) ? digits.replaceAll('.', '') : (withPoint(digits) ?? '')
  return sign === '' && /^\d{1,9}$/.test(plain) ? Number(plain) : undefined
}

function signAndDigits(text: string, units = '') {
  const plain = halfWidth(text)
    .trim()
    .replace(/^[−–—]/, '-')
    .replaceAll('\u066B', '.')
  const unit = `(?:${units})?`
  const form = String.raw`^([+-]?)\s*${unit}\s*(\d(?:[\d.,'’ʼ\u066C]|[^\S\r\n](?=\d))*)\s*${unit}$`
  const [, sign, digits] = new RegExp(form, 'i').exec(plain) ?? []
  return digits === undefined ? undefined : { sign: sign === '-' ? ('-' as const) : ('' as const), digits }
}

/**
 * Drops what groups thousands, and puts a point before the decimals. With commas and points, the last is that of the decimals. A point
 * alone is so, too; a comma alone, unless it makes whole thousands.
 */
function withPoint(digits: string): string | undefined {
  const [, spaced, , fraction] = SPACED.exec(digits) ?? []
  if (spaced !== undefined) return joined(spaced.replaceAll(/\D/g, ''), fraction)
  const mark = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.'
  const [grouping, at] = [mark === ',' ? '.' : ',', digits.lastIndexOf(mark)] as const
  const repeated = digits.indexOf(mark) !== at
  if (THOUSANDS[mark].test(digits) && (repeated || mark === ',')) return digits.replaceAll(mark, '')
  const whole = at < 0 ? digits : digits.slice(0, at)
  const plain = THOUSANDS[grouping].test(whole) ? whole.replaceAll(grouping, '') : whole
  return joined(plain, at < 0 ? undefined : digits.slice(at + 1))
}

/** @returns undefined where anything but digits is left in either part */
function joined(whole: string, fraction: string | undefined): string | undefined {
  const isPlain = /^\d+$/.test(whole) && (fraction === undefined || /^\d+$/.test(fraction))
  if (!isPlain) return undefined
  return fraction === undefined ? whole : `${whole}.${fraction}`
}
