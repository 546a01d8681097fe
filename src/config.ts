import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { BackupSettings } from './backup/settings.ts'
import { isAddressOrRange } from './api/client-address.ts'
import { RATE_LIMITS, type RateLimits } from './api/rate-limits.ts'
import { databasePath, isPostgres } from './core/database/database.ts'
import { joinTokenIn } from './core/accounts/join-links.ts'
import { webhookUrl } from './core/webhooks/webhook-url.ts'
import type { ProbedProxy } from './core/checks/prober.ts'
import { decodedText } from './core/decoded-text.ts'
import type { BotTerms } from './core/bots/agent-bot.ts'
import { botIdIn, supportAddress, telegramChatId } from './core/identifiers.ts'
import { fromText, MAX_MICROS } from './core/money.ts'
import type { PayoutTerms } from './core/earnings/payout-terms.ts'
import { OperatorError } from './core/operator-error.ts'
import { isThisMachine } from './core/public-url.ts'
import { CHOICES, type Chosen, type Setup } from './core/operator/choices.ts'
import { LogFormat, LogLevel, type LogSettings } from './logger.ts'
import type { TopUpTerms } from './core/top-ups/top-up-terms.ts'
import { creditFor, usdtFrom } from './core/usdt.ts'
import { loadGatewayConfig, ProbeTarget } from './gateway/config.ts'
import { SANDBOX_CHAIN } from './sandbox/sandbox-chain.ts'
import type { ConfiguredNetwork } from './networks/configured-network.ts'
import { configuredNetworks, NETWORKS } from './networks/index.ts'
import { TRON } from './networks/tron/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

const MINUTE_MS = 60_000
/** The port of the gateway of the sandbox, if nothing else is set. */
const SANDBOX_GATEWAY_PORT = '8899'
/** The least number of characters of a secret. */
const MIN_SECRET = 32

/** An empty value in `.env` means the same as no line. */
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

const amountOfUsdt = (usual: string) =>
  optional(
    z
      .string()
      .default(usual)
      .transform((text) => usdtFrom(text) ?? 0)
      .refine((units) => units > 0, 'must be an amount of USDT above 0 with at most 2 decimals'),
  )
const wholeNumber = (usual: string, least: number, most: number) =>
  optional(
    z
      .string()
      .regex(/^\d{1,4}$/, 'must be a whole number')
      .default(usual)
      .transform(Number)
      .refine((number) => number >= least && number <= most, `must be from ${least} to ${most}`),
  )
const tronAddress = z
  .string()
  .refine(TRON.isAddress, 'is no TRON address (T and 33 more, with a good checksum)')

/** An address that is https unless on this machine: of the chain, which decides about money, and of backups; keys are sent to both. */
const safeUrl = url
  .refine(
    (value) => /^https?:\/\/[^/?#_]+(?:\/[^?#]*)?$/.test(value),
    'must be a plain address, without ? and #',
  )
  .refine(
    (value) => value.startsWith('https:') || isThisMachine(value),
    'must be https; http is for this machine only',
  )
/** `ip:port`, or `ip:port:username:password`; an IPv6 address in brackets. */
const controlProxy = z.string().transform((text, context): ProbedProxy => {
  const [, v6, v4, port = '', username = '', password = ''] =
    /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})(?::([^:]*):(.*))?$/.exec(text) ?? []
  const ip = v6 ?? v4 ?? ''
  if (!ipaddr.isValid(ip) || Number(port) > 65_535) {
    context.addIssue({ code: 'custom', message: 'must be a proxy: ip:port:username:password' })
    return z.NEVER
  }
  return { ip, port: Number(port), username, password }
})

const MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const
/** `30m`, `24h` or `7d`; undefined for `off`. */
const interval = z
  .string()
  .regex(/^(?:off|[1-9]\d{0,3}[mhd])$/, 'must be a number with m, h or d, such as 24h, or off')
  .transform((text) =>
    text === 'off' ? undefined : Number(text.slice(0, -1)) * MS[text.slice(-1) as keyof typeof MS],
  )

const secretsKey = optional(
  z.string().min(MIN_SECRET, `must have at least ${MIN_SECRET} characters`).optional(),
)

const gatewayToken = optional(
  z
    .string()
    .regex(/^[\w.~+/=-]+$/, 'must consist of characters of a bearer token: A-Z, a-z, 0-9 and - . _ ~ + / =')
    .min(MIN_SECRET, `must have at least ${MIN_SECRET} characters`)
    .optional(),
)

