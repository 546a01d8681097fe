import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { ChainWatcher } from '../../src/jobs/chain-watcher.ts'
import type { FaultKind } from '../../src/emulators/tron/types.ts'
import { startNode } from '../support/scripted-node.ts'
import { API_KEY, openShop, type WireTopUp } from '../support/top-ups.ts'
import { HANG_MS, PATIENCE } from '../support/patience.ts'
import {
  always,
  customer,
  endure,
  MINUTE_MS,
  RECEIPT,
  watermark,
  withstandAnswers,
  withstandRefusals,
} from './provider-trouble.ts'

const DUST = 5_000n

test('case 36: a provider that refuses is left alone for as long as it says, and nothing is lost', async () => {
  await withstandRefusals([
    [30, { kind: 'suspended', seconds: 30 }],
    [60, { kind: 'bad-key' }],
  ])
})

test('case 37: an answer that is none moves nothing, whatever it looks like, and is asked for again', async () => {
  const trap = await startNode(() => ({ data: [] }))
  await withstandAnswers([{ kind: 'node-error' }, { kind: 'drip' }, { kind: 'redirect', to: trap.url }])
  expect(trap.asked).toEqual([])
})

test('case 37: whoever asks while the chain hangs waits four seconds at most, and is told that it is stale', async () => {
  const shop = await openShop({ timeoutMs: HANG_MS })
  const { user, check } = await customer(shop)
  const topUp = await shop.open(user)
  await shop.scan()
  shop.clock.advance(6000)
  always(shop, { kind: 'hang' })
  const ended = vi.fn()
  void shop.scan().then(ended, ended)
  expect(await check(topUp)).toMatchObject({ status: 'pending', chain_stale: true })
  expect(ended).not.toHaveBeenCalled()
})

test('case 38: a list whose second page cannot be read counts as not read', async () => {
  const shop = await openShop()
  const { user, check } = await customer(shop)
  await shop.scan()
  const isLaterPage = ({ fingerprint }: { fingerprint?: unknown }) => fingerprint !== undefined
  const faults: readonly FaultKind[] = [
    { kind: 'status', status: 500 },
    { kind: 'fingerprint-mismatch' },
    { kind: 'repeat-fingerprint' },
    { kind: 'truncated' },
  ]
  for (const fault of faults) {
    shop.clock.advance(15 * MINUTE_MS)
    await endure(shop, 60_000, 30_000)
    const before = await watermark(shop)
    const topUp = await shop.open(user)
    for (let row = 0; row < 205; row += 1) shop.people.transfer({ units: DUST })
    shop.clock.advance(3000)
    shop.pay(topUp)
    const restore = always(shop, { ...fault, method: 'trc20', when: isLaterPage })
    await endure(shop, 90_000, 30_000)
    expect(await watermark(shop)).toEqual(before)
    expect(await check(topUp)).toMatchObject({ status: 'pending', chain_stale: true })
    restore()
    await endure(shop, 2 * MINUTE_MS, 30_000)
    expect((await shop.topUp(topUp)).status).toBe('paid')
  }

  // The mark of the next page is forgotten: the list goes on from its last block.
  shop.clock.advance(15 * MINUTE_MS)
  await endure(shop, 60_000, 30_000)
  const topUp = await shop.open(user)
  for (let row = 0; row < 205; row += 1) {
    shop.people.transfer({ units: DUST })
    if (row % 50 === 0) shop.clock.advance(3000)
  }
  shop.pay(topUp)
  always(shop, { kind: 'no-fingerprint' })
  await endure(shop, 2 * MINUTE_MS, 30_000)
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(faults.length + 1)
  await shop.audited()
})

test('case 38: a second look that fails keeps no payment waiting, and is repeated', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  await shop.scan()
  const restore = always(shop, {
    kind: 'status',
    status: 500,
    method: 'trc20',
    when: ({ only_confirmed }) => only_confirmed !== undefined,
  })
  const [first, second] = [await shop.open(user), await shop.open(user, '60')]
  const txid = shop.pay(second)
  const show = always(shop, { kind: 'drop-row', txid })
  await endure(shop, 15 * MINUTE_MS, 30_000)
  shop.pay(first)
  await endure(shop, 2 * MINUTE_MS)
  expect((await shop.topUp(first)).status).toBe('paid')
  show()
  restore()
  await endure(shop, 3 * MINUTE_MS, 30_000)
  expect((await shop.topUp(second)).status).toBe('paid')
})

