/**
 * What a Chinese keyboard types in full width, `１２．５` or `２。５`, as the characters that are meant by it. For numbers and dates:
 * in a password or a remark they are meant as they are.
 */
export function halfWidth(text: string): string {
  return text
    .replaceAll('\u3002', '.')
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}
