import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type AccountsPage,
  type GatewayAccount,
  type UsageAnswer,
  UsageBatch,
} from '../src/core/gateway/wire.ts'

/** A shop whose accounts never change, as far as a gateway needs one. */
export interface GatewayShop {
  readonly url: string
  /** Bytes that the gateway has reported. */
  used(username: string): number
  close(): void
}

/**
 * Starts a shop that serves one gateway, and counts what it reports. What reaches it comes from the benchmark: nothing is checked.
 *
 * @param page its accounts, products and exits
 */
export async function startGatewayShop(page: AccountsPage): Promise<GatewayShop> {
  const used = new Map<string, number>()
  let counted = 0

  function accounts(): GatewayAccount[] {
    return page.accounts.map((account) => {
      const left = account.remaining_bytes - (used.get(account.username) ?? 0)
      return { ...account, remaining_bytes: Math.max(0, left) }
    })
  }

  async function pageAfter(query: URLSearchParams): Promise<AccountsPage> {
    if (!query.has('cursor')) return { ...page, sequence: counted, accounts: accounts() }
    await delay(Number(query.get('wait')) * 1_000, undefined, { ref: false })
    return { ...page, reset: false, sequence: counted, accounts: [], products: null, exits: null }
  }

  function count({ sequence, items }: UsageBatch): UsageAnswer {
    const replayed = sequence <= counted
    if (!replayed) {
      counted = sequence
      for (const { account, bytes } of items) used.set(account, (used.get(account) ?? 0) + bytes)
    }
    const named = new Set(items.map(({ account }) => account))
    return { sequence: counted, replayed, accounts: accounts().filter(({ username }) => named.has(username)) }
  }

  async function answer(request: IncomingMessage): Promise<AccountsPage | UsageAnswer> {
    if (request.method === 'GET') return pageAfter(new URL(request.url ?? '', 'http://shop').searchParams)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return count(UsageBatch.parse(JSON.parse(Buffer.concat(chunks).toString())))
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (data) => response.end(JSON.stringify({ code: 0, message: 'Success', data })),
      (error: Error) => response.destroy(error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    used: (username) => used.get(username) ?? 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