test('case 39: payments of one block on both sides of a page border are all found', async () => {
  const shop = await openShop()
  const topUps: WireTopUp[] = []
  for (const amount of ['10', '20', '30'])
    for (let i = 0; i < 2; i += 1) topUps.push(await shop.open(await shop.customer(null), amount))
  for (let row = 0; row < 197; row += 1) shop.people.transfer({ units: DUST })
  for (const topUp of topUps) shop.pay(topUp)
  await shop.settle()
  for (const topUp of topUps) expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.transfers()).toEqual(topUps.map(() => 'matched'))
  await shop.audited()
})

test('case 40: a server that does not look at what it is asked for changes nothing', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const { people } = shop
  const usdx = people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  people.transfer({ units: 77_000_000n, at: new Date(shop.clock.now().getTime() - 60 * MINUTE_MS) })
  await shop.scan()
  const parameters = [
    'min_timestamp',
    'order_by',
    'only_to',
    'contract_address',
    'limit',
    'only_confirmed',
  ] as const
  for (const ignored of [...parameters.map((parameter) => [parameter]), parameters]) {
    const topUp = await shop.open(user)
    const units = BigInt(topUp.pay_amount.replace('.', '')) * 100n
    const restore = always(shop, { kind: 'ignore', parameters: ignored })
    people.transfer({ units, from: people.wallet, to: people.payer })
    people.transfer({ units, contract: usdx.address })
    shop.clock.advance(3000)
    shop.pay(topUp)
    await endure(shop, 12 * MINUTE_MS, 2 * MINUTE_MS)
    expect((await shop.topUp(topUp)).status, ignored.join()).toBe('paid')
    restore()
  }
  expect(await shop.entries(user)).toHaveLength(parameters.length + 1)
  expect(new Set(await shop.transfers())).toEqual(new Set(['matched']))
  await shop.audited()
})

