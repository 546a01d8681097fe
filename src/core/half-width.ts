/**
 * Converts full-width characters of a Chinese keyboard, such as `１２．５` or `２。５`, to the ASCII characters that they stand for. For numbers
 * and dates only: passwords and remarks stay as they were typed.
 */
export function halfWidth(text: string): string {
  return text
    .replaceAll('\u3002', '.')
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

const GROUPED = /^\d{1,3}(?:,\d{3})+$/

/** Removes separators between thousands: `1,000.5` gives `1000.5`; returns undefined where a comma means something else, as in `1,5`. */
export function ungrouped(digits: string): string | undefined {
  if (!digits.includes(',')) return digits
  const [whole = '', ...decimals] = digits.split('.')
  return GROUPED.test(whole) ? [whole.replaceAll(',', ''), ...decimals].join('.') : undefined
}
