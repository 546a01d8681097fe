import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { command } from '../support/command-line.ts'
import type { Finished } from '../support/children.ts'
import { batch, gatewayOf } from '../support/gateway-wire.ts'
import { onPostgres } from '../support/postgres.ts'
import { GATEWAY_TOKEN, JWT_SECRET } from '../support/service.ts'
import { testProxy } from '../support/test-proxy.ts'

const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>

async function shop() {
  const api = await openApi()
  const run = (args: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
    command(args, {
      database: api.database,
      drivers: {},
      ...options,
      env: { JWT_SECRET, ...options.env },
    })
  const add = (...args: readonly string[]) => run(['exit', 'add', '--pool', 'dynamic_1', ...args])
  return { ...api, run, add, gateway: gatewayOf(api) }
}

test('exits are added, listed as the gateway reports them, paused and removed', async () => {
  const { run, add, gateway, db } = await shop()
  expect((await run(['exit', 'list'])).stdout).toBe('There is no exit: `exit add` adds one\n')
  expect(await add('--direct', '--country', 'de')).toEqual({
    status: 0,
    stdout: 'Added exit 1 to dynamic_1; `exit test 1` tries it\n',
    stderr: '',
  })
  const url = 'socks5://user:secret-of-the-exit@10.0.0.1:1080'
  expect((await add('--url', url, '--country', 'US', '--city', 'Los Angeles')).stderr).toMatch(/--url - asks/)
  expect(
    await run(['exit', 'add', '--pool', 'dynamic_2', '--url', '-'], { stdin: `${url}\n` }),
  ).toMatchObject({
    status: 0,
    stderr: '',
  })
  const vendor = 'http://vendor:other-secret@gw.example.com:8000'
  await run(['exit', 'add', '--pool', 'dynamic_2', '--url', '-', '--template', '{user}-country-{country}'], {
    stdin: `${vendor}\n`,
  })
  await gateway.count(
    batch(1, {
      exits: [
        { id: 1, healthy: true, reason: null, connect_ms: 3, connections: 1, bytes: 9, errors: 0 },
        { id: 2, healthy: false, reason: 'timed out', connect_ms: null, connections: 0, bytes: 0, errors: 3 },
      ],
    }),
  )
  expect((await run(['exit', 'pause', '3'])).stdout).toBe('Paused exit 3\n')
  const status = async () => json(await run(['--json', 'gateway', 'status']))
  expect(await status()).toMatchObject({ exits: 4, healthy_exits: 1 })
  await run(['exit', 'pause', '1'])
  expect(await status()).toMatchObject({ exits: 4, healthy_exits: 0 })
  await run(['exit', 'resume', '1'])
  const { stdout } = await run(['exit', 'list'])
  const rows = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))
  expect(rows).toEqual([
    'ID | POOL | KIND | ADDRESS | PLACE | STATE | CONNECT MS | BYTES | ERRORS | REPORTED AT',
    '1 | dynamic_1 | direct | - | de | works | 3 | 9 | 0 | 2026-03-01T12:00:00.000Z',
    '2 | dynamic_1 | proxy | socks5://10.0.0.1:1080 | us/losangeles | fails: timed out | - | 0 | 3 | 2026-03-01T12:00:00.000Z',
    '3 | dynamic_2 | proxy | socks5://10.0.0.1:1080 | * | paused | - | 0 | 0 | -',
    '4 | dynamic_2 | vendor | http://gw.example.com:8000 | * | not tried | - | 0 | 0 | -',
    '',
  ])
  // No password is stored in clear, or shown.
  const stored = JSON.stringify(await db.read.exit.findMany(), (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  for (const text of [stored, stdout, (await run(['--json', 'exit', 'list'])).stdout])
    expect(text).not.toMatch(/secret/)
  await run(['exit', 'resume', '3'])
  expect((await run(['exit', 'remove', '2', '--yes'])).stdout).toBe('Removed exit 2\n')
  expect((await gateway.page()).exits?.map(({ id, status }) => `${id} ${status}`)).toEqual([
    '1 active',
    '3 active',
    '4 active',
  ])
})

test('an exit that cannot be is not added', async () => {
  const { add, db } = await shop()
  for (const [args, message] of [
    [['--url', 'ftp://h:1'], 'url must be like socks5'],
    [['--url', 'socks5://10.0.0.1'], 'url must be like socks5'],
    [['--url', 'http://10.0.0.1:0'], 'url must be like socks5'],
    [['--url', 'http://10.0.0.1:80/path'], 'url must be like socks5'],
    [['--url', 'http://0.0.0.0:80'], 'url must be like socks5'],
    [['--url', 'http://a%3Ab:c@10.0.0.1:80'], 'url must be like socks5'],
    [['--url', `http://${'u'.repeat(256)}:c@10.0.0.1:80`], 'url must be like socks5'],
    [['--direct', '--country', 'xx'], '--country must be ISO 3166'],
    [['--direct', '--city', 'Paris'], '--city needs --country'],
    [['--direct', '--template', '{user}'], '--template needs an address'],
    [['--url', 'http://h:1', '--template', '{user}'], '--template needs an address'],
    [['--url', 'http://u:p@h:1', '--template', 'x-{country}'], '--template must contain {user}'],
    [['--url', 'http://u:p@h:1', '--template', '{user}-{town}'], '--template must consist of'],
    [['--url', 'http://u:p@h:1', '--template', '{user}{user}'], '--template must consist of'],
    [['--url', 'http://u:p@h:1', '--template', '{user}', '--country', 'us'], '--country is not for a vendor'],
    [[], 'Name an address'],
  ] as const) {
    const { status, stderr } = await add(...args)
    expect({ args, status, stderr: stderr.replace(/^--url/, 'url') }).toEqual({
      args,
      status: 1,
      stderr: expect.stringContaining(message) as string,
    })
  }
  await expect(add('--url', 'http://h:1', '--direct')).rejects.toThrow('cannot be used with')
  expect(await db.read.exit.count()).toBe(0)
})

test('an exit is edited: what is not named stays, and the gateway hears of it', async () => {
  const { run, gateway, db } = await shop()
  const edit = (...args: readonly string[]) => run(['exit', 'edit', '1', ...args])
  await run(
    ['exit', 'add', '--pool', 'dynamic_1', '--url', '-', '--country', 'us', '--city', 'Los Angeles'],
    {
      stdin: 'socks5://user:secret-one@10.0.0.1:1080\n',
    },
  )
  const exit = async () => (await gateway.page()).exits?.[0]
  const before = { id: 1, pool: 'dynamic_1', kind: 'proxy', status: 'active', template: null }
  const url = 'socks5://user:secret-one@10.0.0.1:1080'
  expect(await exit()).toEqual({ ...before, url, country: 'us', city: 'losangeles' })
  expect(await edit('--city', 'New York')).toEqual({ status: 0, stdout: 'Changed exit 1\n', stderr: '' })
  expect(await exit()).toEqual({ ...before, url, country: 'us', city: 'newyork' })
  const works = { id: 1, healthy: true, reason: null, connect_ms: 3, connections: 1, bytes: 9, errors: 0 }
  await gateway.count(batch(1, { exits: [works] }))
  await edit('--country', 'de', '--pool', 'dynamic_2')
  expect(await exit()).toEqual({ ...before, url, country: 'de', city: null, pool: 'dynamic_2' })
  expect((await run(['exit', 'list'])).stdout).toMatch(/ de +works +3 /)
  // Other credentials, and nothing of the old ones; it counts as not tried.
  const other = 'http://who:secret-two@gw.example.com:8000'
  await run(['exit', 'edit', '1', '--url', '-', '--country', '', '--template', '{user}-country-{country}'], {
    stdin: `${other}\n`,
  })
  const vendor = { ...before, pool: 'dynamic_2', kind: 'vendor', url: other, country: null, city: null }
  expect(await exit()).toEqual({ ...vendor, template: '{user}-country-{country}' })
  const list = (await run(['exit', 'list'])).stdout
  expect(list).toMatch(/vendor +http:\/\/gw\.example\.com:8000 +\* +not tried +- +9 /)
  expect(list).not.toContain('secret')
  await edit('--template', '')
  expect(await exit()).toMatchObject({ kind: 'proxy', url: other, template: null })
  await edit('--direct')
  expect(await exit()).toMatchObject({ kind: 'direct', url: null })
  expect((await db.read.exit.findFirstOrThrow()).credentials).toBeNull()
})

test('a change of an exit that cannot be is refused, and nothing is changed', async () => {
  const { run, add, gateway } = await shop()
  await add('--direct')
  const before = await gateway.page()
  for (const [args, message] of [
    [[], 'exit has nothing to change'],
    [['--city', 'Paris'], '--city needs --country'],
    [['--template', '{user}'], '--template needs an address'],
    [['--url', 'ftp://h:1'], '--url must be like socks5'],
    [['--country', 'xx'], '--country must be ISO 3166'],
  ] as const) {
    const { status, stderr } = await run(['exit', 'edit', '1', ...args])
    expect({ args, status, stderr }).toEqual({
      args,
      status: 1,
      stderr: expect.stringContaining(message) as string,
    })
    expect(await gateway.page()).toEqual(before)
  }
})

test('an exit that is missing is named', async () => {
  const { run } = await shop()
  for (const action of [['pause'], ['resume'], ['remove'], ['test'], ['edit', '--direct']])
    expect(await run(['exit', ...action, '7'])).toMatchObject({
      status: 1,
      stderr: 'exit is none: `exit list` shows those that there are\n',
    })
})

/** The echo of the shop, as it is reached from outside. */
async function listening({ server }: Awaited<ReturnType<typeof shop>>): Promise<string> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

test.each(['socks5', 'http'])('exit test reaches the echo through a proxy by %s', async (scheme) => {
  const api = await shop()
  // The tokens of the echo are fresh.
  api.clock.set(new Date().toISOString())
  const PUBLIC_URL = await listening(api)
  const proxy = await testProxy()
  await api.add('--url', `${scheme}://u0:secret@127.0.0.1:${proxy.port}`)
  const tried = await api.run(['exit', 'test', '1'], { env: { PUBLIC_URL } })
  expect(tried).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^Exit 1 works: connected after \d+ ms, at the target after \d+ ms; the request came from 127\.0\.0\.1\n$/,
    ) as string,
  })
  await api.add('--url', `${scheme}://u0:wrong@127.0.0.1:${proxy.port}`)
  expect(await api.run(['exit', 'test', '2'], { env: { PUBLIC_URL } })).toMatchObject({
    status: 1,
    stderr: 'Exit 2 does not work: credentials_refused (credentials)\n',
  })
  proxy.fault = 'close'
  expect((await api.run(['exit', 'test', '1'], { env: { PUBLIC_URL } })).stderr).toMatch(
    /^Exit 1 does not work: closed/,
  )
  await api.add('--direct')
  expect(json(await api.run(['--json', 'exit', 'test', '3'], { env: { PUBLIC_URL } }))).toMatchObject({
    id: 3,
    exit_address: '127.0.0.1',
  })
})