const mailAddress = z
  .string()
  .regex(/^(?:[^<>"\r\n]+ )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, 'must be an e-mail address')

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
      .regex(
        /^(?:file:|postgres(?:ql)?:\/\/)/,
        'must be a file: URL of a SQLite database, or a postgresql:// URL',
      )
      .default('file:./data/reseller.db'),
  ),
  DATA_DIR: optional(z.string().default('./data')),
  JWT_SECRET: optional(z.string().min(MIN_SECRET, `must have at least ${MIN_SECRET} characters`).optional()),
  SECRETS_KEY: secretsKey,
  GATEWAY_TOKEN: gatewayToken,
  GATEWAY_PROBE_TARGET: ProbeTarget,
  GATEWAY_PORT: optional(
    z
      .string()
      .refine(
        (port) => port === 'off' || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535),
        'must be a port number, or off',
      )
      .optional(),
  ),
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
      .optional(),
  ),
  API_VARIANT: optional(z.enum(['A', 'B'], 'must be A or B').default('A')),
  BOT_TOKEN: optional(
    z
      .string()
      .refine((token) => botIdIn(token) !== undefined, 'does not look like a token of @BotFather')
      .optional(),
  ),
  TELEGRAM_API_ROOT: optional(url.default('https://api.telegram.org')),
  TELEGRAM_FILES: optional(z.string().refine(isAbsolute, 'must be the whole path of a folder').optional()),
  BOT_MODE: optional(z.enum(['polling', 'webhook'], 'must be polling or webhook').default('polling')),
  WEBHOOK_SECRET: optional(
    z
      .string()
      .regex(/^[\w-]{16,256}$/, 'must have 16 to 256 characters of A-Z, a-z, 0-9, _ and -')
      .optional(),
  ),
  PUBLIC_URL: optional(url.optional()),
  WEBHOOK_LOOPBACK: optional(z.enum(['on', 'off'], 'must be on or off').optional()),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp(s) URL' }).optional()),
  MAIL_FROM: optional(mailAddress.optional()),
  USDT_WALLET: optional(tronAddress.optional()),
  USDT_CONTRACT: optional(tronAddress.default('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')),
  USDT_RATE: optional(
    z
      .string()
      .default('1')
      .transform((text) => fromText(text) ?? 0)
      .refine((rate) => rate > 0, 'must be a number above 0 with at most 6 decimals'),
  ),
  USDT_MIN_AMOUNT: amountOfUsdt('1'),
  USDT_MAX_AMOUNT: amountOfUsdt('50000'),
  USDT_EXPIRE_MINUTES: wholeNumber('30', 1, 1440),
  USDT_GRACE_HOURS: wholeNumber('24', 0, 168),
  PAYOUT_MIN: optional(
    z
      .string()
      .default('10')
      .transform((text) => fromText(text) ?? 0)
      .refine((amount) => amount > 0, 'must be an amount above 0 with at most 6 decimals'),
  ),
  TRON_API_URL: optional(safeUrl.default('https://api.trongrid.io')),
  TRON_API_URL_FALLBACK: optional(safeUrl.optional()),
  TRON_API_KEY: optional(
    z
      .string()
      .regex(/^[!-~]{8,200}$/, 'must have 8 to 200 characters and no spaces')
      .optional(),
  ),
  SANDBOX: optional(z.enum(['auto', 'on', 'off'], 'must be auto, on or off').default('auto')),
  RATE_LIMIT_READS: perMinute(RATE_LIMITS.reads),
  RATE_LIMIT_WRITES: perMinute(RATE_LIMITS.writes),
  RATE_LIMIT_STRANGERS: perMinute(RATE_LIMITS.strangers),
  RATE_LIMIT_CHAT: wholeNumber('20', 0, 9999),
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
  OPERATOR_CHAT_IDS: optional(
    z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
      .refine(
        (parts) => parts.every((part) => telegramChatId(part) !== undefined),
        'must be ids of Telegram chats, separated by commas',
      )
      .transform((parts) => [...new Set(parts.map(Number))]),
  ),
  SUPPORT_CONTACT: optional(
    z
      .string()
      .transform((text) => supportAddress(text.trim()))
      .refine(
        (address) => address !== undefined,
        'must be a Telegram username such as @support, or an address',
      )
      .optional(),
  ),
  AGENT_BOTS: optional(z.enum(['on', 'off'], 'must be on or off').optional()),
  AGENT_BOTS_MOST: optional(
    z
      .string()
      .regex(/^\d{1,3}(?:,\d{1,3})*$/, 'must be a number, or several with commas, one for each level')
      .default('1')
      .transform((list) => list.split(',').map(Number)),
  ),
  AGENT_BOTS_URL: optional(url.optional()),
  AGENT_BOTS_MAIL_FROM: optional(mailAddress.optional()),
  REGISTRATION_LINK: optional(
    z
      .string()
      .transform((text) => joinTokenIn(text.trim().replace(/^https:\/\/t\.me\/\w+\?start=/, '')))
      .refine((token) => token !== undefined, 'must be a registration link of an agent')
      .optional(),
  ),
  BACKUP_EVERY: optional(interval.optional()),
  BACKUP_KEEP: wholeNumber('14', 1, 9999),
  BACKUP_DIR: optional(z.string().optional()),
  BACKUP_KEY: optional(
    z
      .string()
      .regex(/^[!-~]+$/, 'must consist of letters, digits and signs of ASCII, without spaces')
      .min(MIN_SECRET, `must have at least ${MIN_SECRET} characters`)
      .optional(),
  ),
  BACKUP_CHAT_ID: optional(
    z
      .string()
      .refine((text) => telegramChatId(text) !== undefined, 'must be the id of a Telegram chat')
      .transform(Number)
      .optional(),
  ),
  BACKUP_S3_URL: optional(safeUrl.optional()),
  BACKUP_S3_REGION: optional(z.string().default('auto')),
  BACKUP_S3_KEY_ID: optional(z.string().optional()),
  BACKUP_S3_SECRET: optional(z.string().optional()),
  BACKUP_S3_TIMEOUT: wholeNumber('3600', 1, 86_400),
  CHECK_PROXIES: optional(z.enum(['on', 'off'], 'must be on or off').default('off')),
  CHECK_ECHO_URL: optional(url.optional()),
  CHECK_CONTROL_PROXY: optional(controlProxy.optional()),
  UPDATE_FEED: optional(z.string().trim().optional()),
  METRICS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters').optional()),
  LOG_LEVEL: optional(LogLevel.optional()),
  LOG_FORMAT: optional(LogFormat),
})