test('case 42: both providers may be down for an hour: the service answers, the operator hears of it once, all is found', async () => {
  const shop = await openShop({ fallback: true, operatorChats: [9] })
  const { user, check } = await customer(shop)
  const early = await shop.open(user)
  await endure(shop, 12_000)
  const before = await watermark(shop)
  for (const server of [shop.tron, shop.second])
    server?.faults.inject({ kind: 'status', status: 502, times: Infinity })
  shop.pay(early)
  shop.tron.clearRequests()
  await endure(shop, 50 * MINUTE_MS, 15_000)
  const late = await shop.open(user, '60')
  shop.pay(late)
  expect(await check(late)).toMatchObject({ status: 'pending', chain_stale: true })
  expect(await check(early)).toMatchObject({ status: 'expired', chain_stale: true })
  expect(await watermark(shop)).toEqual(before)
  // Once a minute each method that is asked at all; and nobody hammers the second one either.
  expect(shop.tron.requests().length).toBeLessThan(130)
  expect(shop.second?.requests().length).toBeLessThan(130)
  expect(await shop.alerts()).toEqual(['chain_stale'])

  // The operator tries a restart, which must not forget that it was told.
  const restarted = shop.restarted()
  shop.tron.faults.clear()
  shop.clock.advance(2 * MINUTE_MS)
  for (let left = 10; left > 0; left -= 1) {
    shop.clock.advance(30_000)
    await restarted.topUps.scanners[0]?.scan().catch(() => {})
  }
  expect((await shop.topUp(early)).status).toBe('paid')
  expect((await shop.topUp(late)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(2)
  expect(await shop.alerts()).toEqual(['chain_stale', 'chain_back'])
  await shop.audited()
})

test('receipts that cannot be read are a chain that cannot be read, though its list can', async () => {
  for (const fault of [{ kind: 'status', status: 500 }, { kind: 'lite-node' }] as const) {
    const shop = await openShop({ operatorChats: [9] })
    const { user, check } = await customer(shop)
    const topUp = await shop.open(user)
    await shop.scan()
    shop.pay(topUp)
    const restore = always(shop, { ...fault, method: RECEIPT })
    await endure(shop, 8 * MINUTE_MS, 15_000)
    expect(await check(topUp)).toMatchObject({ status: 'confirming', chain_stale: true })
    expect(await shop.alerts()).toEqual(['chain_stale'])
    restore()
    await endure(shop, 2 * MINUTE_MS, 15_000)
    expect(await check(topUp)).toMatchObject({ status: 'paid', chain_stale: false })
    expect(await shop.alerts()).toEqual(['chain_stale', 'chain_back'])
  }
})

test('a receipt that the provider cannot give keeps no other payment waiting', async () => {
  const shop = await openShop()
  const [unlucky, lucky] = [
    await shop.open(await shop.customer(null)),
    await shop.open(await shop.customer(null), '60'),
  ]
  const txid = shop.pay(unlucky)
  const restore = always(shop, {
    kind: 'status',
    status: 500,
    method: RECEIPT,
    when: ({ value }) => value === txid,
  })
  shop.clock.advance(6000)
  shop.pay(lucky)
  await endure(shop, 3 * MINUTE_MS)
  expect((await shop.topUp(unlucky)).status).toBe('confirming')
  expect((await shop.topUp(lucky)).status).toBe('paid')
  restore()
  await endure(shop, 2 * MINUTE_MS)
  expect((await shop.topUp(unlucky)).status).toBe('paid')
})

test('case 43: a foreign address in an answer is never asked, nor a proxy for this machine', async () => {
  const trap = await startNode(() => ({ data: [] }))
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy']) vi.stubEnv(name, trap.url)
  vi.stubEnv('no_proxy', '')
  const shop = await openShop()
  const topUp = await shop.open(await shop.customer(null))
  always(shop, {
    kind: 'edit',
    method: 'trc20',
    edit: (page: { meta: object }) => ({
      ...page,
      meta: { ...page.meta, links: { next: `${trap.url}/v1/accounts` } },
    }),
  })
  for (let row = 0; row < 205; row += 1) shop.people.transfer({ units: DUST })
  shop.pay(topUp)
  await shop.settle()
  vi.unstubAllEnvs()
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(shop.tron.requests('trc20').some(({ parameters }) => 'fingerprint' in parameters)).toBe(true)
  expect(trap.asked).toEqual([])
})

test('case 44: neither the API key nor a token is in the log, in an answer or in what the operator is told', async () => {
  const shop = await openShop({ operatorChats: [9] })
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const written: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => void written.push(line) })
  const echo: FaultKind = { kind: 'status', status: 400, body: `{"error":"${API_KEY} may not do this"}` }
  for (const fault of [echo, { kind: 'bad-key' }, { kind: 'drop' }] as const) {
    always(shop, fault)
    shop.clock.advance(6 * MINUTE_MS)
    const lines = written.length
    const watcher = new ChainWatcher(shop.scanner(), logger, (listener) =>
      shop.core.jobs.queue.onWake('chain', listener),
    )
    watcher.start()
    await vi.waitUntil(() => written.length > lines, PATIENCE)
    await watcher.stop()
    shop.tron.faults.clear()
  }
  const http = await shop.as(user)
  const answer = await http.get(`/usdt/check-status?order_no=${topUp.order_no}`)
  const told = await shop.db.read.notice.findMany()
  expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['chain_stale', 'chain_bad_key']))
  const everything = JSON.stringify([written, shop.log, answer.body, told.map(({ data }) => data)])
  expect(everything).toContain('may not do this')
  expect(everything).not.toContain(API_KEY)
  expect(everything).not.toContain(http.token)
})

test('without an API key one request a second must do, for long lists and many payments too', async () => {
  const shop = await openShop({ apiKey: null, settings: { rateLimits: true } })
  await shop.scan()
  const topUps: WireTopUp[] = []
  for (const amount of ['10', '20', '30']) topUps.push(await shop.open(await shop.customer(null), amount))
  for (let row = 0; row < 450; row += 1) shop.people.transfer({ units: DUST })
  for (const topUp of topUps) shop.pay(topUp)
  for (let step = 0; step < 30; step += 1) {
    shop.clock.advance(30_000)
    // Nothing is refused: not the pages, the receipts, the second look or the comparison with the balance.
    await shop.scan()
  }
  for (const topUp of topUps) expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(shop.tron.requests().every(({ withKey }) => !withKey)).toBe(true)
})

test('a row whose time lies ahead delays nothing: the receipt says when it was', async () => {
  const shop = await openShop()
  const topUp = await shop.open(await shop.customer(null))
  const restore = shop.tron.faults.inject({
    kind: 'edit',
    method: 'trc20',
    times: Infinity,
    edit: (page: { data: { block_timestamp: number }[] }) => ({
      ...page,
      data: page.data.map((row) => ({ ...row, block_timestamp: row.block_timestamp + 48 * 60 * MINUTE_MS })),
    }),
  })
  shop.pay(topUp)
  await endure(shop, 2 * MINUTE_MS)
  restore()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: false })
  await shop.audited()
})