test('exit test opens a connection to a named target, as a vendor’s user without a place', async () => {
  const { run } = await shop()
  const target = createServer((_, response) => void response.end())
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => target.close())
  const { port } = target.address() as AddressInfo
  const proxy = await testProxy({
    accepts: (username, password) => username === 'me-zone-res' && password === 'secret',
  })
  await run(
    [
      'exit',
      'add',
      '--pool',
      'dynamic_1',
      '--url',
      '-',
      '--template',
      '{user}-country-{country}-zone-res-session-{session}',
    ],
    { stdin: `http://me:secret@127.0.0.1:${proxy.port}\n` },
  )
  expect((await run(['exit', 'test', '1', '--target', `127.0.0.1:${port}`])).stdout).toMatch(
    /^Exit 1 works: connected after \d+ ms, at the target after \d+ ms\n$/,
  )
  // Without an address of the echo it is tried where the gateway tries it.
  const known = { GATEWAY_PROBE_TARGET: `127.0.0.1:${port}` }
  expect((await run(['exit', 'test', '1'], { env: known })).stdout).toMatch(/^Exit 1 works: connected after/)
  expect((await run(['exit', 'test', '1', '--target', '127.0.0.1:1'])).status).toBe(1)
  const otherKey = { SECRETS_KEY: 'x'.repeat(40) }
  expect((await run(['exit', 'test', '1'], { env: otherKey })).stderr).toMatch(/another SECRETS_KEY/)
})

