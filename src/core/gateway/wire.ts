import { z } from 'zod'

/** What a shop and its gateway say to each other (rules 12); the only thing that both know. */

/** Names a gateway by its journal: the same one after a restart. */
export const GatewayId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)

/** Addresses whose clients need no password, and where their traffic leaves. */
export const Allowed = z.object({
  cidr: z.string(),
  country: z.string().nullable(),
  session: z.string().nullable(),
})

export const GatewayAccount = z.object({
  /** The name before the parameters. */
  username: z.string(),
  password: z.string(),
  /** Everything but `active` is refused and its tunnels are ended. */
  status: z.enum(['active', 'disabled', 'deleted']),
  product_no: z.string(),
  /** The pool whose exits it uses. */
  pool: z.string(),
  remaining_bytes: z.int().min(0),
  /** Grows with each change of the account. */
  revision: z.int(),
  /** Set while the shop waits for what the account used so far. */
  flush: z.int().nullable(),
  /** Whether hosts are counted for this account. */
  targets: z.boolean(),
  allow: z.array(Allowed),
})
export type GatewayAccount = z.output<typeof GatewayAccount>

export const GatewayProduct = z.object({
  product_no: z.string(),
  /** Lower-case ISO 3166 alpha-2 codes; empty: everywhere. */
  countries: z.array(z.string()),
  /** As they stand in usernames; empty: everywhere. */
  cities: z.array(z.string()),
})
export type GatewayProduct = z.output<typeof GatewayProduct>

export const GatewayExit = z.object({
  id: z.int(),
  pool: z.string(),
  /** direct: from the gateway itself; proxy: an HTTP or SOCKS5 proxy; vendor: a vendor's gateway, whose username follows the template. */
  kind: z.enum(['direct', 'proxy', 'vendor']),
  /** With credentials; null for `direct`. `http://`, `https://` or `socks5://`. */
  url: z.string().nullable(),
  /** Lower-case; null: any. A vendor's gateway reaches every place. */
  country: z.string().nullable(),
  city: z.string().nullable(),
  /** For `vendor`: the username, with {user}, {country}, {city}, {session}, {lifetime}. */
  template: z.string().nullable(),
  status: z.enum(['active', 'paused']),
})
export type GatewayExit = z.output<typeof GatewayExit>

export const AccountsPage = z.object({
  cursor: z.string(),
  /** Everything that was known before is void. */
  reset: z.boolean(),
  /** More is to be had at once. */
  more: z.boolean(),
  /** The last batch of this gateway that was counted when this was read. */
  sequence: z.int().min(0),
  accounts: z.array(GatewayAccount),
  /** Whole, when anything of it changed. */
  products: z.array(GatewayProduct).nullable(),
  exits: z.array(GatewayExit).nullable(),
})
export type AccountsPage = z.output<typeof AccountsPage>

export const UsageItem = z.object({
  /** The name before the parameters. */
  account: z.string().min(1).max(64),
  /** UTC, YYYY-MM-DD. */
  day: z.iso.date(),
  bytes: z.int().min(0),
  /** Hosts without ports; what is not listed went to others. */
  targets: z.array(z.object({ host: z.string().min(1).max(253), bytes: z.int().min(0) })).max(50),
})
export type UsageItem = z.output<typeof UsageItem>

export const ExitReport = z.object({
  id: z.int(),
  healthy: z.boolean(),
  /** Why it is not; no credentials. */
  reason: z.string().max(200).nullable(),
  connect_ms: z.int().min(0).nullable(),
  /** Since the last batch. */
  connections: z.int().min(0),
  bytes: z.int().min(0),
  errors: z.int().min(0),
})
export type ExitReport = z.output<typeof ExitReport>

export const UsageBatch = z.object({
  sequence: z.int().min(1),
  items: z.array(UsageItem).max(10_000),
  /** Flushes that this batch completes. */
  flushed: z.array(z.int()).max(1_000),
  exits: z.array(ExitReport).max(10_000),
  gateway: z.object({
    started_at: z.iso.datetime(),
    workers: z.int().min(1),
    /** Tunnels and requests now. */
    connections: z.int().min(0),
    /** Since the last batch. */
    accepted: z.int().min(0),
    refused: z.record(z.string(), z.int().min(0)),
  }),
  /** The gateway stops: another one may begin at once. */
  ended: z.boolean(),
})
export type UsageBatch = z.output<typeof UsageBatch>

export const UsageAnswer = z.object({
  /** The last batch that was counted. */
  sequence: z.int().min(0),
  replayed: z.boolean(),
  /** Of the accounts in the batch, after it. */
  accounts: z.array(z.object({ username: z.string(), remaining_bytes: z.int().min(0), revision: z.int() })),
})
export type UsageAnswer = z.output<typeof UsageAnswer>
