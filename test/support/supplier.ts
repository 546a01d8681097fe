import { createCipheriv, createDecipheriv } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { KeptBook } from '../../src/emulators/supplier/kept-book.ts'
import { createSupplierEmulator } from '../../src/emulators/supplier/supplier-emulator.ts'
import type { Account, Method, SupplierEmulator } from '../../src/emulators/supplier/types.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'

/** An emulated supplier that listens on this machine; it ends with the test. */
export interface RunningSupplier {
  readonly supplier: SupplierEmulator
  readonly clock: MovableClock
  /** What a connection to it needs. */
  readonly access: { readonly url: string; readonly key: string; readonly secret: string }
  /** Stops listening. */
  readonly stop: () => Promise<void>
  /** Calls a method with parameters as they are: any others than a driver would send. */
  readonly call: (
    method: Method,
    parameters: unknown,
    envelope?: Readonly<Record<string, unknown>>,
  ) => Promise<SupplierAnswer>
}

export interface SupplierAnswer {
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

/**
 * @param options.proxyPort of the emulated proxies, where a test has some
 * @param options.kept where it keeps what it wrote down
 */
export async function startSupplier(
  options: {
    account?: Partial<Account>
    clock?: MovableClock
    proxyPort?: number
    kept?: { get(): KeptBook | undefined; set(book: KeptBook): void }
  } = {},
): Promise<RunningSupplier> {
  const { clock = movableClock(), ...others } = options
  const supplier = createSupplierEmulator({ clock, ...others })
  const { access, stop } = await serveSupplier(supplier)
  const { url, key, secret } = access

  return {
    supplier,
    clock,
    access,
    stop,
    async call(method, parameters, envelope = {}) {
      const body = {
        reqId: 'test',
        version: 'v2',
        encrypt: 'AES',
        appKey: key,
        params: encrypted(parameters, secret),
        ...envelope,
      }
      const response = await fetch(`${url}/api/open/app/${method}/v2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: string }
      return { code, msg, data: data === '' ? undefined : decrypted(data, secret) }
    },
  }
}

/** Lets an emulated supplier listen on this machine; it ends with the test. */
export async function serveSupplier(
  supplier: SupplierEmulator,
): Promise<Pick<RunningSupplier, 'access' | 'stop'>> {
  const server = Fastify({ forceCloseConnections: true })
  await server.register(supplier.httpApi, { prefix: '/supplier' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/supplier`
  const { key, secret } = supplier.account
  return { access: { url, key, secret }, stop: () => server.close() }
}

/** An address that callbacks can be sent to, and what came there. */
export async function startCallbackReceiver(answer: () => unknown): Promise<{
  readonly url: string
  readonly received: Readonly<Record<string, string>>[]
}> {
  const received: Readonly<Record<string, string>>[] = []
  const server = createServer((request, response) => {
    received.push(Object.fromEntries(new URL(request.url ?? '', 'http://localhost').searchParams))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer()))
  })
  await new Promise<void>((resolve) => void server.listen({ host: '127.0.0.1', port: 0 }, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, received }
}

/** As the platform's documentation describes it, and not with the driver's code. */
function encrypted(parameters: unknown, secret: string): string {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(secret), Buffer.from(secret).subarray(0, 16))
  return cipher.update(JSON.stringify(parameters), 'utf8', 'base64') + cipher.final('base64')
}

function decrypted(data: string, secret: string): unknown {
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(secret), Buffer.from(secret).subarray(0, 16))
  return JSON.parse(decipher.update(data, 'base64', 'utf8') + decipher.final('utf8')) as unknown
}
