import { z } from 'zod'
import { isCountryCode } from '../catalog/country-code.ts'
import { PROXY_TYPES } from '../catalog/product.ts'
import { noneIfEmpty } from '../none-if-empty.ts'

export const PROTOCOLS = ['http', 'socks5'] as const

/** The separators of lines, by the value of `delimiter` (rules 6.6). */
export const DELIMITERS: Readonly<Record<number, string>> = { 1: '\r\n', 2: '/br', 3: '\r', 4: '\n', 5: '\t' }

/** The words of a format that are replaced in a line by a part of the credential. */
export const FORMAT_WORD = /\b(protocol|hostname|host|ip|port|username|user|login|password|pass)\b/g
export const DEFAULT_FORMAT = 'host:port:username:password'
const PART_OF_WORD = {
  host: 'host',
  hostname: 'host',
  ip: 'host',
  port: 'port',
  username: 'username',
  user: 'username',
  login: 'username',
  password: 'password',
  pass: 'password',
  protocol: 'protocol',
} as const
type Part = (typeof PART_OF_WORD)[keyof typeof PART_OF_WORD]

/** Returns the part of a credential that replaces a word of a format. */
export function partOfWord(word: string): Part {
  return PART_OF_WORD[word as keyof typeof PART_OF_WORD]
}

const REQUIRED_PARTS: readonly Part[] = ['host', 'port', 'username', 'password']

/** Tells whether a text is a line format: host, port, username and password in any order, between them any visible ASCII characters. */
export function isLineFormat(format: string): boolean {
  const parts = new Set((format.match(FORMAT_WORD) ?? []).map(partOfWord))
  return /^[!-~]*$/.test(format) && REQUIRED_PARTS.every((part) => parts.has(part))
}

/** Most minutes that a sticky session can keep its exit, and most credentials of one extraction. */
export const EXTRACT_LIMITS = { minutes: 120, quantity: 100 } as const

const ExtractConfig = z.object({
  /** `api` creates a public link as well. */
  method: z.enum(['password', 'api']).default('password'),
  quantity: z.int().min(1).max(EXTRACT_LIMITS.quantity).default(1),
  /** Minutes that a sticky session keeps its exit. */
  validTime: z.int().min(1).max(EXTRACT_LIMITS.minutes).default(5),
  /** Whether each credential keeps its exit; otherwise every request may get another one. */
  sticky: z.boolean().default(false),
  protocol: z.enum(PROTOCOLS).default('http'),
  returnType: z.enum(['json', 'txt']).default('json'),
  delimiter: z.literal([1, 2, 3, 4, 5]).default(1),
  format: z.string().max(100).refine(isLineFormat, { error: 'not_a_line_format' }).nullish(),
})

/** An extraction as the bot and the REST API send it (rules 6.5, 6.6). */
export const ExtractionInput = z.object({
  productNo: z.string().min(1).max(64).nullish(),
  proxyType: z.literal(PROXY_TYPES).nullish(),
  /** The owner of the traffic; by default the caller. */
  userId: z.int().positive().nullish(),
  /** ISO 3166-1 alpha-2, in upper or lower case. */
  countryCode: z
    .string()
    .overwrite((code) => code.toUpperCase())
    .refine((code) => code === '' || isCountryCode(code), { error: 'not_a_country_code' })
    .nullish()
    .transform(noneIfEmpty),
  /** A UN/LOCODE as the product query has it, or the English name of a city. */
  cityCode: z
    .string()
    .max(64)
    .regex(/^([A-Za-z][A-Za-z0-9 .'-]*)?$/, 'not_a_city')
    .nullish()
    .transform(noneIfEmpty),
  extractConfig: ExtractConfig.prefault({}),
})

export type ExtractionInput = z.input<typeof ExtractionInput>
export type ExtractionRequest = z.output<typeof ExtractionInput>
