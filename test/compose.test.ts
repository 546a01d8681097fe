import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it, test, vi } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../src/config.ts'
import { loadGatewayConfig } from '../src/gateway/config.ts'
import { projectUrl } from '../src/project-url.ts'
import { finished, startChild } from './support/children.ts'
import { atTheEnd } from './support/clean-up.ts'
import { freePort } from './support/free-port.ts'
import { PATIENCE } from './support/patience.ts'
import { temporaryDirectory } from './support/service.ts'

/** The files for containers, as far as they can be proved without an engine: CI builds the image and runs it. */
interface Service {
  readonly image: string
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly env_file?: string
  readonly logging?: object
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly depends_on?: Readonly<Record<string, object>>
  readonly volumes: readonly string[]
  readonly read_only?: boolean
  readonly init?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly networks: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: readonly { subnet: string }[] } }
  }
  readonly volumes: Readonly<Record<string, null>>
}

const SECRET = 'a-secret-of-the-tests-that-is-long-enough'
/** What the owner writes into `.env`. */
const WRITTEN = {
  BOT_TOKEN: '42:token-of-the-tests-0123456789abcdefgh',
  DOMAIN: 'shop.example.com',
  POSTGRES_PASSWORD: 'secret',
  JWT_SECRET: SECRET,
  SECRETS_KEY: SECRET,
  GATEWAY_TOKEN: SECRET,
}
const FILES = ['compose.yaml', 'compose.postgres.yaml']
const read = (path: string) => readFileSync(projectUrl(path), 'utf8')
const settings = { ...parseEnv(read('.env.example')), ...WRITTEN } as Record<string, string>

/** As the engine reads it. */
function composeOf(file: string): Compose {
  const text = read(file).replaceAll(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_, name: string, other = '') => settings[name] ?? String(other),
  )
  return parse(text, { merge: true }) as Compose
}

const environmentOf = ({ env_file, environment }: Service) => ({ ...(env_file && settings), ...environment })

describe.each(FILES)('%s', (file) => {
  const { services, networks, volumes } = composeOf(file)
  const ours = Object.entries(services).filter(([, { image }]) => image === 'proxy-reseller')
  const named = (name: string) => services[name] ?? expect.fail(`${file} has no service ${name}`)

  it('gives every process settings that exist, and that it accepts', () => {
    const known = read('.env.example')
    for (const [name, service] of ours) {
      for (const setting of Object.keys(service.environment)) expect(known, name).toMatch(`\n${setting}=`)
      const environment = environmentOf(service)
      if (name !== 'gateway') expect(loadConfig(environment).telegram.mode, name).not.toBe('sandbox')
      else expect(loadGatewayConfig(environment).port).toBe(8899)
    }
    expect(ours.map(([name]) => name)).toContain('gateway')
  })

  it('bounds what their logs take of the disk', () => {
    for (const [name, { logging }] of Object.entries(services))
      expect(logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } })
  })

  it('hardens them, and keeps what they write in volumes', () => {
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({
        read_only: true,
        init: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp'],
      })
      const kept = service.volumes.map((volume) => volume.split(':')[1])
      const { DATABASE_URL, DATA_DIR = '', GATEWAY_DATA } = environmentOf(service)
      const folder = DATABASE_URL?.startsWith('file:') ? DATABASE_URL.slice('file:'.length) : DATA_DIR
      expect(kept, name).toEqual(['/data'])
      expect(name === 'gateway' ? GATEWAY_DATA : folder, name).toMatch(/^\/data\b/)
    }
  })

  it('declares what it uses, and starts nothing before what it needs', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const network of service.networks) expect(networks, name).toHaveProperty(network)
      for (const volume of service.volumes)
        if (volume.startsWith('./'))
          expect(existsSync(projectUrl(volume.split(':')[0] ?? '')), name).toBe(true)
        else expect(volumes, name).toHaveProperty(volume.split(':')[0] ?? '')
      // Of another profile it would not be there.
      for (const needed of Object.keys(service.depends_on ?? {}))
        expect(service.profiles ?? [], name).toEqual(
          expect.arrayContaining([...(named(needed).profiles ?? [])]),
        )
    }
  })

  it('lets Caddy and the gateway find the shop, and the shop trust Caddy', () => {
    const [{ subnet } = { subnet: '' }] = networks.inside.ipam.config
    const shops = ours.filter(([name]) => name !== 'gateway')
    const targets = `${read('Caddyfile')} ${named('caddy').command?.join(' ') ?? ''}`
    for (const [name, service] of shops) {
      const { TRUSTED_PROXIES, PORT, HOST } = environmentOf(service)
      expect({ TRUSTED_PROXIES, HOST }, name).toEqual({ TRUSTED_PROXIES: subnet, HOST: '0.0.0.0' })
      expect(targets).toContain(`${name}:${PORT}`)
    }
    const { hostname, port } = new URL(named('gateway').environment['GATEWAY_SHOP_URL'] ?? '')
    if (hostname === 'caddy') expect(read('Caddyfile')).toContain(`\n:${port} {`)
    else expect(environmentOf(named(hostname))['PORT']).toBe(port)
  })

  it('starts programs that are in the image, and a health check that tells', async () => {
    const { command = [], healthcheck } = named('gateway')
    expect(existsSync(projectUrl(command.at(-1) ?? ''))).toBe(true)
    const [, program = '', ...args] = healthcheck?.test ?? []
    expect(program).toBe('node')
    const server = createServer().listen(0, '127.0.0.1')
    atTheEnd(() => server.close())
    await vi.waitUntil(() => server.listening, PATIENCE)
    const check = async (port: number) => {
      const here = args.map((arg) => arg.replace('8899', String(port)))
      return (await finished(startChild(process.execPath, here))).status
    }
    expect(await check((server.address() as AddressInfo).port)).toBe(0)
    expect(await check(await freePort())).toBe(1)
  })
})

/** Whether a program is there. */
function has(program: string): boolean {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(!has('docker-compose')).each(FILES)(
  '%s is what Compose understands, in every profile',
  async (file) => {
    const directory = await temporaryDirectory()
    for (const name of [...FILES, 'Caddyfile']) await copyFile(projectUrl(name), join(directory, name))
    await writeFile(
      join(directory, '.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    const config = ['--file', file, '--profile', 'tls', '--profile', 'gateway', 'config', '--services']
    const { status, stdout, stderr } = await finished(
      startChild('docker-compose', config, { cwd: directory }),
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.trim().split('\n').toSorted()).toEqual(Object.keys(composeOf(file).services).toSorted())
  },
)
