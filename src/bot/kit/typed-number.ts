import { fromText, type Micros, toNumber } from '../../core/money.ts'
import { decimalIn, wholeIn } from '../../core/typed-number.ts'
import { typedWords } from './typed-words.ts'

/** What people write beside a number of things, days and so on, in any language. */
const UNITS = {
  things: String.raw`个|個|条|條|x|ips?|pcs?\.?|proxy|proxies|шт\.?|штук[аи]?|прокси`,
  uses: String.raw`次|人|times|раза?|чел\.?|человека?`,
  days: typedWords('day'),
  hours: typedWords('hour'),
  minutes: typedWords('minute'),
} as const
export type CountUnit = keyof typeof UNITS

/** A whole number of 0 or more: `5`, `１０`, `5个`, `5 шт`, `1,000` (rules 5.27). */
export function countIn(text: string, ...units: readonly CountUnit[]): number | undefined {
  return wholeIn(
    text,
    (units.length > 0 ? units : (['things'] as const)).map((unit) => UNITS[unit]).join('|'),
  )
}

const DOLLARS = String.raw`\$|u|usdt|usd|刀|美元|долл(?:\.|ар(?:а|ов)?)?`
/** What people write beside an amount of a currency, apart from its code. */
const WORDS: Readonly<Record<string, string>> = {
  USD: DOLLARS,
  USDT: DOLLARS,
  CNY: '[¥￥]|元|块|rmb',
  EUR: '€|欧元|евро',
  RUB: String.raw`₽|руб(?:\.|ль|ля|лей)?|р\.?|卢布`,
}

/** An amount of USDT in digits and a point: `20`, `20u`, `1,000 USDT`, `99。5刀`, `1,5` (rules 8.1, 5.27). */
export function usdtIn(text: string): string | undefined {
  const plain = decimalIn(text, DOLLARS)
  return plain?.startsWith('-') ? undefined : plain
}

/**
 * An amount of the shop's currency: `20`, `+1,000.50`, `−5 USD`, `$20`, `20元` (rules 5.27). Another currency is not taken for it.
 *
 * @returns with its sign; undefined for what is no amount
 */
export function amountIn(text: string, currency: string): Micros | undefined {
  return fromText(text, [currency, WORDS[currency] ?? currency].join('|'))
}

/** The most blanks of an amount: those between the thousands, after a sign and before a unit. */
const MOST_BLANKS = 6

/**
 * An amount, and what is written behind it: `+1 000 USD bank transfer`. Digits that make it longer belong to the amount.
 *
 * @returns undefined where no amount comes first
 */
export function amountAndRest(
  text: string,
  currency: string,
): { readonly micros: Micros; readonly rest: string } | undefined {
  const line = text.trim()
  const blanks = [...line.matchAll(/\s+/g)].slice(0, MOST_BLANKS)
  for (const end of [line.length, ...blanks.map(({ index }) => index).toReversed()]) {
    const micros = amountIn(line.slice(0, end), currency)
    if (micros !== undefined) return { micros, rest: line.slice(end).trim() }
  }
  return undefined
}

/** A percentage of 0 or more with at most 2 decimals: `15`, `15 %`, `12,5%`. */
export function percentIn(text: string): number | undefined {
  const micros = fromText(text, '[%٪]') ?? -1
  return micros >= 0 && micros % 10_000 === 0 ? toNumber(micros) : undefined
}

/** Whether a typed number says that it is a percentage. */
export const isPercent = (text: string): boolean => /[%％٪]\s*$/.test(text)
