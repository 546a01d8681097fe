import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { RATE_LIMITS, type RateLimits } from './api/rate-limits.ts'
import { databasePath } from './core/database/database.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An empty line in `.env` means the same as no line. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .transform((value) => value.replace(/\/+$/, ''))

const perMinute = (usual: number) =>
  optional(
    z
      .string()
      .regex(/^\d{1,7}$/, 'must be a number of requests a minute; 0 for no limit')
      .default(String(usual))
      .transform(Number),
  )
const isAddressOrRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)

const Environment = z.object({
  NODE_ENV: optional(z.string().default('development')),
  HOST: optional(z.string().default('127.0.0.1')),
  PORT: optional(
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .default('3000')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port number'),
  ),
  DATABASE_URL: optional(
    z
      .string()
      .startsWith('file:', 'must be a file: URL of a SQLite database')
      .default('file:./data/reseller.db'),
  ),
  JWT_SECRET: optional(z.string().min(32, 'must have at least 32 characters').optional()),
  JWT_TTL: optional(
    z
      .string()
      .regex(/^\d{1,8}$/, 'must be a number of seconds')
      .default('86400')
      .transform(Number)
      .refine((seconds) => seconds >= 60, 'must be at least 60 seconds'),
  ),
  CURRENCY: optional(
    z
      .string()
      .regex(/^[A-Z]{3,4}$/, 'must be a currency code')
      .default('USD'),
  ),
  API_VARIANT: optional(z.enum(['A', 'B'], 'must be A or B').default('A')),
  BOT_TOKEN: optional(
    z
      .string()
      .regex(/^\d+:[A-Za-z0-9_-]{30,}$/, 'does not look like a token of @BotFather')
      .optional(),
  ),
  TELEGRAM_API_ROOT: optional(url.default('https://api.telegram.org')),
  PUBLIC_URL: optional(url.optional()),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp(s) URL' }).optional()),
  MAIL_FROM: optional(
    z
      .string()
      .regex(/^(?:[^<>"\r\n]+ )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, 'must be an e-mail address')
      .optional(),
  ),
  SANDBOX: optional(z.enum(['auto', 'on', 'off'], 'must be auto, on or off').default('auto')),
  RATE_LIMIT_READS: perMinute(RATE_LIMITS.reads),
  RATE_LIMIT_WRITES: perMinute(RATE_LIMITS.writes),
  RATE_LIMIT_STRANGERS: perMinute(RATE_LIMITS.strangers),
  TRUSTED_PROXIES: optional(
    z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
      .refine(
        (parts) => parts.every(isAddressOrRange),
        'must be IP addresses or CIDR ranges, separated by commas',
      ),
  ),
  METRICS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters').optional()),
  LOG_LEVEL: optional(
    z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be a level such as info or debug',
      )
      .default('info'),
  ),
})

/** Everything that can be set, checked (contract 9). */
export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly jwtSecret: string
  /** Seconds. */
  readonly jwtTtl: number
  readonly currency: string
  readonly apiVariant: 'A' | 'B'
  /** The real Telegram, or the stand-in of the sandbox. */
  readonly telegram:
    | { readonly mode: 'sandbox' }
    | { readonly mode: 'telegram'; readonly token: string; readonly apiRoot: string }
  /** Where people reach this server, without a slash at the end; undefined: at the address on which it listens. */
  readonly publicUrl: string | undefined
  /** Undefined: nobody gets mail, and no account needs activation. */
  readonly mail: { readonly url: string; readonly from: string } | undefined
  readonly logLevel: string
  readonly rateLimits: RateLimits
  /** Addresses or CIDR ranges of the reverse proxies in front. */
  readonly trustedProxies: readonly string[]
  /** Whoever has it may read `/metrics`; without one, this machine may. */
  readonly metricsToken: string | undefined
}

/** What the operator's commands need: the database and nothing of the bot. */
export type OperatorConfig = Pick<Config, 'databaseUrl' | 'currency'>

/** The configuration cannot be used; `message` names every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'))
  }
}

/**
 * Configuration of the service from environment variables.
 *
 * @throws ConfigError with all problems at once
 */
export function loadConfig(environment: Environment): Config {
  const env = check(Environment, environment)
  const problems = [...sandboxProblems(env), ...mailProblems(env)]
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    jwtSecret: env.JWT_SECRET ?? keptSecret(env.DATABASE_URL),
    jwtTtl: env.JWT_TTL,
    currency: env.CURRENCY,
    apiVariant: env.API_VARIANT,
    telegram: env.BOT_TOKEN
      ? { mode: 'telegram', token: env.BOT_TOKEN, apiRoot: env.TELEGRAM_API_ROOT }
      : { mode: 'sandbox' },
    publicUrl: env.PUBLIC_URL,
    mail: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    logLevel: env.LOG_LEVEL,
    rateLimits: {
      reads: env.RATE_LIMIT_READS,
      writes: env.RATE_LIMIT_WRITES,
      strangers: env.RATE_LIMIT_STRANGERS,
    },
    trustedProxies: env.TRUSTED_PROXIES,
    metricsToken: env.METRICS_TOKEN,
  }
}

/**
 * Configuration of an operator command, which works where the service itself would not start.
 *
 * @throws ConfigError with all problems at once
 */
export function loadOperatorConfig(environment: Environment): OperatorConfig {
  const env = check(Environment.pick({ DATABASE_URL: true, CURRENCY: true }), environment)
  return { databaseUrl: env.DATABASE_URL, currency: env.CURRENCY }
}

function check<Schema extends z.ZodType>(schema: Schema, environment: Environment): z.output<Schema> {
  const parsed = schema.safeParse(environment)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`))
  return parsed.data
}

/** The sandbox has demo accounts with public passwords: nobody may get it without wanting it. */
function sandboxProblems(env: z.output<typeof Environment>): string[] {
  const production = env.NODE_ENV === 'production'
  if (env.BOT_TOKEN) {
    return env.SANDBOX === 'on' ? ['SANDBOX=on and BOT_TOKEN exclude each other: remove one of them'] : []
  }
  if (env.SANDBOX === 'off') return ['BOT_TOKEN is missing, and SANDBOX=off forbids the sandbox']
  if (production) return ['BOT_TOKEN is missing: with NODE_ENV=production the sandbox never starts']
  const local = ['127.0.0.1', 'localhost', '::1'].includes(env.HOST)
  if (env.SANDBOX === 'auto' && !local) {
    return [
      `BOT_TOKEN is missing, and HOST=${env.HOST} would show the sandbox to others: set SANDBOX=on if that is meant`,
    ]
  }
  return []
}

/** Mail without a sender is refused by every server, and a lost setting would quietly leave out the activation. */
function mailProblems({ SMTP_URL, MAIL_FROM }: z.output<typeof Environment>): string[] {
  if (SMTP_URL && !MAIL_FROM) return ['MAIL_FROM is missing: SMTP_URL needs an address to send from']
  if (MAIL_FROM && !SMTP_URL) return ['SMTP_URL is missing: MAIL_FROM needs a server to send through']
  return []
}

/** A secret made at the first start and kept beside the database, readable by its owner only. */
function keptSecret(databaseUrl: string): string {
  const file = join(dirname(databasePath(databaseUrl)), 'jwt-secret')
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}
