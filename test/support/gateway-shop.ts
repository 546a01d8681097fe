import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  AccountsPage,
  type GatewayAccount,
  type GatewayExit,
  GatewayId,
  type GatewayProduct,
  UsageAnswer,
  UsageBatch,
} from '../../src/core/gateway/wire.ts'
import { atTheEnd } from './clean-up.ts'

export const GATEWAY_TOKEN = 'the-token-of-the-gateway'

type ShopFault =
  /** Refuses connections by ending them. */
  | 'down'
  /** Takes batches and counts them; their answers are lost. */
  | 'lose_answers'

interface Counted {
  readonly gateway: string
  readonly batch: UsageBatch
}

/** A shop that speaks the wire of gateways (wire.ts) and refuses what does not keep to it. It ends with the test. */
export async function gatewayShop({ pageSize = 1_000, aliveMs = 15_000 } = {}) {
  const epoch = randomUUID()
  const accounts = new Map<string, GatewayAccount & { changed: number }>()
  const counted: Counted[] = []
  const sequences = new Map<string, number>()
  const waiting = new Set<() => void>()
  const problems: string[] = []
  const held = new Set<number>()
  let version = 1
  let exitsChanged = 1
  let revisions = 0
  let flushes = 0
  let serving: { readonly id: string; readonly at: number } | undefined
  const state = {
    fault: undefined as ShopFault | undefined,
    exits: [] as GatewayExit[],
    products: [] as GatewayProduct[],
    /** Pages that were asked for. */
    polls: 0,
    /** Posts of usage, those included that were not counted. */
    posts: 0,
  }

  function changed(): void {
    version += 1
    for (const wake of waiting) wake()
  }

  function set(username: string, change: Partial<GatewayAccount>): void {
    const known = accounts.get(username)
    const usual: GatewayAccount = {
      username,
      password: 'secret',
      status: 'active',
      product_no: 'traffic',
      pool: 'dynamic_1',
      remaining_bytes: 0,
      revision: 0,
      flush: null,
      targets: true,
      allow: [],
    }
    accounts.set(username, {
      ...usual,
      ...known,
      ...change,
      revision: (revisions += 1),
      changed: version + 1,
    })
    changed()
  }

  function page(gateway: string, cursor: string | null): AccountsPage {
    const [from, since = '0', after = '', until] = cursor?.split('/') ?? []
    const reset = from !== epoch
    const seen = reset ? 0 : Number(since)
    // What changes while pages are read is news again.
    const begun = reset ? version : Number(until ?? version)
    const news = [...accounts.values()]
      .filter((account) => account.changed > seen && account.username > after)
      .toSorted((a, b) => (a.username < b.username ? -1 : 1))
    const listed = news.slice(0, pageSize)
    const more = listed.length < news.length
    return AccountsPage.parse({
      cursor: more ? `${epoch}/${seen}/${listed.at(-1)?.username}/${begun}` : `${epoch}/${begun}`,
      reset,
      more,
      sequence: sequences.get(gateway) ?? 0,
      accounts: listed,
      ...(exitsChanged > seen
        ? { products: state.products, exits: state.exits }
        : { products: null, exits: null }),
    })
  }

  async function poll(gateway: string, query: URLSearchParams): Promise<AccountsPage> {
    state.polls += 1
    const cursor = query.get('cursor')
    const [, since] = cursor?.split('/') ?? []
    const news = () => page(gateway, cursor)
    if (since === undefined || Number(since) < version || cursor?.split('/').length === 4) return news()
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, Number(query.get('wait') ?? 0) * 1_000)
      waiting.add(end)
    })
    return news()
  }

  function count(gateway: string, batch: UsageBatch): object {
    const last = sequences.get(gateway) ?? 0
    if (batch.sequence > last + 1) {
      return { code: 409, error: 'usage_out_of_order', data: { expected: last + 1 } }
    }
    const replayed = batch.sequence <= last
    if (!replayed) {
      sequences.set(gateway, batch.sequence)
      counted.push({ gateway, batch })
      for (const { account: username, bytes } of batch.items) {
        const account = accounts.get(username)
        if (account) account.remaining_bytes = Math.max(0, account.remaining_bytes - bytes)
        else problems.push(`${username} is unknown`)
      }
      for (const { username, flush } of accounts.values())
        if (flush !== null && batch.flushed.includes(flush) && !held.has(flush))
          set(username, { flush: null })
      if (batch.ended) serving = undefined
    }
    const names = new Set(batch.items.map(({ account }) => account))
    const told = [...accounts.values()].filter(({ username }) => names.has(username))
    const data = UsageAnswer.parse({ sequence: sequences.get(gateway), replayed, accounts: told })
    return { code: 0, message: 'Success', data }
  }

  async function answer(request: IncomingMessage): Promise<object> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop')
    const gateway = GatewayId.parse(request.headers['gateway-id'])
    if (request.headers.authorization !== `Bearer ${GATEWAY_TOKEN}`)
      return { code: 401, error: 'token_invalid', data: null }
    const now = performance.now()
    if (serving && serving.id !== gateway && now - serving.at < aliveMs) {
      return { code: 409, error: 'gateway_taken', data: { retry_after: 1 } }
    }
    serving = { id: gateway, at: now }
    if (pathname === '/api/gateway/v1/accounts') {
      return { code: 0, message: 'Success', data: await poll(gateway, searchParams) }
    }
    if (pathname !== '/api/gateway/v1/usage') throw new Error(`there is no ${pathname}`)
    state.posts += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    if (text.length > 256 * 1_024) throw new Error(`${text.length} bytes are too many`)
    return count(gateway, UsageBatch.parse(JSON.parse(text)))
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.fault === 'down') return void request.socket.destroy()
    const said = (await answer(request)) as { code: number }
    if (state.fault) return void request.socket.destroy()
    response.writeHead(said.code === 0 ? 200 : said.code, { 'content-type': 'application/json' })
    response.end(JSON.stringify(said))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      problems.push(error.message)
      response.writeHead(400).end(JSON.stringify({ code: 400, error: 'validation_error', data: null }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Batches in the order in which they were counted. */
    counted,
    /** What did not keep to the wire. */
    problems,
    set,
    /** Changes what remains, as a purchase does. */
    add: (username: string, bytes: number) =>
      set(username, { remaining_bytes: (accounts.get(username)?.remaining_bytes ?? 0) + bytes }),
    remove: (username: string) => set(username, { status: 'deleted' }),
    remaining: (username: string) => accounts.get(username)?.remaining_bytes,
    /** Bytes that were counted for an account. */
    used: (username: string) =>
      counted
        .flatMap(({ batch }) => batch.items)
        .reduce((sum, item) => sum + (item.account === username ? item.bytes : 0), 0),
    /** Bytes that were counted for an account up to the batch that completed a flush. */
    usedUpTo: (flush: number, username: string) => {
      const last = counted.findIndex(({ batch }) => batch.flushed.includes(flush))
      const items = counted.slice(0, last + 1).flatMap(({ batch }) => batch.items)
      return items.reduce((sum, item) => sum + (item.account === username ? item.bytes : 0), 0)
    },
    /**
     * Suspends an account until the gateway has reported.
     *
     * @param hold until `set` ends it
     * @returns the id
     */
    flush: (username: string, { hold = false } = {}): number => {
      flushes += 1
      if (hold) held.add(flushes)
      set(username, { flush: flushes })
      return flushes
    },
    setExits: (exits: readonly Partial<GatewayExit>[]) => {
      const usual = {
        pool: 'dynamic_1',
        kind: 'proxy',
        country: null,
        city: null,
        template: null,
        status: 'active',
      } as const
      state.exits = exits.map((exit, index) => ({ id: index + 1, url: null, ...usual, ...exit }))
      exitsChanged = version + 1
      changed()
    },
    /** Forgets what it knows of gateways, and all that was counted after so many batches: as when a backup is put back. */
    forget: (sequence: number) => {
      for (const gateway of sequences.keys()) sequences.set(gateway, sequence)
    },
    /** As if another gateway called all the time; undefined: and then ended. */
    takenBy: (id: string | undefined) => void (serving = id === undefined ? undefined : { id, at: Infinity }),
    /** Ends all connections. */
    hangUp: () => server.closeAllConnections(),
    last: (gateway: string) => sequences.get(gateway),
  })
}

export type GatewayShop = Awaited<ReturnType<typeof gatewayShop>>
