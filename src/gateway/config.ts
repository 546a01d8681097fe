import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { OperatorError } from '../core/operator-error.ts'
import { ownAddresses } from '../core/public-addresses.ts'
import { LogFormat, LogLevel, type LogSettings } from '../logger.ts'
import type { Lead } from './targets.ts'

/** An empty value in `.env` means the same as no line. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)
const wholeNumber = (usual: string, least: number, most: number) =>
  optional(
    z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .default(usual)
      .transform(Number)
      .refine((number) => number >= least && number <= most, `must be from ${least} to ${most}`),
  )

/** The token is sent to this address: encrypted, unless it stays on this machine or in a private network. */
const shopUrl = z
  .string()
  .refine((value) => /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(value) && URL.canParse(value), {
    error: 'must be the plain address of the shop, such as https://shop.example.com',
    abort: true,
  })
  .refine(
    (value) => value.startsWith('https:') || isNear(new URL(value).hostname),
    'must be https; http is for this machine and private networks only',
  )
  .transform((value) => value.replace(/\/+$/, '').replace(/\/api$/, ''))

const NEAR_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  // A name without a dot is of this machine or its network, as those of containers are: there are none on the internet.
  if (!ipaddr.isValid(host)) return !host.includes('.')
  const address = ipaddr.process(host)
  return NEAR_RANGES.has(address.range()) || ownAddresses().includes(address.toString())
}

/** `host:port`; an IPv6 address in brackets. */
const target = z.string().transform((text, context) => {
  const [, v6, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  if (Number(port) > 0 && Number(port) <= 65_535) return { host: v6 ?? name ?? '', port: Number(port) }
  context.addIssue({ code: 'custom', message: 'must be a host and a port, such as example.com:443' })
  return z.NEVER
})

/** The target that the probes of exits connect to. */
export const ProbeTarget = optional(target.prefault('one.one.one.one:443'))

/** `host=address:port`, separated by commas. */
const knownTargets = z.string().transform((text, context): ReadonlyMap<string, Lead> => {
  const leads = text.split(',').flatMap((part) => part.trim() || [])
  const known = leads.flatMap((lead) => {
    const [, host = '', v6, v4, port] =
      /^([a-z\d.-]+)=(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(lead) ?? []
    const address = v6 ?? v4 ?? ''
    return ipaddr.isValid(address) ? [[host, { address, ...(port && { port: Number(port) }) }] as const] : []
  })
  if (known.length === leads.length) return new Map(known)
  context.addIssue({ code: 'custom', message: 'must be targets such as example.com=127.0.0.1:8080' })
  return z.NEVER
})

const Environment = z.object({
  GATEWAY_HOST: optional(z.string().default('127.0.0.1')),
  GATEWAY_PORT: wholeNumber('8899', 0, 65_535),
  GATEWAY_SHOP_URL: optional(z.string('is missing: where the shop is reached').pipe(shopUrl)),
  GATEWAY_TOKEN: optional(
    z
      .string('is missing: "npm run operator -- gateway token" shows it')
      .regex(/^[!-~]{16,512}$/, 'must have at least 16 characters and no spaces'),
  ),
  GATEWAY_DATA: optional(z.string().default('./data/gateway')),
  GATEWAY_WORKERS: wholeNumber('1', 1, 64),
  GATEWAY_MAX_CONNECTIONS: wholeNumber('500', 1, 100_000),
  GATEWAY_PROBE_TARGET: ProbeTarget,
  GATEWAY_KNOWN_TARGETS: optional(knownTargets.prefault('')),
  LOG_LEVEL: optional(LogLevel.default('info')),
  LOG_FORMAT: optional(LogFormat),
})

/** Everything that can be set for a gateway, checked (rules 12.1). */
export interface GatewayConfig {
  readonly host: string
  readonly port: number
  /** Without a slash at the end. */
  readonly shopUrl: string
  readonly token: string
  /** Folder of the journal. */
  readonly data: string
  readonly workers: number
  /** Tunnels and requests of an account at a time. */
  readonly maxConnections: number
  /** The target that the probes of exits connect to. */
  readonly probeTarget: { readonly host: string; readonly port: number }
  /** Hosts that are reached at another address, even one that is closed to clients: documentation targets of the sandbox. */
  readonly knownTargets: ReadonlyMap<string, Lead>
  readonly log: LogSettings
}

/**
 * Reads the configuration of a gateway from environment variables.
 *
 * @throws OperatorError with all problems at once
 */
export function loadGatewayConfig(environment: Readonly<Record<string, string | undefined>>): GatewayConfig {
  const { success, data: env, error } = Environment.safeParse(environment)
  if (!success) {
    const problems = error.issues.map(({ path, message }) => `  - ${String(path[0])} ${message}`)
    throw new OperatorError(['The configuration of the gateway cannot be used:', ...problems].join('\n'))
  }
  return {
    host: env.GATEWAY_HOST,
    port: env.GATEWAY_PORT,
    shopUrl: env.GATEWAY_SHOP_URL,
    token: env.GATEWAY_TOKEN,
    data: env.GATEWAY_DATA,
    workers: env.GATEWAY_WORKERS,
    maxConnections: env.GATEWAY_MAX_CONNECTIONS,
    probeTarget: env.GATEWAY_PROBE_TARGET,
    knownTargets: env.GATEWAY_KNOWN_TARGETS,
    log: { level: env.LOG_LEVEL, format: env.LOG_FORMAT },
  }
}
