/** The first digit of each script that people type numbers in, beside ASCII: Arabic-Indic and Persian. */
const ZEROS = [0x0660, 0x06f0] as const
/** Characters that phones put between letters of two directions; nobody sees them. */
const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * Converts what Chinese, Arabic and Persian keyboards type, such as `１２．５`, `２。５` or `٢٠`, to the ASCII characters that it stands
 * for. For numbers and dates only: passwords and remarks stay as they were typed.
 */
export function halfWidth(text: string): string {
  return text
    .replace(DIRECTIONS, '')
    .replaceAll('\u3002', '.')
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (code < ZEROS[1] ? ZEROS[0] : ZEROS[1]))
    })
}