// On PostgreSQL it has to be set, as all machines need the same one.
test.skipIf(onPostgres)('a token of the gateway that is not set is made, and kept', async () => {
  const { run } = await shop()
  const { stdout } = await run(['gateway', 'token'])
  expect(stdout).toMatch(/^[\w-]{64}\n$/)
  expect((await run(['gateway', 'token'])).stdout).toBe(stdout)
})

test('the token of the gateway is shown, and who has called with it', async () => {
  const { run, gateway } = await shop()
  const env = { GATEWAY_TOKEN }
  expect(json(await run(['--json', 'gateway', 'token'], { env }))).toEqual({ token: GATEWAY_TOKEN })
  expect((await run(['gateway', 'token'], { env: { GATEWAY_TOKEN: 'short' } })).stderr).toMatch(
    /GATEWAY_TOKEN/,
  )

  expect((await run(['gateway', 'status'])).stdout).toBe('No gateway has ever called\n')
  await gateway.count(
    batch(1, {
      gateway: {
        started_at: '2026-03-01T11:00:00.000Z',
        workers: 2,
        connections: 1,
        accepted: 5,
        refused: { no_exit: 3 },
      },
    }),
  )
  // The command looks at the real clock.
  expect((await run(['gateway', 'status'])).stdout).toBe(
    'Silent since 2026-03-01T12:00:00.000Z\nExits: 0 of 0 work\nReported: 0 bytes, 5 requests let in\nRefused, no_exit: 3\n',
  )
  expect(json(await run(['--json', 'gateway', 'status']))).toMatchObject({
    at_work: false,
    last: { gateway_id: 'gateway-of-the-tests', workers: 2 },
    accepted: 5,
    refused: { no_exit: 3 },
  })
})

