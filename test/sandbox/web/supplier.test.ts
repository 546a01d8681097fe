import { connect } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import type { UpstreamState } from '../../../src/sandbox/upstream.ts'
import { type SandboxPage, startPage } from './page.ts'

let page: SandboxPage

beforeEach(async () => {
  page = await startPage()
  page.upstream.emulator.setProduct({ productNo: 'p1', productName: 'Residential', costPrice: '2' })
})

type Running = Pick<SandboxPage, 'app'>
const read = async ({ app }: Running = page): Promise<UpstreamState> =>
  (await app.inject({ url: '/sandbox/api/supplier' })).json()
const post = (path: string, payload: object, headers = {}) =>
  page.app.inject({ method: 'POST', url: `/sandbox/api/supplier/${path}`, payload, headers })
const after = async (path: string, payload: object) => (await post(path, payload)).json() as UpstreamState

/** Proxies that another program buys, with what comes of it after a time. */
async function bought(count: number, ms = 1_000): Promise<UpstreamState> {
  page.upstream.emulator.openElsewhere('p1', count)
  page.realClock.advance(ms)
  await page.upstream.emulator.tick()
  return read()
}

/** What a proxy answers to somebody with its credentials who wants to go to this machine. */
function answerOf(index: number): Promise<string> {
  const { username, password } = page.upstream.emulator.instances()[index] ?? {}
  const login = Buffer.from(`${username}:${password}`).toString('base64')
  const target = `127.0.0.1:${page.upstream.proxyPort}`
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(page.upstream.proxyPort, '127.0.0.1')
    socket.on('connect', () =>
      socket.write(`CONNECT ${target} HTTP/1.1\r\nproxy-authorization: Basic ${login}\r\n\r\n`),
    )
    socket.on('data', (chunk) => {
      answer += chunk.toString()
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
  })
}

it('shows money, orders and proxies, and keeps them over a restart', async () => {
  expect(await read()).toMatchObject({ balance: '500.00', orders: [], proxies: [] })
  const state = await bought(2)
  expect(state).toMatchObject({
    balance: '496.00',
    orders: [{ kind: 'open', state: 'done', count: 2, done: 2, amount: '4.00' }],
    proxies: [
      { ip: '198.18.0.2', port: 8000, product: 'Residential', isDead: false },
      { ip: '198.18.0.1', port: 8000, product: 'Residential', isDead: false },
    ],
  })
  expect((await after('balance', { change: 'add' })).balance).toBe('996.00')
  expect((await after('balance', { change: 'empty' })).balance).toBe('0.00')
  const [first] = state.proxies
  await post('proxies', { instanceNo: first?.instanceNo, isDead: true })
  await post('faults', { fault: 'shortExpiry', isOn: true })
  const before = await read()
  expect(before).toMatchObject({
    proxies: [{ isDead: true }, { isDead: false }],
    faults: { shortExpiry: true },
  })
  expect(await read(await page.restart())).toEqual(before)
})

it('has the faults that are switched on, and no others', async () => {
  await post('faults', { fault: 'slow', isOn: true })
  await post('faults', { fault: 'deliversPart', isOn: true })
  expect(await bought(2)).toMatchObject({ orders: [{ state: 'open' }] })
  page.realClock.advance(59_000)
  await page.upstream.emulator.tick()
  expect(await read()).toMatchObject({ balance: '498.00', orders: [{ state: 'part', count: 2, done: 1 }] })
  await post('faults', { fault: 'slow', isOn: false })
  await post('faults', { fault: 'deliversPart', isOn: false })
  await post('faults', { fault: 'dearer', isOn: true })
  expect(await bought(1)).toMatchObject({ orders: [{ state: 'done', amount: '2.40' }, {}] })
  await post('faults', { fault: 'silent', isOn: true })
  expect(await bought(1, 3_600_000)).toMatchObject({ orders: [{ state: 'open' }, {}, {}] })
  await post('faults', { fault: 'silent', isOn: false })
  await post('faults', { fault: 'outOfStock', isOn: true })
  expect(await bought(1)).toMatchObject({ orders: [{ state: 'failed' }, { state: 'failed' }, {}, {}] })
})

it('lets a proxy die and live again', async () => {
  const { proxies } = await bought(1)
  const [{ instanceNo } = { instanceNo: '' }] = proxies
  expect(await answerOf(0)).toMatch(/ 200 /)
  await post('proxies', { instanceNo, isDead: true })
  expect(await answerOf(0)).toBe('')
  await post('proxies', { instanceNo, isDead: false })
  expect(await answerOf(0)).toMatch(/ 200 /)
})

it.each([
  ['balance', { change: 'double' }, 400],
  ['faults', { fault: 'fire', isOn: true }, 400],
  ['faults', { fault: 'slow' }, 400],
  ['proxies', { instanceNo: 'c_none', isDead: true }, 404],
])('refuses %s %j', async (path, payload, status) => {
  const before = await read()
  expect((await post(path, payload)).statusCode).toBe(status)
  expect(await read()).toEqual(before)
})

it('does not listen to other sites', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect((await post('balance', { change: 'empty' }, headers)).statusCode).toBe(403)
  expect((await post('faults', { fault: 'hangs', isOn: true }, headers)).statusCode).toBe(403)
  expect(await read()).toMatchObject({ balance: '500.00', faults: { hangs: false } })
})
