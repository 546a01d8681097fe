import { z } from 'zod'

/** The messages between a shop and its gateway (rules 12.2, 12.3). */

/** Id of the journal of a gateway; stays the same after a restart. */
export const GatewayId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)

/** Addresses whose clients need no password, and where their traffic leaves. */
export const Allowed = z.object({
  cidr: z.string().meta({ description: 'An address, or a range in CIDR notation' }),
  country: z.string().nullable().meta({ description: 'Lower-case ISO 3166-1 alpha-2; null: any' }),
  session: z.string().nullable().meta({ description: 'Session of its requests; null: none' }),
})

export const GatewayAccount = z
  .object({
    username: z.string().meta({ description: 'The name before the parameters' }),
    password: z.string().meta({ description: 'Its password at the gateway' }),
    status: z
      .enum(['active', 'disabled', 'deleted'])
      .meta({ description: 'Everything but `active` is refused, and its tunnels are ended' }),
    product_no: z.string(),
    pool: z.string().meta({ description: 'The pool whose exits it uses' }),
    remaining_bytes: z
      .int()
      .min(0)
      .meta({ description: 'What it may still use, when all batches up to `sequence` were counted' }),
    revision: z.int().meta({ description: 'Grows with each change of the account' }),
    flush: z
      .int()
      .nullable()
      .meta({ description: 'Set while the shop waits for what the account used so far' }),
    targets: z.boolean().meta({ description: 'Whether hosts are counted for this account' }),
    allow: z.array(Allowed).meta({ description: 'Clients that need no password' }),
  })
  .meta({ id: 'GatewayAccount' })
export type GatewayAccount = z.output<typeof GatewayAccount>

export const GatewayProduct = z
  .object({
    product_no: z.string(),
    countries: z
      .array(z.string())
      .meta({ description: 'Lower-case ISO 3166-1 alpha-2 codes; empty: everywhere' }),
    cities: z.array(z.string()).meta({ description: 'As they stand in usernames; empty: everywhere' }),
  })
  .meta({ id: 'GatewayProduct' })
export type GatewayProduct = z.output<typeof GatewayProduct>

export const GatewayExit = z
  .object({
    id: z.int(),
    pool: z.string().meta({ description: 'The pool whose traffic leaves there' }),
    kind: z.enum(['direct', 'proxy', 'vendor']).meta({
      description:
        '`direct`: from the gateway itself; `proxy`: an HTTP or SOCKS5 proxy; `vendor`: a vendor’s gateway, whose username follows ' +
        'the template',
    }),
    url: z.string().nullable().meta({
      description: 'With credentials: `http://`, `https://` or `socks5://`; null for `direct`',
    }),
    country: z.string().nullable().meta({
      description: 'Lower-case; null: any. A vendor’s gateway reaches every place',
    }),
    city: z.string().nullable().meta({ description: 'As it stands in usernames; null: any' }),
    template: z.string().nullable().meta({
      description:
        'For `vendor`: the username, with {user}, {country}, {city}, {session}, {lifetime}; null for others',
    }),
    status: z.enum(['active', 'paused']).meta({ description: 'A paused exit gets no new connections' }),
    remote_only: z.boolean().optional().meta({
      description:
        'Names of targets are resolved by the exit only, and not checked; missing: they are checked',
    }),
  })
  .meta({ id: 'GatewayExit' })
export type GatewayExit = z.output<typeof GatewayExit>

export const AccountsPage = z
  .object({
    cursor: z.string().meta({ description: 'Where the next page begins' }),
    reset: z.boolean().meta({ description: 'Everything that was known before is void' }),
    more: z.boolean().meta({ description: 'More is to be had at once' }),
    sequence: z
      .int()
      .min(0)
      .meta({ description: 'The last batch of this gateway that was counted when this was read' }),
    accounts: z.array(GatewayAccount).meta({ description: 'Those that have changed' }),
    products: z
      .array(GatewayProduct)
      .nullable()
      .meta({ description: 'Whole, when anything of it changed; else null' }),
    exits: z
      .array(GatewayExit)
      .nullable()
      .meta({ description: 'Whole, when anything of it changed; else null' }),
  })
  .meta({ id: 'GatewayAccountsPage' })
export type AccountsPage = z.output<typeof AccountsPage>

