/** Returns the length of a text as Telegram's limits count it: in Unicode code points, not in the UTF-16 units of `length`. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}
