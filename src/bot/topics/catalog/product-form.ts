import { halfWidth } from '../../../core/half-width.ts'
import { type Language, LANGUAGES, ofEachLanguage } from '../../../core/languages.ts'
import { UNIT } from '../../../core/term.ts'
import { fieldInLanguage, fieldsByLanguage } from '../../../core/translations.ts'
import type { Fields } from '../../kit/form.ts'
import { typedWords } from '../../kit/typed-words.ts'

/** Fields that are set with a new product and can be changed later. */
const EDITED = {
  ...fieldsByLanguage(
    'name',
    ofEachLanguage(() => 'text' as const),
  ),
  ...fieldsByLanguage(
    'description',
    ofEachLanguage(() => 'text' as const),
  ),
  shelf: 'wholeNumber',
  refundHours: 'wholeNumber',
  lowStock: 'wholeNumber',
  lowStockPlace: 'wholeNumber',
  cidrSupported: 'flag',
  assignIpSupported: 'flag',
  replacePolicy: 'text',
  replaceLimit: 'wholeNumber',
  projects: readProjects,
  gateway: 'text',
  countries: 'list',
  cities: 'list',
} as const satisfies Fields

const MARGINS = {
  marginPercent: 'percent',
  marginAmount: 'amount',
  minMarginPercent: 'percent',
} as const satisfies Fields

/** Fields that can be changed; offers and margins belong to a supplied product. */
export const PRODUCT_EDIT = {
  ...EDITED,
  ...MARGINS,
  addOffers: 'list',
  removeOffers: 'list',
} as const satisfies Fields

export const NEW_PRODUCT = {
  productNo: 'text',
  ...EDITED,
  prices: 'prices',
  proxyType: 'wholeNumber',
  period: readPeriod,
  shared: 'flag',
  pool: 'text',
  supplier: 'text',
  offers: 'list',
  ...MARGINS,
} as const satisfies Fields

export type NameField = ReturnType<typeof nameField>
/** Returns the field with the name in a language. */
export const nameField = (language: Language) => fieldInLanguage('name', language)
export const isNameField = (field: string): field is NameField =>
  LANGUAGES.some((language) => nameField(language) === field)

/** `amazon=Amazon, ebay=eBay`; a hyphen for none. */
function readProjects(value: string): { code: string; name: string }[] | undefined {
  if (value === '-') return []
  const projects = value.split(/[,，、]/).map((each) => each.split('='))
  return projects.every(([code, name]) => code?.trim() && name?.trim())
    ? projects.map(([code = '', name = '']) => ({ code: code.trim(), name: name.trim() }))
    : undefined
}

const PERIOD = new RegExp(
  String.raw`^(?<length>\d{1,3})\s*(?:(?<day>${typedWords('day')})|${typedWords('month')})$`,
  'i',
)

/** `1 month`, `30 days`, `1个月`, `30天`, `30 дней`. */
function readPeriod(value: string): { periodUnit: 1 | 3; periodLength: number } | undefined {
  const { length, day } = PERIOD.exec(halfWidth(value))?.groups ?? {}
  if (length === undefined) return undefined
  return { periodLength: Number(length), periodUnit: UNIT[day === undefined ? 'month' : 'day'] }
}
