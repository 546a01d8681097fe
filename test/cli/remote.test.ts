import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBusyOperator } from '../support/busy-operator.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { command } from '../support/command-line.ts'
import { checkingServer } from '../support/pooled-server.ts'
import { READS } from './reads.ts'

/** What the machine of the service alone does, and what depends on the time, which is another one for the service of the test. */
const LEFT_OUT = ['currency', 'product list', 'stock list', 'supplier list', 'person list', 'profit']

/** A shop with one of everything, whose service is asked over the network. */
async function shopElsewhere() {
  const shop = await startBusyOperator()
  const server = await checkingServer({ core: shop.core, write: () => {} }, {})
  atTheEnd(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const settings = await mkdtemp(join(tmpdir(), 'settings-'))
  const here = (...args: string[]) => command(args, { database: shop.database, drivers: {} })
  const there = (...args: string[]) =>
    command(['--server', url, ...args], {
      database: 'file:/nowhere/at/all.db',
      drivers: {},
      env: { XDG_CONFIG_HOME: settings },
    })
  const link = async () =>
    `${url}/operator/api/log-in?code=${(await shop.core.operator.webLogIns.offer(shop.olivia)).code}`
  return { ...shop, here, there, link, url, sessions: join(settings, 'proxy-reseller', 'sessions.json') }
}

test('Commands through a service print what they print on its machine', async () => {
  const { here, there, link, sessions } = await shopElsewhere()
  expect(await there('promo', 'list')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'You are not logged in there: make a link in the chat (Operator, On the web), then `log-in`\n',
  })
  expect(await there('log-in', await link())).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Logged in as Olivia \(owner\), until 20/) as string,
  })
  expect((await stat(sessions)).mode & 0o077).toBe(0)

  for (const line of READS.filter((each) => !LEFT_OUT.includes(each))) {
    const args = line.split(' ')
    expect([line, await there(...args)]).toEqual([line, await here(...args)])
    expect([line, await there('--json', ...args)]).toEqual([line, await here('--json', ...args)])
  }
  expect(await there('promo', 'add', 'spring', '--percent', '10')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^SPRING takes 10% off\n/) as string,
  })
  for (const args of [
    ['promo', 'add', 'spring', '--percent', '10'],
    ['promo', 'add', 'x', '--percent', '10'],
    ['promo', 'add', 'fresh', '--percent', '500'],
    ['promo', 'stop', 'none'],
    ['stock', 'cost', '1'],
    ['customer', 'show', 'nobody'],
  ]) {
    const [far, near] = [await there(...args), await here(...args)]
    expect([args, far.stdout, far.stderr]).toEqual([args, near.stdout, near.stderr])
  }
  expect(await there('log-out')).toMatchObject({ status: 0, stdout: 'Logged out\n' })
  expect(await readFile(sessions, 'utf8')).toBe('{}')
  expect((await there('promo', 'list')).status).toBe(1)
})

test('What needs the machine of the service is refused, and so is a token over an open line', async () => {
  const { there } = await shopElsewhere()
  for (const args of [
    ['backup', 'to-file'],
    ['currency'],
    ['gateway', 'token'],
    ['setup'],
    ['person', 'web-link'],
  ])
    expect([args, await there(...args)]).toEqual([
      args,
      {
        status: 2,
        stdout: '',
        stderr: 'This command works on the machine of the service only: leave --server out\n',
      },
    ])
  const at = (...args: string[]) => command(args, { database: 'file:/nowhere/at/all.db', drivers: {} })
  expect(await at('--server', 'http://shop.example.com', 'promo', 'list')).toMatchObject({
    status: 2,
    stderr: '--server must be https; http is for this machine only\n',
  })
  expect(await at('--as', 'Max', '--server', 'https://shop.example.com', 'promo', 'list')).toMatchObject({
    status: 2,
    stderr: '--as is for the database here: at a service you are who logged in\n',
  })
  expect(await at('--server', 'http://127.0.0.1:9', 'promo', 'list')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('http://127.0.0.1:9 does not answer') as string,
  })
  expect(await at('log-in', 'code')).toMatchObject({
    status: 2,
    stderr: 'Name the service with --server URL\n',
  })
})

test('A person makes a link at the command line, and works by it as that person', async () => {
  const { here, there, core, database } = await shopElsewhere()
  await here('person', 'add', 'Max', '--role', 'owner')
  await here('person', 'add', 'Zoe', '--role', 'support')
  expect(await here('person', 'web-link')).toMatchObject({ status: 1 })
  const { stdout } = await command(['--as', 'Zoe', 'person', 'web-link'], {
    database,
    drivers: {},
    env: { PUBLIC_URL: 'https://shop.example.com' },
  })
  expect(stdout).toMatch(/^https:\/\/shop\.example\.com\/operator\/api\/log-in\?code=[\w-]{43}\n$/)
  expect((await there('log-in', stdout.trim())).stdout).toMatch(/^Logged in as Zoe \(support\)/)
  expect(await there('promo', 'add', '--percent', '5')).toMatchObject({
    status: 1,
    stderr: 'The role of this person does not include it\n',
  })
  const [entry] = (await core.operator.trail.list({ person: 'Zoe' })).items
  expect(entry).toMatchObject({ action: 'person.log_in', via: 'web', chatId: null })
})
