import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SupplierFault } from '../../src/core/supply/driver.ts'
import { everythingStored } from '../support/beside.ts'
import { command } from '../support/command-line.ts'
import type { Finished } from '../support/children.ts'
import { dataDirectoryOf } from '../support/postgres.ts'
import { movableClock, openService } from '../support/service.ts'
import { supplier, suppliedOrder } from '../support/supplied-books.ts'
import { KEY, offer, SECRET, testDriver } from '../support/test-driver.ts'

const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>
const refusal = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` })
const URL = 'https://supplier.example.com/api'

async function openShop({ operatorChats = [] as number[], now = new Date().toISOString() } = {}) {
  const driver = testDriver()
  const clock = movableClock(now)
  const service = await openService({ drivers: driver.drivers, clock, operatorChats })
  const run = (...args: string[]) => command(args, { database: service.database, drivers: driver.drivers })
  const add = (name: string, change: Readonly<Record<string, string>> = {}, stdin = SECRET) => {
    const options = { driver: 'ipipv', url: URL, key: KEY, secret: '-', ...change }
    const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
    return command(['supplier', 'add', name, ...args], {
      database: service.database,
      drivers: driver.drivers,
      stdin: `${stdin}\n`,
    })
  }
  return { ...service, driver, run, add }
}

test('an account at a supplier is added, tested, read and listed; its credentials are stored encrypted', async () => {
  const { run, add, driver, database, path, db } = await openShop()
  expect(await run('supplier', 'list')).toMatchObject({
    stdout: 'There is no supplier: `supplier add` adds one\n',
  })
  expect(await add('acme', { rate: '1.5', 'alarm-balance': '20' })).toEqual({
    status: 0,
    stdout: 'Added acme; `supplier test acme` asks it for balance and catalogue\n',
    stderr: '',
  })
  // Nothing was asked yet.
  expect(driver.state.asked).toEqual([])
  driver.state.currency = 'CNY'
  driver.state.balance = '100.0000001'
  expect(await run('supplier', 'test', 'acme')).toEqual({
    status: 0,
    stdout: 'acme answers: balance 100.0000001 CNY (150.00 USD), 1 offer\n',
    stderr: 'Warning: the supplier counts in CNY, this shop in USD: check --rate\n',
  })
  expect(driver.state.asked).toEqual(['balance', 'catalogue'])
  driver.state.offers = [
    offer(),
    offer({ offerNo: 'JP', countryCode: 'JP', cityCode: '', cost: '0.1', stock: 3 }),
  ]
  expect((await run('supplier', 'sync', 'acme')).stdout).toBe('Read 2 offers of acme; 0 no longer listed\n')
  expect(json(await run('--json', 'supplier', 'offers', 'acme', '--country', 'jp'))).toMatchObject({
    items: [{ offer_no: 'JP', country_code: 'JP', cost: 0.15, stock: 3, paused: false, products: [] }],
  })
  expect((await run('supplier', 'offers', 'acme', '--country', 'FR')).stdout).toBe('There is no such offer\n')
  expect(json(await run('--json', 'supplier', 'list'))).toMatchObject({
    currency: 'USD',
    items: [
      {
        name: 'acme',
        driver: 'ipipv',
        url: URL,
        status: 'active',
        rate: 1.5,
        refund_hours: 12,
        balance: 150,
        days_left: null,
        alarm_balance: 20,
        offers: 2,
        open_calls: 0,
        doubtful_calls: 0,
      },
    ],
  })
  const [heading, line] = (await run('supplier', 'list')).stdout.trimEnd().split('\n')
  expect(heading).toMatch(/^NAME +DRIVER +STATE +BALANCE +DAYS LEFT/)
  expect(line).toMatch(/^acme +ipipv +active +150\.00 +- +2 /)

  const stored = await everythingStored({ database, path })
  for (const secret of [SECRET, KEY]) expect(stored.includes(secret)).toBe(false)
  const log = await readFile(join(dataDirectoryOf(database), 'operator.log'), 'utf8')
  expect(log).toContain('"--key","[secret]"')
  expect(log.includes(KEY)).toBe(false)
  const { credentials } = await db.read.supplierConnection.findUniqueOrThrow({ where: { name: 'acme' } })
  // Another key opens nothing.
  const other = { database, drivers: driver.drivers, env: { SECRETS_KEY: 'x'.repeat(40) } }
  const unreadable = await command(['supplier', 'test', 'acme'], other)
  expect(unreadable).toMatchObject({ status: 1, stdout: '' })
  expect(unreadable.stderr).toMatch(/^The supplier could not be asked: .*SECRETS_KEY/)
  expect(credentials).not.toContain(KEY)
})

test('what cannot be right is refused in one line, and nothing is changed', async () => {
  const { core, run, add, driver, db } = await openShop()
  driver.state.self = await core.instance.id()
  expect(await add('acme')).toEqual(refusal('--url leads to this very service: it cannot buy from itself'))
  driver.state.self = undefined
  const refusals = await Promise.all([
    add('inventory'),
    add('Acme!'),
    add('acme', { url: 'http://supplier.example.com' }),
    add('acme', { url: 'https://me:pw@supplier.example.com' }),
    add('acme', { url: 'ftp://supplier.example.com' }),
    add('acme', { rate: '0' }),
    add('acme', {}, 'short'),
    run('supplier', 'test', 'nobody'),
    run('supplier', 'resolve', 'S1', '--absent'),
  ])
  const encrypted = '--url must be https; http is for this machine and private networks only'
  expect(refusals).toEqual(
    [
      'name must not be inventory: that is the own stock',
      'name must have 2-32 characters of a-z, 0-9 and -',
      encrypted,
      '--url must be an http(s) address without a username, ? and #',
      '--url must be an http(s) address without a username, ? and #',
      '--rate must be a number above 0 with at most 6 decimals',
      'The supplier could not be asked: the secret must have 8 characters',
      'name is no connection: `supplier list` shows those that there are',
      'call is no call: `supplier calls` shows those that there are',
    ].map(refusal),
  )
  expect(await db.read.supplierConnection.count()).toBe(0)

  for (const url of [
    'http://127.0.0.1:4000',
    'http://10.1.2.3/api',
    'http://[fd00::1]:8080',
    'http://localhost',
  ])
    expect(await add(`at-${url.replaceAll(/\W+/g, '-').slice(0, 20).toLowerCase()}x`, { url })).toMatchObject(
      {
        status: 0,
      },
    )
  await add('acme')
  expect(await add('acme')).toEqual(refusal('name is the name of another supplier'))
  expect(await run('supplier', 'edit', 'acme')).toEqual(
    refusal('name has nothing to change: name at least one option'),
  )
  expect(await run('supplier', 'edit', 'acme', '--url', 'http://8.8.8.8')).toEqual(refusal(encrypted))
  driver.state.fault = new SupplierFault('unknown', 'answered 502')
  expect(await run('supplier', 'sync', 'acme')).toEqual(
    refusal('The supplier could not be asked: answered 502'),
  )
  expect(json(await run('--json', 'supplier', 'test', 'acme'))).toEqual({
    error: 'supplier_error',
    message: 'The supplier could not be asked: answered 502',
    data: { reason: 'answered 502', fault: 'unknown' },
  })

  expect(await run('supplier', 'resolve', 'S1')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Say what became of it: --found NUMBER or --absent\n',
  })
  await expect(run('supplier', 'resolve', 'S1', '--found', 'P1', '--absent')).rejects.toThrow(
    'cannot be used with',
  )
  await expect(add('x1', { driver: 'what' })).rejects.toThrow("'what' is invalid")
  expect((json(await run('--json', 'supplier', 'list'))['items'] as unknown[]).length).toBe(5)
})

test('a supplier and an offer are paused and resumed, settings and credentials changed, and what was never used removed', async () => {
  const { core, run, add, driver, clock, database } = await openShop()
  await add('acme')
  await run('supplier', 'sync', 'acme')
  expect((await run('supplier', 'pause', 'acme')).stdout).toBe('Paused acme\n')
  expect((await core.operator.suppliers.list())[0]?.status).toBe('paused')
  expect((await run('supplier', 'resume', 'acme')).stdout).toBe('Resumed acme\n')
  const paused = await run('--json', 'supplier', 'pause', 'acme', '--offer', 'US-LAX-30')
  expect(json(paused)).toEqual({ name: 'acme', offer_no: 'US-LAX-30', status: 'paused' })
  const offers = () => core.operator.suppliers.offers({ supplier: 'acme' })
  expect((await offers()).items).toMatchObject([{ paused: true, pauseReason: 'by the operator' }])
  // It stays paused when the offers are read again.
  await run('supplier', 'sync', 'acme')
  expect((await offers()).items).toMatchObject([{ paused: true }])
  await run('supplier', 'resume', 'acme', '--offer', 'US-LAX-30')
  expect((await offers()).items).toMatchObject([{ paused: false, pauseReason: null }])
  expect(await run('supplier', 'pause', 'acme', '--offer', 'X')).toEqual(
    refusal('offer is no offer of this supplier: `supplier offers` shows those that there are'),
  )

  clock.advance(1000)
  const another = await run('supplier', 'edit', 'acme', '--secret', 'another-secret', '--refund-hours', '2')
  expect(another.stderr).toMatch(/^Warning: this secret stays in the log files of npm/)
  expect(await run('supplier', 'test', 'acme')).toEqual(
    refusal('The supplier could not be asked: wrong secret'),
  )
  expect((await core.operator.suppliers.list())[0]).toMatchObject({ refundHours: 2 })
  expect(driver.state.asked.at(-1)).toBe('balance')

  const callback = await command(['supplier', 'callback', 'acme'], {
    database,
    drivers: driver.drivers,
    env: { PUBLIC_URL: 'https://shop.example.com' },
  })
  expect(callback.stdout).toBe(
    `https://shop.example.com${await core.operator.suppliers.callbackPath('acme')}\n`,
  )
  expect(callback.stdout).toMatch(/\/suppliers\/acme\/[\w-]{43}\n$/)
  expect((await run('supplier', 'callback', 'acme')).stderr).toMatch(/^PUBLIC_URL is not set/)
  const local = await command(['supplier', 'callback', 'acme'], {
    database,
    drivers: driver.drivers,
    env: { PUBLIC_URL: 'http://localhost:3000' },
  })
  expect(local.stderr).toMatch(/^PUBLIC_URL is http:\/\/localhost:3000, which only this machine can open:/)

  expect(await run('supplier', 'remove', 'acme')).toMatchObject({ status: 0, stdout: 'Removed acme\n' })
  expect(await core.operator.suppliers.list()).toEqual([])
})

