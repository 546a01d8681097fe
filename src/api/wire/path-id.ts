/**
 * The id in a path: plain digits, at most nine.
 *
 * @returns undefined for anything else, which a use case treats like the id of nothing
 */
export function pathId(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
