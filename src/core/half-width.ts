/**
 * Full-width characters of a Chinese keyboard, such as `１２．５` or `２。５`, as the ASCII characters that they stand for. For numbers
 * and dates only: passwords and remarks stay as they were typed.
 */
export function halfWidth(text: string): string {
  return text
    .replaceAll('\u3002', '.')
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}