/** Bytes in one batch; the maximum keeps sums safe integers. */
const Bytes = z.int().min(0).max(100_000_000_000_000)

export const UsageItem = z
  .object({
    account: z.string().min(1).max(64).meta({ description: 'The name before the parameters' }),
    day: z.iso.date().meta({ description: 'Day of the use, UTC' }),
    bytes: Bytes.meta({ description: 'Bytes in both directions' }),
    targets: z
      .array(
        z.object({
          host: z.string().min(1).max(253).meta({ description: 'The host, without a port' }),
          bytes: Bytes.meta({ description: 'Bytes in both directions' }),
        }),
      )
      .max(50)
      .meta({ description: 'Hosts; what is not listed went to others' }),
  })
  .meta({ id: 'GatewayUsageItem' })
export type UsageItem = z.output<typeof UsageItem>

/** Why an exit gave no connection, as gateways report it; each person reads it in the language of the chat. */
export type ExitFaultPhrase =
  | 'no connection'
  | 'no connection in time'
  | 'no answer in time'
  | 'no TLS connection'
  | 'it ended the connection'
  | 'it does not speak this protocol'
  | 'it does not speak HTTP'
  | 'its address is malformed'
  | 'it refuses the credentials'
  | 'it answered'
/** A phrase, perhaps with an error code, or with the status that the exit answered. */
export type ExitFaultDetail =
  | ExitFaultPhrase
  | `${ExitFaultPhrase} (${string})`
  | `${ExitFaultPhrase} ${number}`

export const ExitReport = z
  .object({
    id: z.int(),
    healthy: z.boolean().meta({ description: 'Whether it is used for new connections' }),
    reason: z
      .string()
      .max(200)
      .nullable()
      .meta({ description: 'Why it is not healthy, without credentials; null: it is' }),
    connect_ms: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Milliseconds until it was connected; null: not since the last batch' }),
    connections: z.int().min(0).meta({ description: 'Connections since the last batch' }),
    bytes: Bytes.meta({ description: 'Bytes since the last batch' }),
    errors: z.int().min(0).meta({ description: 'Failures since the last batch' }),
  })
  .meta({ id: 'GatewayExitReport' })
export type ExitReport = z.output<typeof ExitReport>

export const UsageBatch = z
  .object({
    sequence: z.int().min(1).meta({ description: '1, 2, 3 … for each journal, without gaps' }),
    items: z.array(UsageItem).max(10_000).meta({ description: 'What was used since the last batch' }),
    flushed: z.array(z.int()).max(1_000).meta({ description: 'Flushes that this batch completes' }),
    exits: z.array(ExitReport).max(10_000).meta({ description: 'How exits do' }),
    gateway: z
      .object({
        started_at: z.iso.datetime().meta({ description: 'When the process began' }),
        workers: z.int().min(1).meta({ description: 'Its worker processes' }),
        connections: z.int().min(0).meta({ description: 'Tunnels and requests now' }),
        accepted: z.int().min(0).meta({ description: 'Requests let in since the last batch' }),
        refused: z
          .record(z.string().regex(/^[a-z_]{1,40}$/), z.int().min(0))
          .meta({ description: 'Requests refused since the last batch, by reason' }),
      })
      .meta({ description: 'How the gateway itself does' }),
    ended: z.boolean().meta({ description: 'The gateway stops: another one may begin at once' }),
  })
  .meta({ id: 'GatewayUsageBatch' })
export type UsageBatch = z.output<typeof UsageBatch>

export const UsageAnswer = z
  .object({
    sequence: z.int().min(0).meta({ description: 'The last batch that was counted' }),
    replayed: z.boolean().meta({ description: 'A batch of this number had been counted before' }),
    same: z
      .boolean()
      .optional()
      .meta({ description: 'It had the same contents; known of the last batch only' }),
    accounts: z
      .array(
        z.object({
          username: z.string().meta({ description: 'The name before the parameters' }),
          remaining_bytes: z.int().min(0).meta({ description: 'What it may still use after `sequence`' }),
          revision: z.int().meta({ description: 'Of its last change' }),
        }),
      )
      .meta({ description: 'Of the accounts in the batch, after it' }),
  })
  .meta({ id: 'GatewayUsageAnswer' })
export type UsageAnswer = z.output<typeof UsageAnswer>
