/** Codes, numbers or addresses that were typed one after the other, in any language. */
export function typedList(text: string): string[] {
  return text.split(/[\s,，;；、]+/).filter((part) => part !== '')
}
