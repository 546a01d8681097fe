import { beforeEach, expect, it } from 'vitest'
import type { WalletState } from '../../../src/sandbox/payer-wallet.ts'
import { type SandboxPage, SHOP, startPage, TOP_UP_LASTS_MS } from './page.ts'

let page: SandboxPage

beforeEach(async () => {
  page = await startPage()
})

type Running = Pick<SandboxPage, 'app'>
const read = async ({ app }: Running = page): Promise<WalletState> =>
  (await app.inject({ url: '/sandbox/api/wallet' })).json()
const post = (path: string, payload: object = {}, headers = {}) =>
  page.app.inject({ method: 'POST', url: `/sandbox/api/wallet/${path}`, payload, headers })
const pay = async (kind: string, amount = '100.0037') =>
  (await post('payments', { to: SHOP, amount, kind })).json() as WalletState
const received = () => page.chain.balance(SHOP)

it('pays, and shows how the payment becomes irreversible', async () => {
  expect(await read()).toMatchObject({ balance: '1000000.00', payments: [], aheadMs: 0 })
  const { balance, payments } = await pay('normal')
  expect(balance).toBe('999899.9963')
  expect(received()).toBe(100_003_700n)
  const sent = { to: SHOP, amount: '100.0037', kind: 'normal', state: 'confirming', confirmations: 0 }
  expect(payments).toEqual([expect.objectContaining(sent)])
  page.realClock.advance(21_000)
  expect((await read()).payments).toMatchObject([{ state: 'confirming', confirmations: 7 }])
  const minuteLater = (await post('minutes')).json() as WalletState
  expect(minuteLater).toMatchObject({
    aheadMs: 60_000,
    payments: [{ state: 'irreversible', confirmations: 19 }],
  })
})

it('pays late, twice, with a fake token, and so that it fails', async () => {
  const before = page.clock.now().getTime()
  const [late] = (await pay('late')).payments
  expect(Date.parse(late?.time ?? '')).toBeGreaterThan(before + TOP_UP_LASTS_MS)
  expect(received()).toBe(100_003_700n)
  const twice = await pay('twice', '1')
  expect(twice.payments.map(({ txid }) => page.chain.find(txid)?.outcome)).toEqual(
    Array.from({ length: 3 }, () => 'SUCCESS'),
  )
  expect(new Set(twice.payments.map(({ txid }) => txid)).size).toBe(3)
  expect(received()).toBe(102_003_700n)
  await pay('fake', '5000000')
  expect(await pay('reverted')).toMatchObject({
    balance: '999897.9963',
    payments: [{ kind: 'reverted', state: 'failed' }, { kind: 'fake', amount: '5000000.00' }, {}, {}, {}],
  })
  expect(received()).toBe(102_003_700n)
})

it.each([
  [{ to: 'TSandboxWaLLetNeverPayToThisuhJ859' }, 409, 'bad-address'],
  [{ to: '' }, 409, 'bad-address'],
  [{ amount: '0' }, 409, 'bad-amount'],
  [{ amount: '1,5' }, 409, 'bad-amount'],
  [{ amount: '1.0000001' }, 409, 'bad-amount'],
  [{ amount: '1000000.000001' }, 409, 'low-balance'],
  [{ amount: '500000.5', kind: 'twice' }, 409, 'low-balance'],
  [{ kind: 'for free' }, 400, 'FST_ERR_VALIDATION'],
])('refuses %j', async (change, status, error) => {
  const refused = await post('payments', { to: SHOP, amount: '1', kind: 'normal', ...change })
  expect(refused.statusCode).toBe(status)
  expect(refused.json()).toEqual({ error, message: expect.stringMatching(/\w/) })
  expect(await read()).toMatchObject({ balance: '1000000.00', payments: [] })
})

it('does not pay for other sites, nor lets them move the clock', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const payment = { to: SHOP, amount: '1', kind: 'normal' }
  expect((await post('payments', payment, headers)).statusCode).toBe(403)
  expect((await post('minutes', {}, headers)).statusCode).toBe(403)
  expect(await read()).toMatchObject({ payments: [], aheadMs: 0 })
})

it('has the same payments and the same time after a restart', async () => {
  await pay('twice', '1')
  await pay('late')
  await pay('fake', '2')
  const before = await read()
  const after = await page.restart()
  expect(await read(after)).toEqual(before)
  expect(after.chain.balance(SHOP)).toBe(102_003_700n)
  expect(after.clock.now()).toEqual(page.clock.now())
})
