import type { Micros } from '../../core/money.ts'
import { MAX_PAGE } from '../../core/page.ts'

/**
 * What the buttons carry: the name of an action and its parameters, at most 64 bytes (Bot API). Everything needed to
 * draw the next screen is in it, or in the chat's draft, so a button works after a restart and from an old message. It can be
 * forged, so each press is checked like any other request.
 */
const MAX_BYTES = 64

/**
 * @param action name of the action
 * @param parameters without colons, but for the last
 * @throws when it would not fit into a button: a bug, because all parameters are short numbers and codes
 */
export function pack(action: string, ...parameters: (string | number)[]): string {
  const data = [action, ...parameters].join(':')
  if (Buffer.byteLength(data) > MAX_BYTES) throw new Error(`callback data is too long: ${data}`)
  return data
}

/** Action and parameters of a pressed button. */
export function unpack(data: string): [action: string, ...parameters: string[]] {
  const [action = '', ...parameters] = data.split(':')
  return [action, ...parameters]
}

/** A parameter that is a whole number of 0 or more; undefined for anything else. */
export function wholeNumber(parameter: string | undefined): number | undefined {
  return parameter !== undefined && /^\d{1,12}$/.test(parameter) ? Number(parameter) : undefined
}

/** An amount of money as a parameter: short. */
export function packAmount(micros: Micros): string {
  return micros.toString(36)
}

/** A parameter that is an amount of 0 or more; undefined for anything else. */
export function amountOf(parameter = ''): Micros | undefined {
  const micros = /^[\da-z]{1,11}$/.test(parameter) ? Number.parseInt(parameter, 36) : NaN
  return Number.isSafeInteger(micros) ? micros : undefined
}

/** A parameter that is the number of a page; the first for anything else. */
export function pageNumber(parameter: string | undefined): number {
  return Math.min(wholeNumber(parameter) || 1, MAX_PAGE)
}
