/** Nothing, null and an empty text are the same: there is none. */
export function noneIfEmpty<Text extends string>(text: Text | null | undefined): Text | undefined {
  return text ? text : undefined
}
