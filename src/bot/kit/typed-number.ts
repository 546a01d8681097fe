import { halfWidth, ungrouped } from '../../core/half-width.ts'
import { fromText, type Micros } from '../../core/money.ts'

/** A number of things: `5`, `１０`, `5个`, `5 pcs`, `5 шт.`, `1,000` (rules 5.27). */
export function countIn(text: string): number | undefined {
  const [, digits = ''] =
    /^(\d[\d,]{0,8})\s*(?:个|個|条|次|天|人|ip|ips|pcs?|proxy|proxies|x|шт\.?|штук[аи]?|прокси|раза?|дн(?:ей|я)|день)?$/i.exec(
      halfWidth(text).trim(),
    ) ?? []
  const number = ungrouped(digits)
  return number === undefined || number === '' ? undefined : Number(number)
}

/** An amount of USDT in digits and a point: `20`, `20u`, `1,000 USDT`, `99。5刀` (rules 8.1, 5.27). */
export function usdtIn(text: string): string | undefined {
  const [, digits = ''] =
    /^\$?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:u|usdt|usd|刀|美元|\$)?$/i.exec(halfWidth(text).trim()) ?? []
  const number = ungrouped(digits)
  return number === '' ? undefined : number
}

/** What people write beside an amount of a currency, apart from its code. */
const SIGNS: Readonly<Record<string, string>> = {
  USD: '\\$|刀|美元|u|usdt|долл(?:\\.|ар(?:а|ов)?)?',
  CNY: '[¥￥]|元|块|rmb',
  EUR: '€|欧元|евро',
  RUB: '₽|руб(?:\\.|ль|ля|лей)?|р\\.?|卢布',
}

/**
 * An amount of the shop's currency: `20`, `+1,000.50`, `−5 USD`, `$20`, `20元` (rules 5.27). Another currency is not taken for it.
 *
 * @returns with its sign; undefined for what is no amount
 */
export function amountIn(text: string, currency: string): Micros | undefined {
  const unit = `(?:${currency}|${SIGNS[currency] ?? currency})?`
  const [, sign = '', digits] =
    new RegExp(`^([+\\-−–])?\\s*${unit}\\s*([\\d,.]+)\\s*${unit}$`, 'i').exec(halfWidth(text).trim()) ?? []
  return digits === undefined ? undefined : fromText((sign === '' || sign === '+' ? '' : '-') + digits)
}
