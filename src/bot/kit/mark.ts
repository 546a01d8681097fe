/** Account ids have at most 9 digits: 6 to the base of 36. */
const MARK = /~([\da-z]{1,6})$/
const BASE = 36

/** Callback data of a button is at most that long (Bot API). */
export const MAX_BYTES = 64
/** The same without the mark. */
export const MAX_UNMARKED = MAX_BYTES - 7

/**
 * Callback data that says for which account the button was made (rules 2.25): `order:17~2s`. There is room for that but in buttons of
 * something under way, which the draft of the account knows, see `steps`.
 */
export function marked(data: string, account: number | undefined): string {
  return account === undefined || Buffer.byteLength(data) > MAX_UNMARKED
    ? data
    : `${data}~${account.toString(BASE)}`
}

/** The parts of {@link marked} data; no account where nobody was logged in, or an older version has made the button. */
export function unmarked(data: string): { readonly data: string; readonly account: number | undefined } {
  const [mark = '', digits] = MARK.exec(data) ?? []
  return {
    data: data.slice(0, data.length - mark.length),
    account: digits === undefined ? undefined : Number.parseInt(digits, BASE),
  }
}