test('calls are listed and, in doubt, resolved; what was used stays; books and profit are shown', async () => {
  const shop = await openShop()
  const { core, run, driver, db, clock } = shop
  const acme = await supplier(shop)
  const ann = await shop.customer(null, { name: 'ann', balance: 100 })
  expect((await run('supplier', 'calls')).stdout).toBe('There was no call yet\n')
  const done = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P1', proxies: ['i1'], cost: 2.5 })
  const found = await suppliedOrder(shop, acme, ann, { state: 'in_doubt' })
  const absent = await suppliedOrder(shop, acme, ann, { state: 'in_doubt' })
  const open = json(await run('--json', 'supplier', 'calls', '--open', '--name', 'acme'))
  expect(open).toMatchObject({
    total: 2,
    items: [
      { call_no: found.orderNo, state: 'in_doubt', username: 'ann', expected_cost: 2, cost: null },
      { call_no: absent.orderNo },
    ],
  })
  expect((await run('supplier', 'calls')).stdout.split('\n')[3]).toMatch(
    new RegExp(`^${done.orderNo} +acme +open +settled +${done.orderNo} +1 +2.00 +2.50 `),
  )

  expect((await run('supplier', 'resolve', found.orderNo, '--found', 'P7')).stdout).toBe(
    `${found.orderNo} is looked up under P7; what it brought is handed over\n`,
  )
  expect(await core.operator.suppliers.call(found.orderNo)).toMatchObject({
    state: 'accepted',
    providerOrderNo: 'P7',
    nextAt: expect.any(String) as string,
  })
  const refused = json(await run('--json', 'supplier', 'resolve', absent.orderNo, '--absent'))
  expect(refused).toMatchObject({
    call_no: absent.orderNo,
    state: 'refused',
    resolved: 'absent',
    next_at: null,
  })
  expect(await db.read.job.findMany({ where: { key: absent.orderNo } })).toMatchObject([
    { kind: 'complete_static_order' },
  ])
  expect(await run('supplier', 'resolve', absent.orderNo, '--absent')).toEqual(
    refusal('call has ended: `supplier calls` shows how'),
  )
  expect(await run('supplier', 'remove', 'acme')).toEqual(
    refusal('name still has products; pause it instead'),
  )

  const createdAt = clock.now().toISOString()
  const listed = { callNo: done.orderNo, providerOrderNo: 'P1', count: 1, createdAt, status: 'done' } as const
  const running = { providerInstanceNo: 'i1', ip: '203.0.113.1', port: 8000, username: 'u', password: 'p' }
  driver.state.orders = [{ ...listed, amount: '2.5' }]
  driver.state.instances = [{ ...running, status: 'running', expireTime: done.expireTime }]
  const agree = await run('supplier', 'reconcile', 'acme')
  expect(agree.status).toBe(0)
  expect(agree.stdout).toMatch(/^acme and our books agree: 1 order since .*, 1 running proxy\n$/)
  driver.state.orders = [{ ...listed, amount: '3' }]
  driver.state.instances = []
  expect(await run('supplier', 'reconcile', 'acme')).toEqual({
    status: 1,
    stdout: '',
    stderr: [
      'acme and our books differ: 2 differences',
      `  P1 (${done.orderNo}): charged 3.00 instead of 2.50`,
      `  i1 (${done.orderNo}): a customer's proxy at 203.0.113.1:8000 that does not run there: unknown`,
      '',
    ].join('\n'),
  })
  expect(json(await run('--json', 'supplier', 'reconcile', 'acme'))).toMatchObject({
    error: 'unbalanced',
    data: { differences: [{ kind: 'amount', ours: '2.50', theirs: '3.00' }, { kind: 'not_running' }] },
  })

  const day = createdAt.slice(0, 10)
  expect(json(await run('--json', 'profit', '--from', day, '--to', day))).toMatchObject({
    from: day,
    to: day,
    currency: 'USD',
    products: [{ product_no: 'isp', supplier: 'acme', revenue: 15, refunds: 0, cost: 4.5, margin: 10.5 }],
    total: { cost: 4.5, expected_cost: 2, margin: 10.5 },
  })
  const profit = await run('profit', '--from', day, '--to', day)
  expect(profit.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'))).toEqual([
    `${day} to ${day} (UTC), USD`,
    'PRODUCT|SUPPLIER|REVENUE|REFUNDS|AGENTS|COST|MARGIN',
    'isp|acme|15.00|0.00|0.00|4.50|10.50',
    'total|15.00|0.00|0.00|4.50|10.50',
    '',
  ])
  expect(profit.stderr).toBe('Warning: 2.00 of the cost is expected: suppliers have not charged it yet\n')
  expect(await run('profit', '--from', day, '--to', '2020-01-01')).toEqual(
    refusal('--to must not be before --from'),
  )
  expect(await run('profit', '--from', 'May')).toEqual(refusal('--from must be a day such as 2026-03-31'))
})

