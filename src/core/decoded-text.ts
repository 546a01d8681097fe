/**
 * Decodes the text of a file: UTF-8, without its byte order mark.
 *
 * @returns undefined for anything else, such as UTF-16 (with or without its mark) or GBK
 */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // In UTF-16, Latin letters have a zero in every other byte, which UTF-8 allows.
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
