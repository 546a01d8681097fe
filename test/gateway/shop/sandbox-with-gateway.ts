import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { atTheEnd } from '../../support/clean-up.ts'
import { type ProductProcess, startProcess } from '../../support/process.ts'
import { sandboxFolder } from '../../support/sandbox-folder.ts'

/** What a shop prints whose gateway listens. */
export const GATEWAY = /^ {2}proxy +(127\.0\.0\.1:\d+)$/m

/** A sandbox that has run once without a gateway. */
export async function sandbox() {
  const directory = await sandboxFolder()
  const database = join(directory, 'reseller.db')
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    startProcess({ PORT: '0', GATEWAY_PORT: '', DATABASE_URL: `file:${database}`, ...settings }, directory)
  return { database, start }
}

/** What readiness says of the gateway. */
export const gatewayCheck = async ({ address }: ProductProcess) => {
  const ready = (await (await fetch(`${address}/readyz`)).json()) as { checks: Record<string, string> }
  return ready.checks['gateway']
}

/** A server on a port that others may want. */
export async function occupy(wanted = 0) {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const close = () => new Promise((resolve) => server.close(resolve))
  atTheEnd(close)
  return { port: (server.address() as AddressInfo).port, close }
}