const BOT = { BOT_TOKEN: true, TELEGRAM_API_ROOT: true, TELEGRAM_FILES: true } as const
const BotEnvironment = Environment.pick(BOT)

const BackupEnvironment = Environment.pick({
  DATABASE_URL: true,
  DATA_DIR: true,
  ...BOT,
  BACKUP_EVERY: true,
  BACKUP_KEEP: true,
  BACKUP_DIR: true,
  BACKUP_KEY: true,
  BACKUP_CHAT_ID: true,
  BACKUP_S3_URL: true,
  BACKUP_S3_REGION: true,
  BACKUP_S3_KEY_ID: true,
  BACKUP_S3_SECRET: true,
  BACKUP_S3_TIMEOUT: true,
})

const TopUpEnvironment = Environment.pick({
  USDT_WALLET: true,
  USDT_CONTRACT: true,
  USDT_RATE: true,
  USDT_MIN_AMOUNT: true,
  USDT_MAX_AMOUNT: true,
  USDT_EXPIRE_MINUTES: true,
  USDT_GRACE_HOURS: true,
  TRON_API_URL: true,
  TRON_API_URL_FALLBACK: true,
  TRON_API_KEY: true,
})

/** The settings that an owner can choose without `.env` (rules 9.11), and those that have to fit them. */
const ChoosingEnvironment = TopUpEnvironment.extend(
  Environment.pick({ CURRENCY: true, PUBLIC_URL: true, SUPPORT_CONTACT: true, BOT_MODE: true }).shape,
)

/** The terms on which USDT is taken, and the networks that are open, the usual one first. */
export interface TopUpConfig {
  readonly terms: TopUpTerms
  readonly networks: readonly [ConfiguredNetwork, ...ConfiguredNetwork[]]
}

/** A gateway that is started with the service. */
export interface EmbeddedGateway {
  readonly host: string
  /** Its environment, without the settings that `src/app/gateway.ts` adds when the service listens. */
  readonly environment: Readonly<Record<string, string>>
}

