import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { command } from './command-line.ts'
import { type Credential, type Flow, openFlow, Refused, type Source, SOURCE, startSource } from './flow.ts'
import { descendantsOf, startGatewayProcess } from './gateway-process.ts'
import { PATIENCE } from './patience.ts'
import type { ProductProcess } from './process.ts'
import { openShopToKill, SECRETS } from './shop-to-kill.ts'

const PRODUCT = 'DYN'
const LOGIN = '/auth/login'
const AGENTS = ['agent-1', 'agent-2', 'agent-3'].map((username) => ({ username, password: `${username}-pw` }))

/** The token of the gateways of the shop. */
export const SHOP_TOKEN = 'the-token-of-the-gateways-of-the-tests'

export interface SubAccount extends Credential {
  readonly id: number
}

/**
 * A shop that sells traffic, with the gateway that it starts, as processes that can be killed; agents with money, and a source of
 * bytes behind the gateway. All of it ends with the test.
 *
 * @param settings of the shop; without GATEWAY_PORT its gateway has any free port
 */
export async function meteredShop(settings: Readonly<Record<string, string>> = {}) {
  const source = await startSource()
  const gatewaySettings = { GATEWAY_TOKEN: SHOP_TOKEN, ...leadingTo(source) }
  const shop = await openShopToKill(
    AGENTS.map((agent) => ({ ...agent, balance: 100_000 })),
    { GATEWAY_PORT: '0', RATE_LIMIT_WRITES: '0', ...gatewaySettings, ...settings },
    async ({ operator }) => {
      await operator.addProduct(SHELL, {
        productNo: PRODUCT,
        names: { en: 'Dynamic', zh: '动态' },
        price: 1,
        proxyType: 104,
        pool: 'dynamic_2',
        gateway: 'gw.example.com:8000',
      })
      await operator.exits.add(SHELL, { pool: 'dynamic_2' })
    },
  )
  const { database } = shop

  let product: ProductProcess
  /** Ports on which gateways of the running shop have listened, the last one now. */
  const ports = () =>
    [...product.output().matchAll(/^ {2}proxy +127\.0\.0\.1:(\d+)$/gm)].map(([, port]) => Number(port))
  const tokens = new Map<number, string>()

  async function call<Data = unknown>(method: string, path: string, body?: object, agent = 0): Promise<Data> {
    const response = await fetch(`${product.address}/b/api${path}`, {
      method,
      headers: {
        'accept-language': 'en',
        ...(body && { 'content-type': 'application/json' }),
        ...(path !== LOGIN && { authorization: `Bearer ${await tokenOf(agent)}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { code: number; data: Data }
    if (answer.code !== 0) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }

  async function tokenOf(agent: number): Promise<string> {
    const token = tokens.get(agent) ?? (await call<{ token: string }>('POST', LOGIN, AGENTS[agent])).token
    tokens.set(agent, token)
    return token
  }

  async function start(changed: Readonly<Record<string, string>> = {}): Promise<void> {
    product = await shop.start(changed)
    if ({ ...settings, ...changed }['GATEWAY_PORT'] !== 'off') await gatewayAfter(0)
  }

  /** Waits for the gateway that follows so many others of the running shop. */
  async function gatewayAfter(many: number): Promise<void> {
    await vi.waitUntil(() => ports().length > many, PATIENCE)
  }

  const { rows } = shop.beside

  await start()
  return {
    ...shop,
    source,
    call,
    start,
    get product() {
      return product
    },
    /** Where the gateway listens. */
    port: () => ports().at(-1) ?? 0,
    /** Kills the gateway and waits for the next one. */
    killGateway: async () => {
      const many = ports().length
      // The workers first: they are still there then.
      for (const pid of descendantsOf(product.pid).toReversed()) process.kill(pid, 'SIGKILL')
      await gatewayAfter(many)
    },
    /** Kills the shop alone. */
    killShop: async () => {
      process.kill(product.pid, 'SIGKILL')
      await vi.waitUntil(() => !isRunning(product.pid), PATIENCE)
    },
    /** Buys traffic, at least 1 MB; the credential for it. */
    buy: async (bytes: number, agent = 0): Promise<Credential> => {
      const order = { orderType: 'dynamic_proxy', poolId: PRODUCT, trafficAmount: bytes / 1e9 }
      await call('POST', '/open/app/order/create/v2', order, agent)
      return call<{ items: [Credential] }>(
        'POST',
        '/open/app/dynamic/extract',
        { productNo: PRODUCT },
        agent,
      ).then(({ items: [credential] }) => credential)
    },
    addSubAccount: (bytes: number, agent = 0) =>
      call<SubAccount>(
        'POST',
        '/open/app/dynamic/sub-accounts',
        { productNo: PRODUCT, amount: bytes / 1e9 },
        agent,
      ),
    /** Moves traffic to a sub-account, or back. */
    move: ({ id }: SubAccount, bytes: number, agent = 0) =>
      call('POST', `/open/app/dynamic/sub-accounts/${id}/traffic`, { amount: bytes / 1e9 }, agent),
    setStatus: ({ id }: SubAccount, status: 'active' | 'disabled', agent = 0) =>
      call('PATCH', `/open/app/dynamic/sub-accounts/${id}/status`, { status }, agent),
    remove: ({ id }: SubAccount, agent = 0) =>
      call('DELETE', `/open/app/dynamic/sub-accounts/${id}`, undefined, agent),
    /** A gateway beside the one that the shop starts, as on another machine; `address`: where it reaches the shop. */
    gateway: (data: string, address = product.address) =>
      startGatewayProcess(data, {
        ...gatewaySettings,
        GATEWAY_SHOP_URL: address,
        GATEWAY_DATA: data,
      }),
    /** Asks the source through the gateway, as soon as that serves clients and knows the credential. */
    flow: (credential: Credential, bytes: number, port?: number) =>
      patientFlow(() => port ?? ports().at(-1) ?? 0, credential, bytes),
    /** The same as soon as the gateway also knows of traffic that was bought after all had been used. */
    flowOfMore: (credential: Credential, bytes: number) =>
      patientFlow(() => ports().at(-1) ?? 0, credential, bytes, ['traffic_exhausted']),
    /** The same in two steps: the second one asks. */
    openFlow: (credential: Credential) => patientlyOpened(() => ports().at(-1) ?? 0, credential),
    /** What was reported for a credential, and how much of it was counted. */
    reported: async ({ username }: Credential) => {
      const [sum] = await rows<{ bytes: number; counted: number }>(
        `SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(counted_bytes), 0) AS counted FROM usage_reports WHERE username = '${username}'`,
      )
      return sum ?? { bytes: 0, counted: 0 }
    },
    audit: async () => {
      const { status, stderr } = await command(['audit'], { database, drivers: DRIVERS, env: SECRETS })
      expect([status, stderr]).toEqual([0, ''])
    },
  }
}

export type MeteredShop = Awaited<ReturnType<typeof meteredShop>>

/** What a gateway answers that cannot serve anybody yet, or was asked too often before it knew the credential. */
const NOT_READY = ['shop_unreachable', 'no_exit', 'too_many_failed_logins']

/**
 * Asks the source as soon as the gateway serves clients and knows the credential.
 *
 * @param passing reasons of refusals that are over soon, beside those of a gateway that has just begun
 */
export async function patientFlow(
  port: () => number,
  credential: Credential,
  bytes: number,
  passing: readonly string[] = [],
): Promise<Flow> {
  const ask = await patientlyOpened(port, credential, passing)
  return ask(bytes)
}

/** Opens a tunnel to the source as soon as the gateway serves clients and knows the credential. */
function patientlyOpened(port: () => number, credential: Credential, passing: readonly string[] = []) {
  return vi.waitUntil(
    () =>
      openFlow(port(), credential).catch((error: unknown) => {
        if (!isTooEarly(error, [...NOT_READY, ...passing])) throw error
        return undefined
      }),
    { ...PATIENCE, interval: 250 },
  )
}

function isTooEarly(error: unknown, passing: readonly string[]): boolean {
  if (error instanceof Refused) return passing.includes(error.reason ?? '') || error.status === 407
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
}

/** What a gateway has to know to reach a source. */
export function leadingTo({ port }: Source) {
  return { GATEWAY_KNOWN_TARGETS: `${SOURCE}=127.0.0.1:${port}`, GATEWAY_PROBE_TARGET: `127.0.0.1:${port}` }
}

function isRunning(pid: number): boolean {
  try {
    // What has ended, but was not waited for, is a zombie.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