test('an exit whose names only it knows is said so, stored and told to the gateway', async () => {
  const { run, add, gateway } = await shop()
  const told = async () => (await gateway.page()).exits?.map(({ remote_only }) => remote_only ?? false)
  const added = await add('--url', 'socks5://127.0.0.1:9050', '--resolve', 'remote-only')
  expect([added.status, added.stderr]).toEqual([0, expect.stringContaining('are not checked for this exit')])
  await add('--url', 'socks5://127.0.0.1:9051')
  expect(await told()).toEqual([true, false])
  expect(json(await run(['--json', 'exit', 'list']))).toMatchObject({
    items: [{ resolve: 'remote-only' }, { resolve: 'gateway' }],
  })
  expect((await add('--direct', '--resolve', 'remote-only')).stderr).toMatch(
    /resolve is remote-only for proxies/,
  )
  await run(['exit', 'edit', '1', '--country', 'de'])
  expect(await told()).toEqual([true, false])
  await run(['exit', 'edit', '1', '--resolve', 'gateway'])
  await run(['exit', 'edit', '2', '--resolve', 'remote-only'])
  expect(await told()).toEqual([false, true])
  // The gateway itself resolves names where it connects.
  await run(['exit', 'edit', '2', '--direct'])
  expect(await told()).toEqual([false, false])
})
