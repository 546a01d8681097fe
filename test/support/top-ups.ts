import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import type { TopUpTerms } from '../../src/core/top-ups/top-up-terms.ts'
import { createTronEmulator, USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import type { ServerSettings, TronServer } from '../../src/emulators/tron/types.ts'
import type { OpenNetwork } from '../../src/core/top-ups/payment-network.ts'
import { tron as configuredTron, type TronSettings } from '../../src/networks/tron/index.ts'
import { createTronChain } from '../../src/networks/tron/tron-chain.ts'
import { openApi } from './api.ts'
import { createCore } from '../../src/core/core.ts'
import { type ServiceOptions, JWT_SECRET, movableClock, type MovableClock } from './service.ts'

/** Receives the payments of the tests. */
export const WALLET = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'
export const API_KEY = 'key-of-the-tests-0123456789'
const MINUTE_MS = 60_000

export const TERMS: TopUpTerms = {
  rate: 1_000_000,
  min: 1_000_000,
  max: 50_000_000_000,
  expireMs: 30 * MINUTE_MS,
  graceMs: 24 * 60 * MINUTE_MS,
}

/** The only network of a shop, which is read from one provider. */
export function takenOn(settings: Partial<TronSettings> & Pick<TronSettings, 'apiUrl'>) {
  return {
    terms: TERMS,
    networks: [
      configuredTron({ wallet: WALLET, contract: USDT_CONTRACT, apiKey: API_KEY, ...settings }),
    ] as const,
  }
}

interface ShopOptions {
  /** The token; USDT if missing. */
  readonly contract?: string
  /** Networks beside TRON, or before it. */
  readonly networks?: (tron: OpenNetwork) => readonly [OpenNetwork, ...OpenNetwork[]]
  readonly terms?: Partial<TopUpTerms>
  readonly settings?: ServerSettings
  /** A second provider over the same chain. */
  readonly fallback?: boolean
  readonly operatorChats?: readonly number[]
  readonly timeoutMs?: number
  readonly clock?: MovableClock
  /** Null: the chain is read without a key. */
  readonly apiKey?: string | null
  readonly checks?: ServiceOptions['checks']
}

/**
 * The service behind its HTTP face, which takes USDT on an imitated chain that it reads over HTTP. Time stands still until the
 * test moves it; all of it ends with the test.
 */
export async function openShop({
  terms = {},
  contract = USDT_CONTRACT,
  networks = (tron) => [tron],
  settings,
  fallback,
  operatorChats,
  timeoutMs,
  clock = movableClock(),
  apiKey = API_KEY,
  checks,
}: ShopOptions = {}) {
  const tron = createTronEmulator({ clock, wallet: WALLET, ...(settings && { settings }) })
  const apiUrl = await serve(tron)
  const refused: string[] = []
  const second = fallback ? tron.addServer() : undefined
  const chain = createTronChain({
    apiUrl,
    fallbackUrl: second && (await serve(second)),
    apiKey: apiKey ?? undefined,
    clock,
    wait: (ms) => Promise.resolve(clock.advance(ms)),
    observer: {
      asked: (_, method, fault) => void (fault && refused.push(`${method}: ${fault.message}`)),
      switched: () => {},
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  const onTron = { network: chain, wallet: WALLET, contract }
  const topUps = { terms: { ...TERMS, ...terms }, networks: networks(onTron) }
  const api = await openApi({
    clock,
    topUps,
    ...(operatorChats && { operatorChats }),
    ...(checks && { checks }),
  })
  const scanner = () => {
    const [first] = api.core.topUps.scanners
    if (!first) throw new Error('top-ups are off')
    return first
  }

  /** Opens a top-up over HTTP. */
  async function open(user: Actor, amount: string | number = '100', more: object = {}) {
    const { body, status } = await (await api.as(user)).post('/usdt/create-order', { amount, ...more })
    if (status !== 200) throw new Error(`${body.error}: ${body.message}`)
    return body.data as unknown as WireTopUp
  }

  /** Reads the chain every few seconds while time passes, as the loop does. */
  async function pass(ms: number, stepMs = 6000): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      clock.advance(Math.min(left, stepMs))
      await scanner().scan()
    }
  }

  return {
    ...api,
    tron,
    /** Where the chain is served. */
    tronUrl: apiUrl,
    scanner,
    /** What was asked of the chain without a good answer. */
    refused,
    second,
    /** The chain as people use it. */
    people: tron.chain,
    open,
    /** Pays exactly what a top-up asks for; answers the txid. */
    pay: (
      topUp: Pick<WireTopUp, 'pay_amount'>,
      more: Partial<Parameters<typeof tron.chain.transfer>[0]> = {},
    ) => tron.chain.transfer({ units: unitsOf(topUp.pay_amount), ...more }),
    /** Reads the chain as the loop does. */
    scan: () => scanner().scan(),
    pass,
    /** Until what was paid just now is irreversible and booked. */
    settle: () => pass(66_000),
    topUp: ({ order_no }: Pick<WireTopUp, 'order_no'>) =>
      api.db.read.$kysely
        .selectFrom('topUps')
        .selectAll()
        .where('orderNo', '=', order_no)
        .executeTakeFirstOrThrow(),
    /** State and reason of every transfer that was recorded, oldest first. */
    transfers: async () =>
      (
        await api.db.read.$kysely
          .selectFrom('usdtTransfers')
          .select(['state', 'reason'])
          .orderBy('id')
          .execute()
      ).map(({ state, reason }) => reason ?? state),
    /** What a restart with other terms would build on the same database. */
    restartedWith: ({ wallet = WALLET, ...changed }: Partial<TopUpTerms & Pick<OpenNetwork, 'wallet'>>) =>
      createCore({
        db: api.db,
        clock,
        suppliers: {},
        currency: 'USD',
        jwtSecret: JWT_SECRET,
        jwtTtl: 86_400,
        topUps: { terms: { ...topUps.terms, ...changed }, networks: [{ ...onTron, wallet }] },
      }),
    /** What the operator's chats are told, oldest first. */
    alerts: async () =>
      (
        await api.db.read.$kysely
          .selectFrom('notices')
          .select('kind')
          .where('accountId', 'is', null)
          .orderBy('id')
          .execute()
      ).map(({ kind }) => kind),
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A top-up on the wire, as far as tests look at it. */
export interface WireTopUp {
  readonly order_no: string
  readonly amount: string
  readonly pay_amount: string
  readonly credit_amount: number
  readonly status: string
  readonly expires_at: string
  readonly late: boolean
  readonly tx_hash: string | null
}

/** `100.0037` in units of 10^-6. */
export function unitsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

/** Serves an imitated chain over HTTP until the test ends; answers the address. */
export async function serve({ httpApi }: Pick<TronServer, 'httpApi'>): Promise<string> {
  const server = Fastify({ forceCloseConnections: true })
  await server.register(httpApi)
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}
