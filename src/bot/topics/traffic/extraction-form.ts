import { isCountryCode } from '../../../core/catalog/places.ts'
import type { ProxyFormat } from '../../../core/orders/proxy-formats.ts'
import { EXTRACT_LIMITS, type ExtractionInput } from '../../../core/traffic/extraction-input.ts'
import { pack, wholeNumber } from '../../kit/callback-data.ts'

/** Actions of an extraction; each button carries the whole form, so that it works from an old message too. */
export const EXTRACT = {
  /** The form. */
  form: 'dx',
  countries: 'dxc',
  typeCountry: 'dxt',
  minutes: 'dxm',
  typeMinutes: 'dxo',
  quantities: 'dxn',
  typeQuantity: 'dxq',
  formats: 'dxa',
  /** What comes of it: in the chat, as a file, as a link, whose button says after the form which one: pressing twice makes one. */
  show: 'dx!',
  file: 'dxf',
  link: 'dxl',
  links: 'dxk',
  askRevoke: 'dxr',
  revoke: 'dxr!',
} as const

/** Names of what can be typed where buttons are as well; each needs the form. */
export const EXTRACT_QUESTION = {
  country: 'extraction.country',
  minutes: 'extraction.minutes',
  quantity: 'extraction.quantity',
} as const

/** For how long a proxy keeps its exit, unless somebody says otherwise. */
export const STICKY_MINUTES = 10

/** How a line may be written; the words are those of the extraction (rules 6.6). */
export const LINE_FORMATS = {
  c: 'host:port:username:password',
  a: 'username:password@host:port',
  u: 'protocol://username:password@host:port',
  v: 'host,port,username,password',
} as const
export type LineFormat = keyof typeof LINE_FORMATS

/** What is extracted, and how it is written. */
export interface ExtractionForm {
  readonly productId: number
  /** Empty for any. */
  readonly countryCode: string
  /** How long each proxy keeps its exit; 0: every request may get another one. */
  readonly minutes: number
  readonly quantity: number
  readonly protocol: 'http' | 'socks5'
  readonly format: LineFormat
}

/** How many parameters a form is in a button. */
export const FORM_PARTS = 6

/** A form as it is opened: in the form of lines that the chat prefers. */
export function newForm(productId: number, preferred: ProxyFormat): ExtractionForm {
  const format = { colon: 'c', at: 'a', http: 'u', socks5: 'u', csv: 'v' } as const
  const protocol = preferred === 'socks5' ? 'socks5' : 'http'
  return { productId, countryCode: '', minutes: 0, quantity: 1, protocol, format: format[preferred] }
}

export function packForm(action: string, form: ExtractionForm, ...more: string[]): string {
  const { productId, countryCode, minutes, quantity, protocol, format } = form
  return pack(action, productId, countryCode, minutes, quantity, protocol[0] ?? '', format, ...more)
}

/**
 * The form in a button's parameters.
 *
 * @returns undefined when they were forged; a form with nothing chosen yet when there is a product only
 */
export function formOf(parameters: readonly string[], preferred: ProxyFormat): ExtractionForm | undefined {
  const [product, countryCode = '', minutes, quantity, protocol, format] = parameters
  const productId = wholeNumber(product)
  if (productId === undefined) return undefined
  if (parameters.length === 1) return newForm(productId, preferred)
  const form = {
    productId,
    countryCode,
    minutes: wholeNumber(minutes) ?? 0,
    quantity: wholeNumber(quantity) ?? 0,
    protocol: protocol === 's' ? ('socks5' as const) : ('http' as const),
    format: isLineFormat(format) ? format : 'c',
  }
  const isPossible =
    (countryCode === '' || isCountryCode(countryCode)) &&
    form.minutes <= EXTRACT_LIMITS.minutes &&
    form.quantity >= 1 &&
    form.quantity <= EXTRACT_LIMITS.quantity
  return isPossible ? form : undefined
}

/** What the core is asked for. */
export function extractionInput(form: ExtractionForm, productNo: string): ExtractionInput {
  const { countryCode, minutes, quantity, protocol, format } = form
  return {
    productNo,
    ...(countryCode === '' ? {} : { countryCode }),
    extractConfig: {
      quantity,
      protocol,
      sticky: minutes > 0,
      ...(minutes > 0 ? { validTime: minutes } : {}),
      returnType: 'txt',
      delimiter: 4,
      format: LINE_FORMATS[format],
    },
  }
}

function isLineFormat(text: string | undefined): text is LineFormat {
  return text !== undefined && Object.hasOwn(LINE_FORMATS, text)
}
