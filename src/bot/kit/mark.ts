/** The mark with an account id, which has at most 9 decimal digits: 6 to the base of 36. */
const MARK = /~([\da-z]{1,6})$/
const BASE = 36

/** Most bytes of a button's callback data (Bot API). */
export const MAX_BYTES = 64
/** Most bytes of callback data without the mark. */
export const MAX_UNMARKED = MAX_BYTES - 7

/**
 * Callback data that says for which account the button was made (rules 2.25): `order:17~2s`. Only buttons of something under way may
 * lack the room for it; the draft of the account knows those, see `steps`.
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