test('the last day of a balance is told before it comes and when it is over, each once; another day is told anew', async () => {
  const { run, add, clock, core, db } = await openShop({
    operatorChats: [900],
    now: '2026-03-01T12:00:00Z',
  })
  await add('acme', { 'balance-until': '2026-03-10' })
  const told = async () => {
    clock.advance(60_000)
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    const notices = await db.read.notice.findMany({
      where: { kind: 'supplier_balance_expires' },
      orderBy: { id: 'asc' },
    })
    return notices.map(({ data }) => {
      const { expiresOn, over } = JSON.parse(data) as { expiresOn: string; over: boolean }
      return `${expiresOn} ${over ? 'over' : 'soon'}`
    })
  }
  expect(await told()).toEqual([])
  const toMidnight = (day: string) => clock.advance(Date.parse(day) - clock.now().getTime())
  toMidnight('2026-03-07T00:00:00Z')
  expect(await told()).toEqual(['2026-03-10 soon'])
  expect(await told()).toEqual(['2026-03-10 soon'])
  // It can be spent up to the end of the day.
  toMidnight('2026-03-10T23:50:00Z')
  expect(await told()).toEqual(['2026-03-10 soon'])
  toMidnight('2026-03-11T00:00:00Z')
  expect(await told()).toEqual(['2026-03-10 soon', '2026-03-10 over'])
  expect((await run('supplier', 'edit', 'acme', '--balance-until', '2026-13-01')).stderr).toBe(
    '--balance-until must be a day such as 2026-03-31\n',
  )
  await run('supplier', 'edit', 'acme', '--balance-until', '2026-03-12', '--alarm-days', '1')
  expect(await told()).toEqual(['2026-03-10 soon', '2026-03-10 over', '2026-03-12 soon'])
  expect(json(await run('--json', 'supplier', 'list'))).toMatchObject({
    items: [{ balance_expires_on: '2026-03-12' }],
  })
  await run('supplier', 'edit', 'acme', '--balance-until', 'none')
  toMidnight('2026-03-20T00:00:00Z')
  expect(await told()).toHaveLength(3)
  expect((await run('supplier', 'list')).stdout).toMatch(/BALANCE UNTIL\n.* -\n/)
})