/** Everything that can be set, checked (rules 9.1). */
export interface Config {
  /** The settings that are left to an owner (rules 9.11), and the configuration with what was chosen; undefined in the sandbox. */
  readonly setup?: SetupSource & { readonly configWith: (chosen: Chosen) => Config }
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** The folder in which this machine keeps what is not in the database. */
  readonly dataDirectory: string
  readonly jwtSecret: string
  /** Encrypts the credentials of suppliers. */
  readonly secretsKey: string
  /** The token with which the gateway identifies itself. */
  readonly gatewayToken: string
  /** The gateway to start with the service; undefined: none. */
  readonly gateway: EmbeddedGateway | undefined
  /** The target of trials of exits when nothing outside reaches the echo of this server. */
  readonly probeTarget: z.output<typeof ProbeTarget>
  /** The lifetime of log-in tokens, in seconds. */
  readonly jwtTtl: number
  /** The code of the currency; undefined: that of the database. */
  readonly currency: string | undefined
  readonly apiVariant: 'A' | 'B'
  /** The real Telegram, or the emulator of the sandbox. */
  readonly telegram: { readonly mode: 'sandbox' } | ({ readonly mode: 'telegram' } & BotSettings)
  /** How Telegram reaches the bot; undefined: the bot polls Telegram. */
  readonly webhook: { readonly publicUrl: string; readonly secret: string } | undefined
  /** Where people reach this server, without a slash at the end; undefined: at the address on which it listens. */
  readonly publicUrl: string | undefined
  /** Whether webhooks of accounts may lead to this machine. */
  readonly loopbackWebhooks: boolean
  /** The SMTP server and the sender; undefined: nobody gets mail, and no account needs activation. */
  readonly mail:
    | {
        readonly url: string
        readonly from: string
        /** Sender of mails to customers of agents with bots of their own; undefined: the same. */
        readonly agentFrom?: string | undefined
      }
    | undefined
  readonly payouts: PayoutTerms
  /** How USDT is taken; undefined: nobody can top up by it. */
  readonly topUps: TopUpConfig | undefined
  readonly log: LogSettings
  readonly rateLimits: RateLimits
  /** Messages and presses of one chat in ten seconds; 0: no limit. */
  readonly chatLimit: number
  /** Addresses or CIDR ranges of the reverse proxies in front. */
  readonly trustedProxies: readonly string[]
  readonly checks: {
    /** Whether proxies are checked without being asked for. */
    readonly regular: boolean
    /** Where proxies reach the echo, without a slash at the end; undefined: where people reach this server. */
    readonly echoUrl: string | undefined
    /** A proxy of which the operator knows that it works. */
    readonly controlProxy: ProbedProxy | undefined
  }
  /** The address from which the released versions are read; undefined: they are not. */
  readonly updateFeed: string | undefined
  /** The bearer token of `/metrics`; without one nobody may read them, except this machine in the sandbox. */
  readonly metricsToken: string | undefined
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats: readonly number[]
  /** Where customers find support outside of the bot; undefined: they write tickets. */
  readonly supportContact: string | undefined
  /** The token of a registration link. */
  readonly registrationLink: string | undefined
  /** The terms on which agents have bots of their own; undefined where they have none. */
  readonly agentBots: BotTerms | undefined
  /** An address of this server that tells nothing of the shop, for the links that the bots of agents give out. */
  readonly agentBotsUrl: string | undefined
  readonly backups: {
    /** The time between two backups in ms; undefined: only when somebody asks. */
    readonly everyMs: number | undefined
    readonly settings: BackupSettings
  }
}

/** What can be chosen beside an environment. */
export type SetupSource = Pick<Setup, 'environment' | 'fits'>

/** Merges an environment with what was chosen; the environment wins. */
export function withChosen(environment: Environment, chosen: Chosen): Environment {
  return { ...chosen, ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value)) }
}

/** Returns what an environment leaves to be chosen (rules 9.11). */
export function setupSource(environment: Environment): SetupSource {
  return {
    environment: Object.fromEntries(
      CHOICES.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : [])),
    ),
    fits: (chosen) => {
      const { data } = ChoosingEnvironment.safeParse(withChosen(environment, chosen))
      return data !== undefined && [...topUpProblems(data), ...webhookProblems(data)].length === 0
    },
  }
}

/** Returns the secrets of a configuration, which must never be shown. */
export function secretsOf({
  jwtSecret,
  secretsKey,
  gatewayToken,
  metricsToken,
  telegram,
  webhook,
  mail,
  topUps,
  checks,
  backups,
}: Config): string[] {
  return [
    jwtSecret,
    secretsKey,
    gatewayToken,
    metricsToken ?? [],
    telegram.mode === 'telegram' ? telegram.token : [],
    webhook?.secret ?? [],
    mail?.url ?? [],
    topUps?.networks.flatMap(({ secrets }) => secrets) ?? [],
    checks.controlProxy?.password || [],
    backupSecretsOf(backups.settings),
  ].flat()
}

/** Returns the secrets of the settings of backups, which must never be shown. */
export function backupSecretsOf({ key, s3, chat }: BackupSettings): string[] {
  return [key ?? [], s3?.secret ?? [], chat?.token ?? []].flat()
}

/** What the operator's commands need: the database and nothing of the bot. */
export type OperatorConfig = Pick<Config, 'databaseUrl' | 'dataDirectory' | 'currency' | 'operatorChats'> & {
  /** Whether the server checks proxies without being asked for. */
  readonly checksProxies: boolean
}

/** The configuration cannot be used; `message` names every problem. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'))
  }
}

/**
 * Reads the configuration of the service from environment variables.
 *
 * @throws ConfigError with all problems at once
 */
