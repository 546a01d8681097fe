import { once } from 'node:events'
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { build } from 'esbuild'
import type { AccountsPage } from '../src/core/gateway/wire.ts'
import { benchScript, compiled, root, type ServerProcess, startServer } from './server-process.ts'
import { openTunnel, type ProxyAddress } from './tunnel.ts'

/** A proxy in a process of its own. */
export interface Proxy extends ProxyAddress {
  readonly process: ServerProcess
}

/** A name, as clients mostly have one; the gateway is told where it leads, because it refuses targets on its own machine. */
const ORIGIN = 'origin.example:80'
const PASSWORD = 'the-password-of-the-bench'
export const ACCOUNT = 'bench'
/** For which the half-metered gateway counts nothing. */
export const FREE_ACCOUNT = 'free'
/** Written behind an account: all that the grammar of usernames has. */
const PARAMETERS = '-country-us-session-abc12345-lifetime-30'
/** To the others it is just a name. */
const USERNAME = `${ACCOUNT}${PARAMETERS}`
/** More tunnels than the benchmark opens at a time. */
const MOST_TUNNELS = 3_000
const SERVED_LIMIT_MS = 5_000
const GATEWAY_READY = /^ {2}proxy +(127\.0\.0\.1:\d+)$/m

/**
 * The accounts of the benchmark.
 *
 * @param remaining bytes that are left to each
 */
export function accountsPage(remaining: Readonly<Record<string, number>>): AccountsPage {
  return {
    cursor: 'all',
    reset: true,
    more: false,
    sequence: 0,
    accounts: Object.entries(remaining).map(([username, remaining_bytes]) => ({
      username,
      password: PASSWORD,
      status: 'active',
      product_no: 'traffic',
      pool: 'direct',
      remaining_bytes,
      revision: 1,
      flush: null,
      targets: true,
      allow: [],
    })),
    products: [{ product_no: 'traffic', countries: ['us'], cities: [] }],
    exits: [
      {
        id: 1,
        pool: 'direct',
        kind: 'direct',
        url: null,
        country: 'us',
        city: null,
        template: null,
        status: 'active',
      },
    ],
  }
}

export async function startOrigin(directory: string): Promise<ServerProcess> {
  return startServer({ name: 'origin', args: benchScript('origin.ts'), directory })
}

/** A minimal proxy of `http` and `pipe`, without a password. */
export async function startBareProxy(directory: string, origin: ServerProcess): Promise<Proxy> {
  const name = 'floor, http + pipe'
  const process = await startServer({ name: 'floor', args: benchScript('bare-proxy.ts'), directory })
  return { ...address(name, process, hostOf(origin)), authorization: '' }
}

export async function startProxyChain(directory: string, origin: ServerProcess): Promise<Proxy> {
  const process = await startServer({
    name: 'proxy-chain',
    args: benchScript('chain-proxy.ts'),
    env: { PROXY_USERNAME: USERNAME, PROXY_PASSWORD: PASSWORD },
    directory,
  })
  return address('proxy-chain', process, hostOf(origin))
}

/** The gateway as `npm run gateway` runs it. */
export async function startGateway(
  directory: string,
  origin: ServerProcess,
  shopUrl: string,
): Promise<Proxy> {
  const process = await startServer({
    name: 'gateway',
    args: compiled('gateway/main.js'),
    env: gatewayEnvironment(origin, shopUrl),
    directory,
    ready: GATEWAY_READY,
  })
  return served(address('gateway', process, ORIGIN))
}

/** The same, which counts nothing for one account. */
export async function startHalfMetered(
  directory: string,
  origin: ServerProcess,
  shopUrl: string,
): Promise<{ readonly metered: Proxy; readonly free: Proxy }> {
  const own = join(directory, 'half-metered')
  mkdirSync(own)
  const process = await startServer({
    name: 'half-metered',
    args: [await compiledOfBench('half-metered-gateway')],
    env: { ...gatewayEnvironment(origin, shopUrl), FREE_ACCOUNT },
    directory: own,
    ready: GATEWAY_READY,
  })
  const metered = await served(address('gateway, metered', process, ORIGIN))
  const authorization = authorizationOf(`${FREE_ACCOUNT}${PARAMETERS}`)
  return { metered, free: { ...metered, name: 'gateway, free', authorization } }
}

/** The side that serves clients, without what counts. */
export async function startUnmetered(
  directory: string,
  origin: ServerProcess,
  page: AccountsPage,
): Promise<Proxy> {
  const program = await compiledOfBench('unmetered-gateway')
  const process = await startServer({
    name: 'unmetered',
    args: [program, JSON.stringify(page)],
    env: gatewayEnvironment(origin, 'http://127.0.0.1:9'),
    directory,
  })
  return address('gateway, no metering', process, ORIGIN)
}

/** 3proxy with a password and a counter; undefined where it is not installed. */
export async function startThreeProxy(directory: string, origin: ServerProcess): Promise<Proxy | undefined> {
  const program = installed('3proxy')
  if (program === undefined) return undefined
  const own = join(directory, '3proxy')
  mkdirSync(own)
  const port = await freePort()
  const lines = [
    'auth strong',
    `users ${USERNAME}:CL:${PASSWORD}`,
    `maxconn ${MOST_TUNNELS}`,
    `counter ${join(own, 'counter')}`,
    `countall 1/bench N 1000000000 ${USERNAME}`,
    `allow ${USERNAME}`,
    'log',
    `proxy -n -a -i127.0.0.1 -p${port}`,
  ]
  const configuration = join(own, '3proxy.cfg')
  writeFileSync(configuration, lines.join('\n'))
  const process = await startServer({
    name: '3proxy',
    program,
    args: [configuration],
    directory,
    ready: /(127\.0\.0\.1:\d+) .*Accepting connections/,
  })
  return address('3proxy', process, hostOf(origin))
}

/** Waits until the gateway has heard of its accounts. */
async function served(proxy: Proxy): Promise<Proxy> {
  const deadline = performance.now() + SERVED_LIMIT_MS
  for (;;) {
    try {
      const tunnel = await openTunnel(proxy)
      tunnel.close()
      return proxy
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await delay(20)
  }
}

/** Credentials as one header line. */
export function authorizationOf(username: string): string {
  return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}\r\n`
}

/** Compiles a program of this folder as the product is. */
async function compiledOfBench(name: string): Promise<string> {
  const program = join(root, 'dist', 'gateway', `${name}.js`)
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}.ts`],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
  return program
}

function address(name: string, process: ServerProcess, origin: string): Proxy {
  const port = Number(new URL(process.address).port)
  return { name, port, process, origin, authorization: authorizationOf(USERNAME) }
}

function hostOf({ address }: ServerProcess): string {
  return new URL(address).host
}

function gatewayEnvironment(origin: ServerProcess, shopUrl: string): Record<string, string> {
  const [name] = ORIGIN.split(':')
  return {
    GATEWAY_PORT: '0',
    GATEWAY_SHOP_URL: shopUrl,
    GATEWAY_TOKEN: 'the-token-of-the-bench',
    GATEWAY_MAX_CONNECTIONS: String(MOST_TUNNELS),
    GATEWAY_KNOWN_TARGETS: `${name}=${hostOf(origin)}`,
    GATEWAY_PROBE_TARGET: hostOf(origin),
  }
}

function installed(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
