import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { createTronEmulator } from '../../../src/emulators/tron/tron-emulator.ts'
import type { ServerSettings } from '../../../src/emulators/tron/types.ts'
import { movableClock } from '../../support/movable-clock.ts'

/** Real addresses, of nobody in particular. */
export const WALLET = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9'
export const STRANGER = 'TYr4DLeAY4S7g9FkQQGvo8DmyPDvzb8HWq'

type Query = Readonly<Record<string, string | number | boolean>>

/** A chain on a clock that stands still, and a running server that reads it; it ends with the test. */
export async function startTron(settings: ServerSettings = {}) {
  const clock = movableClock('2026-10-01T11:00:00.000Z')
  const tron = createTronEmulator({ clock, wallet: WALLET, settings })
  const fallback = tron.addServer()
  const server = Fastify({ forceCloseConnections: true })
  await server.register(tron.httpApi, { prefix: '/tron' })
  await server.register(fallback.httpApi, { prefix: '/fallback' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

  const get = (path: string, query: Query = {}, init: RequestInit = {}) => {
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
    return fetch(`${origin}/tron${path}?${parameters.join('&')}`, init)
  }
  const post = (path: string, body: unknown) =>
    fetch(`${origin}/tron${path}`, { method: 'POST', body: JSON.stringify(body) })

  return {
    tron,
    fallback,
    clock,
    chain: tron.chain,
    origin,
    server,
    get,
    post,
    /** The list of the wallet. */
    list: async (query: Query = {}): Promise<List> =>
      (await get(`/v1/accounts/${WALLET}/transactions/trc20`, query)).json() as Promise<List>,
    /** What a node answers. */
    node: async (path: string, body: Query = {}): Promise<Record<string, unknown>> =>
      (await post(`/${path}`, body)).json() as Promise<Record<string, unknown>>,
  }
}

export interface List {
  readonly data: readonly {
    readonly transaction_id: string
    readonly token_info: { readonly address: string }
    readonly type: string
    readonly value: string
    readonly block_timestamp: number
  }[]
  readonly success: boolean
  readonly meta: {
    readonly at: number
    readonly fingerprint?: string
    readonly links?: { readonly next: string }
    readonly page_size: number
  }
}

/** What an answer is made of: names, and the kinds of values under them. Items of a list are taken to be alike. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, shapeOf(content)]))
  if (typeof value !== 'string') return typeof value
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(value)) return 'address'
  if (/^\d+$/.test(value) && value.length < 40) return 'digits'
  if (/^(0x)?[0-9a-f]{4,}$/.test(value)) return value.length > 130 ? 'bytes' : `${value.length} hex digits`
  return value === '' ? 'empty' : 'text'
}