export function loadConfig(environment: Environment): Config {
  const env = check(Environment, environment)
  const problems = [
    ...sandboxProblems(env),
    ...secretProblems(env),
    ...webhookProblems(env),
    ...loopbackProblems(env),
    ...feedProblems(env),
    ...mailProblems(env),
    ...topUpProblems(env),
    ...checkProblems(env),
    ...backupProblems(env),
    ...walletKeyProblems(environment),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  const bot = botSettings(env)
  const money = env.BOT_TOKEN ? env : { ...env, ...SANDBOX_CHAIN }
  return {
    ...(env.BOT_TOKEN && {
      setup: {
        ...setupSource(environment),
        configWith: (chosen) => loadConfig(withChosen(environment, chosen)),
      },
    }),
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    dataDirectory: dataDirectory(env),
    jwtSecret: env.JWT_SECRET ?? keptSecret(env.DATABASE_URL, 'jwt-secret'),
    secretsKey: env.SECRETS_KEY ?? keptSecret(env.DATABASE_URL, 'secrets-key'),
    gatewayToken: env.GATEWAY_TOKEN ?? keptSecret(env.DATABASE_URL, 'gateway-token'),
    gateway: embeddedGateway(env, environment),
    probeTarget: env.GATEWAY_PROBE_TARGET,
    jwtTtl: env.JWT_TTL,
    currency: env.CURRENCY,
    apiVariant: env.API_VARIANT,
    telegram: bot ? { mode: 'telegram', ...bot } : { mode: 'sandbox' },
    webhook:
      env.BOT_MODE === 'webhook' && env.PUBLIC_URL
        ? {
            publicUrl: env.PUBLIC_URL,
            secret: env.WEBHOOK_SECRET ?? keptSecret(env.DATABASE_URL, 'webhook-secret'),
          }
        : undefined,
    publicUrl: env.PUBLIC_URL,
    // In the sandbox everybody is on this machine.
    loopbackWebhooks: (env.WEBHOOK_LOOPBACK ?? (env.BOT_TOKEN ? 'off' : 'on')) === 'on',
    mail:
      env.SMTP_URL && env.MAIL_FROM
        ? { url: env.SMTP_URL, from: env.MAIL_FROM, agentFrom: env.AGENT_BOTS_MAIL_FROM }
        : undefined,
    payouts: {
      min: env.PAYOUT_MIN,
      rate: money.USDT_RATE,
      // A payout to the shop's own wallet, or to the contract of the token, would be lost.
      isAddress: (text) =>
        NETWORKS[0].isAddress(text) && text !== money.USDT_WALLET && text !== money.USDT_CONTRACT,
    },
    topUps: topUpConfig(money),
    // In the sandbox, where people look for the address of the web chat, a line per press would push it out of sight.
    log: { level: env.LOG_LEVEL ?? (env.BOT_TOKEN ? 'info' : 'warn'), format: env.LOG_FORMAT },
    rateLimits: {
      reads: env.RATE_LIMIT_READS,
      writes: env.RATE_LIMIT_WRITES,
      strangers: env.RATE_LIMIT_STRANGERS,
    },
    chatLimit: env.RATE_LIMIT_CHAT,
    trustedProxies: env.TRUSTED_PROXIES,
    checks: {
      regular: env.CHECK_PROXIES === 'on',
      echoUrl: env.CHECK_ECHO_URL,
      controlProxy: env.CHECK_CONTROL_PROXY,
    },
    updateFeed: env.UPDATE_FEED,
    metricsToken: env.METRICS_TOKEN,
    operatorChats: env.OPERATOR_CHAT_IDS,
    supportContact: env.SUPPORT_CONTACT,
    registrationLink: env.REGISTRATION_LINK,
    // The sandbox shows all that there is.
    agentBots:
      (env.AGENT_BOTS ?? (env.BOT_TOKEN ? 'off' : 'on')) === 'on' ? { most: env.AGENT_BOTS_MOST } : undefined,
    agentBotsUrl: env.AGENT_BOTS_URL,
    backups: {
      everyMs: environment['BACKUP_EVERY'] ? env.BACKUP_EVERY : env.BOT_TOKEN ? MS.d : undefined,
      settings: backupSettings(env),
    },
  }
}

/**
 * Reads the configuration of an operator command, which works where the service itself would not start.
 *
 * @throws ConfigError with all problems at once
 */
export function loadOperatorConfig(environment: Environment): OperatorConfig {
  const settings = Environment.pick({
    DATABASE_URL: true,
    DATA_DIR: true,
    CURRENCY: true,
    CHECK_PROXIES: true,
    OPERATOR_CHAT_IDS: true,
  })
  const env = check(settings, environment)
  return {
    databaseUrl: env.DATABASE_URL,
    dataDirectory: dataDirectory(env),
    currency: env.CURRENCY,
    checksProxies: env.CHECK_PROXIES === 'on',
    operatorChats: env.OPERATOR_CHAT_IDS,
  }
}

/**
 * Reads how USDT is taken, for the operator's commands that look at the chain; undefined when it is not.
 *
 * @throws ConfigError with all problems at once
 */
export function loadTopUpConfig(environment: Environment): TopUpConfig | undefined {
  return topUpConfig(check(TopUpEnvironment, environment))
}

/** How the bot is reached. */
export interface BotSettings {
  readonly token: string
  /** Address of the Bot API, without a slash at the end. */
  readonly apiRoot: string
  /** The folder with the files of a Bot API server that runs with `--local`. */
  readonly files?: string | undefined
}

/**
 * Reads how the bot is reached, for the operator's commands that name it; undefined without BOT_TOKEN.
 *
 * @throws ConfigError with all problems at once
 */
export function loadBotSettings(environment: Environment): BotSettings | undefined {
  return botSettings(check(BotEnvironment, environment))
}

function botSettings(env: z.output<typeof BotEnvironment>): BotSettings | undefined {
  if (!env.BOT_TOKEN) return undefined
  return { token: env.BOT_TOKEN, apiRoot: env.TELEGRAM_API_ROOT, files: env.TELEGRAM_FILES }
}

/** What the operator's commands that ask suppliers need. */
export interface SupplyConfig {
  readonly secretsKey: string
  /** Where suppliers can call back, without a slash at the end; undefined where PUBLIC_URL is not set. */
  readonly publicUrl: string | undefined
}

/**
 * Reads how suppliers are asked, for the operator's commands.
 *
 * @throws ConfigError with all problems at once; OperatorError when the key cannot be kept
 */
export function loadSupplyConfig(environment: Environment): SupplyConfig {
  const settings = Environment.pick({ DATABASE_URL: true, SECRETS_KEY: true, PUBLIC_URL: true })
  const env = check(settings, environment)
  return {
    secretsKey: env.SECRETS_KEY ?? keptSecret(env.DATABASE_URL, 'secrets-key'),
    publicUrl: env.PUBLIC_URL,
  }
}

/**
 * Reads the token of the gateway, for the operator's commands.
 *
 * @throws ConfigError; OperatorError when the token cannot be kept
 */
export function loadGatewayToken(environment: Environment): string {
  const env = check(Environment.pick({ DATABASE_URL: true, GATEWAY_TOKEN: true }), environment)
  return env.GATEWAY_TOKEN ?? keptSecret(env.DATABASE_URL, 'gateway-token')
}

/** What the operator's commands that try exits need. */
export interface ExitConfig {
  readonly secretsKey: string
  /** Signs the tokens of the echo. */
  readonly jwtSecret: string
  /** Where exits reach the echo of the server, without a slash at the end; undefined where neither CHECK_ECHO_URL nor PUBLIC_URL is set. */
  readonly echoUrl: string | undefined
  /** The target of the trials without an echo. */
  readonly probeTarget: z.output<typeof ProbeTarget>
}

/**
 * Reads how exits are tried, for the operator's commands.
 *
 * @throws ConfigError with all problems at once; OperatorError when a secret cannot be kept
 */
export function loadExitConfig(environment: Environment): ExitConfig {
  const settings = Environment.pick({
    DATABASE_URL: true,
    SECRETS_KEY: true,
    JWT_SECRET: true,
    PUBLIC_URL: true,
    CHECK_ECHO_URL: true,
    GATEWAY_PROBE_TARGET: true,
  })
  const env = check(settings, environment)
  return {
    secretsKey: env.SECRETS_KEY ?? keptSecret(env.DATABASE_URL, 'secrets-key'),
    jwtSecret: env.JWT_SECRET ?? keptSecret(env.DATABASE_URL, 'jwt-secret'),
    echoUrl: env.CHECK_ECHO_URL ?? env.PUBLIC_URL,
    probeTarget: env.GATEWAY_PROBE_TARGET,
  }
}

/**
 * Reads where backups go, for the operator's commands.
 *
 * @throws ConfigError with all problems at once
 */
export function loadBackupSettings(environment: Environment): BackupSettings {
  const env = check(BackupEnvironment, environment)
  const problems = backupProblems(env)
  if (problems.length > 0) throw new ConfigError(problems)
  return backupSettings(env)
}

function backupSettings(env: z.output<typeof BackupEnvironment>): BackupSettings {
  const data = dataDirectory(env)
  const bot = botSettings(env)
  return {
    ...(isPostgres(env.DATABASE_URL)
      ? { database: join(data, 'reseller.db'), postgres: env.DATABASE_URL }
      : { database: databasePath(env.DATABASE_URL) }),
    directory: resolve(env.BACKUP_DIR ?? join(data, 'backups')),
    keep: env.BACKUP_KEEP,
    key: env.BACKUP_KEY,
    s3:
      env.BACKUP_S3_URL && env.BACKUP_S3_KEY_ID && env.BACKUP_S3_SECRET
        ? {
            url: env.BACKUP_S3_URL,
            region: env.BACKUP_S3_REGION,
            keyId: env.BACKUP_S3_KEY_ID,
            secret: env.BACKUP_S3_SECRET,
            timeoutMs: env.BACKUP_S3_TIMEOUT * 1000,
          }
        : undefined,
    chat: env.BACKUP_CHAT_ID && bot ? { chatId: env.BACKUP_CHAT_ID, ...bot } : undefined,
  }
}

/** A copy holds everything, so that it leaves the machine only encrypted. */
function backupProblems(env: z.output<typeof BackupEnvironment>): string[] {
  const away = [env.BACKUP_CHAT_ID && 'BACKUP_CHAT_ID', env.BACKUP_S3_URL && 'BACKUP_S3_URL'].filter(Boolean)
  const s3Parts = [env.BACKUP_S3_URL, env.BACKUP_S3_KEY_ID, env.BACKUP_S3_SECRET].filter(Boolean).length
  return [
    away.length > 0 && !env.BACKUP_KEY
      ? `BACKUP_KEY is missing: with ${away.join(' and ')} backups leave this machine, which they do only encrypted`
      : [],
    env.BACKUP_CHAT_ID && !env.BOT_TOKEN ? 'BACKUP_CHAT_ID needs BOT_TOKEN' : [],
    s3Parts === 1 || s3Parts === 2
      ? 'BACKUP_S3_URL, BACKUP_S3_KEY_ID and BACKUP_S3_SECRET belong together: set all of them or none'
      : [],
  ].flat()
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
  if (!env.BOT_TOKEN && isPostgres(env.DATABASE_URL))
    return ['BOT_TOKEN is missing: the sandbox runs on SQLite only, not on PostgreSQL']
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

/** The servers of a PostgreSQL database share their secrets, so that none makes its own (rules 9.10). */
function secretProblems(env: z.output<typeof Environment>): string[] {
  if (!isPostgres(env.DATABASE_URL)) return []
  const names = ['JWT_SECRET', 'SECRETS_KEY', 'GATEWAY_TOKEN', 'WEBHOOK_SECRET'] as const
  return names
    .filter((name) => env[name] === undefined && (name !== 'WEBHOOK_SECRET' || env.BOT_MODE === 'webhook'))
    .map(
      (name) => `${name} is missing: the servers of a PostgreSQL database share it, so it is not made here`,
    )
}

/** What Telegram demands of a webhook's address (Bot API, `setWebhook`); this machine may be reached without encryption. */
function webhookProblems({
  BOT_MODE,
  PUBLIC_URL,
}: Pick<z.output<typeof Environment>, 'BOT_MODE' | 'PUBLIC_URL'>): string[] {
  if (BOT_MODE !== 'webhook') return []
  if (!PUBLIC_URL) return ['PUBLIC_URL is missing: with BOT_MODE=webhook Telegram must know where to call']
  if (isThisMachine(PUBLIC_URL)) return []
  const { protocol, port } = new URL(PUBLIC_URL)
  if (protocol !== 'https:') return ['PUBLIC_URL must be https: with BOT_MODE=webhook Telegram calls it']
  return ['', '80', '88', '8443'].includes(port)
    ? []
    : ['PUBLIC_URL must have port 443, 80, 88 or 8443: with BOT_MODE=webhook Telegram calls it']
}

/** Strangers choose where webhooks lead: in production never to what listens on this machine only (rules 19.4). */
function loopbackProblems({ WEBHOOK_LOOPBACK, NODE_ENV }: z.output<typeof Environment>): string[] {
  return WEBHOOK_LOOPBACK === 'on' && NODE_ENV === 'production'
    ? ['WEBHOOK_LOOPBACK=on is for tests: with NODE_ENV=production webhooks never lead to this machine']
    : []
}

function feedProblems({ UPDATE_FEED, WEBHOOK_LOOPBACK }: z.output<typeof Environment>): string[] {
  return UPDATE_FEED === undefined || webhookUrl(WEBHOOK_LOOPBACK === 'on').safeParse(UPDATE_FEED).success
    ? []
    : ['UPDATE_FEED must be an https address of the public internet, without a name or password']
}

/** Mail without a sender is refused by every server, and a lost setting would quietly leave out the activation. */
function mailProblems({ SMTP_URL, MAIL_FROM }: z.output<typeof Environment>): string[] {
  if (SMTP_URL && !MAIL_FROM) return ['MAIL_FROM is missing: SMTP_URL needs an address to send from']
  if (MAIL_FROM && !SMTP_URL) return ['SMTP_URL is missing: MAIL_FROM needs a server to send through']
  return []
}

function topUpConfig(env: z.output<typeof TopUpEnvironment>): TopUpConfig | undefined {
  const [usual, ...others] = configuredNetworks({
    tron: env.USDT_WALLET
      ? {
          wallet: env.USDT_WALLET,
          contract: env.USDT_CONTRACT,
          apiUrl: env.TRON_API_URL,
          fallbackUrl: env.TRON_API_URL_FALLBACK,
          apiKey: env.TRON_API_KEY,
        }
      : undefined,
  })
  if (!usual) return undefined
  return {
    terms: {
      rate: env.USDT_RATE,
      min: env.USDT_MIN_AMOUNT,
      max: env.USDT_MAX_AMOUNT,
      expireMs: env.USDT_EXPIRE_MINUTES * MINUTE_MS,
      graceMs: env.USDT_GRACE_HOURS * 60 * MINUTE_MS,
    },
    networks: [usual, ...others],
  }
}

function topUpProblems(env: z.output<typeof TopUpEnvironment>): string[] {
  const { USDT_WALLET, USDT_CONTRACT, USDT_RATE, USDT_MIN_AMOUNT, USDT_MAX_AMOUNT } = env
  return [
    USDT_WALLET === USDT_CONTRACT ? 'USDT_WALLET is the token contract: what is paid there is lost' : [],
    USDT_MIN_AMOUNT > USDT_MAX_AMOUNT ? 'USDT_MIN_AMOUNT is more than USDT_MAX_AMOUNT' : [],
    creditFor(USDT_MIN_AMOUNT, USDT_RATE) === 0 ? 'USDT_MIN_AMOUNT is worth nothing at USDT_RATE' : [],
    creditFor(USDT_MAX_AMOUNT, USDT_RATE) > MAX_MICROS
      ? 'USDT_MAX_AMOUNT is worth more at USDT_RATE than a balance can hold'
      : [],
  ].flat()
}

/** Returns the gateway to start with the service; in the sandbox there is one unless it is switched off. */
function embeddedGateway(
  env: z.output<typeof Environment>,
  environment: Environment,
): EmbeddedGateway | undefined {
  // A service on any free port (0) shares its machine with others: so its gateway takes a free port, too.
  const usual = env.BOT_TOKEN ? 'off' : env.PORT === 0 ? '0' : SANDBOX_GATEWAY_PORT
  const port = env.GATEWAY_PORT ?? usual
  if (port === 'off') return undefined
  const own = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('GATEWAY_') && value ? [[name, value] as const] : [],
  )
  const settings = {
    GATEWAY_DATA: join(dataDirectory(env), 'gateway'),
    ...Object.fromEntries(own),
    GATEWAY_PORT: port,
  }
  const placeholders = { GATEWAY_SHOP_URL: 'http://127.0.0.1', GATEWAY_TOKEN: '-'.repeat(MIN_SECRET) }
  const { host } = loadGatewayConfig({ ...settings, ...placeholders })
  return { host, environment: settings }
}

/** Proxies that cannot reach the echo would all look dead. */
function checkProblems({ CHECK_PROXIES, ...env }: z.output<typeof Environment>): string[] {
  return CHECK_PROXIES === 'on' && env.BOT_TOKEN && !env.PUBLIC_URL && !env.CHECK_ECHO_URL
    ? ['PUBLIC_URL is missing: with CHECK_PROXIES=on proxies must know where to reach this server']
    : []
}

/** The service only watches its wallet. A key that nothing needs can only be stolen. */
function walletKeyProblems(environment: Environment): string[] {
  const isKey = /^(?:TRON|TRX|USDT|WALLET)_(?:\w+_)?(?:PRIVATE_?KEY|MNEMONIC|SEED|SEED_PHRASE)$/i
  return Object.keys(environment)
    .filter((name) => environment[name] && isKey.test(name))
    .map(
      (name) => `${name} must not be here: the service never signs anything, keep the wallet's key elsewhere`,
    )
}

/** Returns the folder in which this machine keeps what is not in the database: that of SQLite's file, otherwise DATA_DIR. */
function dataDirectory(env: { readonly DATABASE_URL: string; readonly DATA_DIR: string }): string {
  return isPostgres(env.DATABASE_URL) ? resolve(env.DATA_DIR) : dirname(databasePath(env.DATABASE_URL))
}

/**
 * Returns a secret that is made at the first start and kept in a file beside the database, readable by its owner only.
 *
 * @throws ConfigError on PostgreSQL, where it must be given
 */
function keptSecret(databaseUrl: string, name: string): string {
  if (isPostgres(databaseUrl)) {
    const variable = name.toUpperCase().replaceAll('-', '_')
    throw new ConfigError([
      `${variable} is missing: the servers of a PostgreSQL database share it, so it is not made here`,
    ])
  }
  const file = join(dirname(databasePath(databaseUrl)), name)
  const exists = existsSync(file)
  const kept = exists ? decodedText(readFileSync(file))?.trim() : ''
  if (kept === undefined) throw new ConfigError([`${file} is not encoded in UTF-8: save it as UTF-8`])
  if (kept.length >= MIN_SECRET) return kept
  // Empty after a kill, or with a full disk, between the creation of the file and the writing.
  if (kept !== '')
    throw new ConfigError([`${file} has fewer than ${MIN_SECRET} characters: delete it, a new one is made`])
  const secret = randomBytes(48).toString('base64url')
  try {
    mkdirSync(dirname(file), { recursive: true })
    if (exists) rmSync(file, { force: true })
    writeFileSync(file, secret, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(file))
      return keptSecret(databaseUrl, name)
    throw new OperatorError(`The file ${file} cannot be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return secret
}
