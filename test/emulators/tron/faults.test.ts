import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../src/emulators/tron/types.ts'
import { PATIENCE } from '../../support/patience.ts'
import samples from './samples.json' with { type: 'json' }
import { startTron, STRANGER, WALLET } from './server.ts'

const LIST = `/v1/accounts/${WALLET}/transactions/trc20`
const RECEIPT = 'walletsolidity/gettransactioninfobyid'
const { errors } = samples

describe('the limits of TronGrid', () => {
  it('without a key let one request a second through, per method, and then none for five', async () => {
    const { clock, get } = await startTron({ rateLimits: true })
    const status = async (path: string) => (await get(path)).status
    expect(await status(LIST)).toBe(200)
    const refused = await get(LIST)
    expect([refused.status, await refused.json()]).toEqual([429, JSON.parse(errors.v1_429_no_key)])
    expect(refused.headers.has('retry-after')).toBe(false)
    expect(refused.headers.get('connection')).toBe('close')
    expect(await status('/wallet/getnowblock'), 'another method').toBe(200)
    clock.advance(4000)
    expect(await (await get(LIST)).text()).toContain('suspended for 1 s')
    clock.advance(1000)
    expect(await status(LIST), 'a retry does not prolong it').toBe(200)
  })

  it('with a key let 15 a second through over all methods, and then none for half a minute', async () => {
    const { clock, get } = await startTron({ rateLimits: true, keys: ['good'] })
    const ask = (key: string, path = LIST) => get(path, {}, { headers: { 'TRON-PRO-API-KEY': key } })
    for (let i = 0; i < 15; i++)
      expect((await ask('good', i % 2 ? LIST : '/wallet/getblock')).status).toBe(200)
    const refused = await ask('good')
    expect([refused.status, await refused.json()]).toEqual([429, JSON.parse(errors.v1_429_with_key)])
    expect((await get(LIST)).status, 'without a key').toBe(200)
    clock.advance(30_000)
    expect((await ask('good')).status).toBe(200)
    const stranger = await ask('bad')
    expect([stranger.status, await stranger.text()]).toEqual([401, errors.bad_key_401])
  })
})

