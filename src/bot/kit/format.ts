import { cityName, countryName } from '../../core/catalog/places.ts'
import type { Language } from '../../core/languages.ts'
import { type Micros, toText } from '../../core/money.ts'
import type { StaticOrder } from '../../core/orders/static-order.ts'
import { type Usdt, usdtText } from '../../core/usdt.ts'
import { type Term, termOf, UNIT, type Unit } from '../../core/term.ts'
import { LOCALES, type Texts } from '../texts/index.ts'

/** `1,234.50 USD`: exactly, for people; files and what is copied have `toText`. */
export function amount(micros: Micros, currency: string): string {
  return `${figure(micros)} ${currency}`
}

/** The same without the currency. */
export function figure(micros: Micros): string {
  return grouped(toText(micros))
}

const CENT = 10_000

/**
 * What somebody has, such as a balance, `1,234.50 USD`: two decimals, rounded down (rules 18.12). Not for what moves or has to be
 * paid, which is shown exactly.
 */
export function balanceText(micros: Micros, currency: string): string {
  return amount(Math.floor(micros / CENT) * CENT, currency)
}

/** USDT, `1,234.5031`, for people; what is copied has `usdtText`. */
export function usdt(units: Usdt | bigint): string {
  return grouped(usdtText(units))
}

/** Digits with separators between thousands. */
export function grouped(digits: string): string {
  return digits.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','))
}

/** `+10.00 USD` */
export function signed(change: Micros, currency: string): string {
  return change > 0 ? `+${amount(change, currency)}` : amount(change, currency)
}

interface Place {
  readonly countryCode: string
  readonly cityCode?: string | null
}

/** `🇺🇸 United States, New York`; the city is left out when there is none. */
export function placeName(place: Place, language: Language): string {
  return `${flag(place.countryCode)} ${plainPlaceName(place, language)}`
}

/** The same without the flag. */
export function plainPlaceName({ countryCode, cityCode }: Place, language: Language): string {
  const country = countryName(countryCode, language)
  const city = cityCode ? cityName(cityCode, language) : ''
  // A city state need not be named twice.
  if (city === '' || country.endsWith(city)) return country
  return LOCALES[language].place(country, city)
}

/** The flag emoji of a country: its letters as regional indicator symbols; a globe for Taiwan, whose flag Chinese phones do not show. */
export function flag(countryCode: string): string {
  if (countryCode === 'TW') return '🌏'
  return countryCode.replace(/[A-Z]/g, (letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 65))
}

/** `3 months`, `7 days` */
export function termName(term: Term, texts: Texts): string {
  return 'days' in term ? texts.term.days(term.days) : texts.term.months(term.months)
}

/** The term of an order as people say it. */
export function orderedTerm(order: StaticOrder, texts: Texts): string {
  return termName(termOf(order.duration, order.unit as Unit, order.cycleTimes), texts)
}

/** How long one billing period of a product is. */
export interface BillingPeriod {
  readonly periodLength: number
  readonly periodUnit: number
}

/** `4.50 USD / month`: the price of one proxy for one billing period. */
export function periodPrice(
  price: Micros,
  { periodLength, periodUnit }: BillingPeriod,
  currency: string,
  texts: Texts,
): string {
  return `${figure(price)} ${pricedUnit({ periodLength, periodUnit }, currency, texts)}`
}

/** `USD / month`: the unit of the price of one proxy. */
export function pricedUnit(period: BillingPeriod, currency: string, texts: Texts): string {
  return `${currency} / ${periodName(period, texts)}`
}

/** `month`, `30 days`: the period that the price of one proxy is for. */
export function periodName({ periodLength, periodUnit }: BillingPeriod, { per }: Texts): string {
  const period = termOf(periodLength, (periodUnit || UNIT.month) as Unit)
  return 'days' in period ? per.days(period.days) : per.months(period.months)
}
