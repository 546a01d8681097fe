/** Turns null and an empty text into undefined. */
export function noneIfEmpty<Text extends string>(text: Text | null | undefined): Text | undefined {
  return text ? text : undefined
}