describe('faults', () => {
  it.each<[Fault, number, string | RegExp]>([
    [{ kind: 'status', status: 502 }, 502, errors.gateway_502_html],
    [{ kind: 'status', status: 404 }, 404, errors.v1_sporadic_404],
    [{ kind: 'status', status: 429 }, 429, '{"Error":"429 Too Many Requests"}'],
    [{ kind: 'status', status: 403, body: 'no' }, 403, 'no'],
    [{ kind: 'suspended', seconds: 27 }, 429, /suspended for 27 s/],
    [{ kind: 'bad-key' }, 401, errors.bad_key_401],
    [{ kind: 'html' }, 200, /^<html>/],
    [{ kind: 'empty' }, 200, ''],
    [{ kind: 'truncated' }, 200, /^\{"data":\[\],"success"/],
    [{ kind: 'node-error' }, 200, errors.node_200_rate_limited],
    [{ kind: 'lite-node' }, 200, errors.node_200_lite_fullnode],
    [{ kind: 'redirect', to: 'http://127.0.0.1:9/' }, 302, /302 Found/],
    [{ kind: 'edit', edit: () => [1] }, 200, '[1]'],
    [{ kind: 'fingerprint-mismatch' }, 400, /fingerprint does not match/],
  ])('%j is answered once', async (fault, status, body) => {
    const { get, tron } = await startTron()
    tron.faults.inject(fault)
    const spoiled = await get(LIST, {}, { redirect: 'manual' })
    expect(spoiled.status).toBe(status)
    const text = await spoiled.text()
    if (typeof body === 'string') expect(text).toBe(body)
    else expect(text).toMatch(body)
    expect(await (await get(LIST)).json()).toMatchObject({ data: [], success: true })
  })

  it('hold for a method, for some requests, for a number of them, or until they are taken back', async () => {
    const { get, tron } = await startTron()
    const statuses = async (path: string, count: number) => {
      const found = []
      for (let i = 0; i < count; i++) found.push((await get(path)).status)
      return found
    }
    tron.faults.inject({ kind: 'status', status: 503, method: 'wallet/getnowblock', times: 2 })
    expect(await statuses(LIST, 1)).toEqual([200])
    expect(await statuses('/wallet/getnowblock', 3)).toEqual([503, 503, 200])
    const heal = tron.faults.inject({ kind: 'status', status: 500, times: Infinity })
    expect(await statuses(LIST, 3)).toEqual([500, 500, 500])
    heal()
    tron.faults.inject({ kind: 'status', status: 500, when: ({ limit }) => limit === '7' })
    expect(await statuses(LIST, 1)).toEqual([200])
    expect(await statuses(`${LIST}?limit=7&`, 2)).toEqual([500, 200])
    tron.faults.inject({ kind: 'status', status: 500, times: Infinity })
    tron.faults.clear()
    expect(await statuses(LIST, 1)).toEqual([200])
  })

  it('keep or cut connections, and the server can be closed all the same', async () => {
    const { get, tron, server } = await startTron()
    tron.faults.inject({ kind: 'drop' })
    await expect(get(LIST)).rejects.toThrow('fetch failed')
    tron.faults.inject({ kind: 'hang', times: 2 })
    await expect(get(LIST, {}, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
    tron.faults.inject({ kind: 'drip', everyMs: 1 })
    const hanging = expect(get(LIST)).rejects.toThrow('fetch failed')
    // The hanging request has to be there before the next one takes a fault.
    await expect.poll(() => tron.requests(), PATIENCE).toHaveLength(3)
    expect(await (await get(LIST)).json()).toMatchObject({ data: [] })
    tron.faults.inject({ kind: 'drip', everyMs: 1000 })
    const dripping = (await get(LIST)).text()
    await Promise.all([server.close(), hanging, expect(dripping).rejects.toThrow('terminated')])
  })

  it('make a body larger than anybody reads', async () => {
    const { get, tron } = await startTron()
    tron.faults.inject({ kind: 'oversize', bytes: 1_000_000 })
    const body = await (await get(LIST)).text()
    expect(body).toHaveLength(JSON.stringify(JSON.parse(body)).length + 1_000_000)
  })

  it('spoil the list', async () => {
    const { chain, list, tron, clock } = await startTron()
    const [first, second] = [chain.transfer({ units: 1n }), chain.transfer({ units: 2n })]
    clock.advance(6000)
    chain.transfer({ units: 3n, from: WALLET, to: STRANGER })
    const values = async (query = {}) => (await list(query)).data.map(({ value }) => Number(value))
    tron.faults.inject({ kind: 'drop-row', txid: first })
    expect(await values()).toEqual([3, 2])
    tron.faults.inject({ kind: 'drop-row' })
    tron.faults.inject({ kind: 'duplicate-row', txid: second })
    expect(await values()).toEqual([2, 2, 1])
    tron.faults.inject({ kind: 'ignore', parameters: ['order_by', 'only_to', 'min_timestamp'] })
    const query = { order_by: 'block_timestamp,asc', only_to: true, min_timestamp: clock.now().getTime() }
    expect(await values(query)).toEqual([3, 2, 1])
    expect(await values(query)).toEqual([])
    tron.faults.inject({ kind: 'no-fingerprint' })
    expect((await list({ limit: 1 })).meta).not.toHaveProperty('fingerprint')
    tron.faults.inject({ kind: 'repeat-fingerprint', times: Infinity })
    const { fingerprint = '' } = (await list({ limit: 1 })).meta
    const again = await list({ limit: 1, fingerprint })
    expect([again.data[0]?.value, again.meta.fingerprint]).toEqual(['2', fingerprint])
  })

  it('show less of the chain, or another transaction than the one asked for', async () => {
    const { chain, clock, node, list, tron } = await startTron()
    const value = chain.transfer({ units: 1n })
    clock.advance(57_000)
    tron.faults.inject({ kind: 'solid-lag', blocks: 1 })
    expect(await node('wallet/gettransactioninfobyid', { value }), 'not of this face').toHaveProperty('id')
    expect(await node(RECEIPT, { value })).toEqual({})
    expect(await node(RECEIPT, { value })).toHaveProperty('id', value)
    tron.faults.inject({ kind: 'solid-lag', blocks: 1 })
    expect((await list({ only_confirmed: true })).data).toEqual([])
    tron.faults.inject({ kind: 'head-lag', blocks: 200, times: 2 })
    expect(await node('wallet/gettransactioninfobyid', { value })).toEqual({})
    expect(await node('walletsolidity/getblock')).toMatchObject({
      block_header: { raw_data: { number: chain.head() - 200 } },
    })
    tron.faults.inject({ kind: 'wrong-id' })
    expect(await node(RECEIPT, { value })).toMatchObject({
      id: 'f'.repeat(64),
      receipt: { result: 'SUCCESS' },
    })
  })
})

it('serves one chain from two servers, each with its own faults, key and log', async () => {
  const { chain, fallback, origin, tron } = await startTron({ keys: ['good'] })
  const value = chain.transfer({ units: 1n })
  tron.faults.inject({ kind: 'status', status: 500, times: Infinity })
  const ask = (server: string) =>
    fetch(`${origin}/${server}/wallet/gettransactioninfobyid`, {
      method: 'POST',
      headers: { 'TRON-PRO-API-KEY': server === 'tron' ? 'good' : 'any' },
      body: JSON.stringify({ value }),
    })
  expect((await ask('tron')).status).toBe(500)
  expect(await (await ask('fallback')).json()).toMatchObject({ id: value })
  const request = { path: '/wallet/gettransactioninfobyid', parameters: { value }, withKey: true }
  expect(tron.requests()).toMatchObject([request])
  expect(fallback.requests('wallet/gettransactioninfobyid')).toMatchObject([request])
  expect(fallback.requests('trc20')).toEqual([])
  expect(JSON.stringify(tron.requests())).not.toContain('good')

  fallback.clearRequests()
  const nowhere = await fetch(`${origin}/fallback/v1/no/such/thing`)
  expect([nowhere.status, await nowhere.text()]).toEqual([404, errors.v1_sporadic_404])
  const disabled = await fetch(`${origin}/fallback/wallet/createaccount`)
  expect([disabled.status, await disabled.text()]).toEqual([404, errors.node_404_disabled])
  expect(fallback.requests()).toMatchObject([
    { method: undefined, path: '/v1/no/such/thing' },
    { method: undefined, path: '/wallet/createaccount', withKey: false },
  ])
  const garbled = await fetch(`${origin}/fallback/wallet/getblock`, { method: 'POST', body: '{"num":' })
  expect([garbled.status, await garbled.text()]).toEqual([
    200,
    expect.stringContaining('{"Error":"class com.alibaba'),
  ])
})
