import { expect, test, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import { createTronEmulator, USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import { actorFor } from '../support/notices.ts'
import { onPostgres } from '../support/postgres.ts'
import { startProduct } from '../support/product.ts'
import { startNode } from '../support/scripted-node.ts'
import { movableClock } from '../support/service.ts'
import { openShop, serve, takenOn, TERMS, WALLET } from '../support/top-ups.ts'
import { PATIENCE } from '../support/patience.ts'
import { runningMs } from '../support/times.ts'

const CALL = 'walletsolidity/triggerconstantcontract'
/** The address of a token that there may be or not. */
const OTHER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9'

test('a chain that cannot be read does not keep the service from starting; a token that is not USDT does', async () => {
  const nobody = takenOn({ apiUrl: 'http://127.0.0.1:1' })
  const product = await startProduct({}, { topUps: nobody })
  expect(product.log.join('')).toMatch(/"fault":"unreachable"[^\n]*the token contract could not be checked/)
  await product.stop()

  const sandbox = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const url = await serve(sandbox)
  product.log.length = 0
  await product.start({ topUps: takenOn({ apiUrl: url }) })
  expect(product.log.join('')).not.toContain('could not be checked')
  await product.stop()

  const { address } = sandbox.chain.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 18 })
  const fake = takenOn({ apiUrl: url, contract: address })
  await expect(product.start({ topUps: fake })).rejects.toThrow(
    `USDT_CONTRACT ${address} counts with 18 decimals, USDT with 6`,
  )
})

test('a wallet and a contract that are swapped, or are not what they should be, do not start', async () => {
  const sandbox = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const { address: other } = sandbox.chain.addToken({ symbol: 'ABC', name: 'Another', decimals: 6 })
  const url = await serve(sandbox)
  const product = await startProduct()
  await product.stop()
  const contract = USDT_CONTRACT
  for (const [wrong, message] of [
    [{ wallet: contract, contract: WALLET }, `USDT_WALLET ${contract} is one: are they swapped?`],
    [{ contract: sandbox.chain.payer }, `USDT_CONTRACT ${sandbox.chain.payer} is no contract on this chain`],
    [{ wallet: other }, `USDT_WALLET ${other} is a contract: it must be the address of an account`],
  ] as const) {
    const refused = product.start({ topUps: takenOn({ apiUrl: url, ...wrong }) })
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow(message)
  }
  await product.start({ topUps: takenOn({ apiUrl: url, contract: other }) })
  expect(product.log.join('')).toMatch(/"symbol":"ABC"[^\n]*does not call itself USDT/)
})

test('before the wallet and its token were checked, a service alone is not ready, and one of several limited', async () => {
  const sandbox = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const back = sandbox.faults.inject({ kind: 'status', status: 502, method: CALL, times: Infinity })
  const topUps = takenOn({ apiUrl: await serve(sandbox) })
  const product = await startProduct({}, { topUps })
  const chain = async () => {
    const ready = await fetch(product.app.addresses['api']?.replace(/api$/, 'readyz') ?? '')
    const { checks } = (await ready.json()) as { checks: { chain: string } }
    return [ready.status, checks.chain]
  }
  // The chain is the leader's, as which a server on PostgreSQL begins after its start.
  if (onPostgres) await expect.poll(chain, PATIENCE).toEqual([200, 'degraded'])
  else expect(await chain()).toEqual([503, 'down'])
  expect(sandbox.requests('trc20')).toEqual([])
  back()
  await product.stop()
  await product.start()
  expect(await chain()).toEqual([200, 'ok'])
  await vi.waitUntil(() => sandbox.requests('trc20').length > 0, PATIENCE)
  expect(await chain()).toEqual([200, 'ok'])
})

test('what could not be checked at the start credits nothing until it was', async () => {
  const shop = await openShop({ operatorChats: [9], contract: OTHER })
  const user = await shop.customer(null)
  const back = shop.tron.faults.inject({ kind: 'status', status: 502, method: CALL, times: Infinity })
  const endure = async () => {
    for (let scans = 20; scans > 0; scans -= 1) {
      shop.clock.advance(10_000)
      await shop.scan().catch(() => {})
    }
  }
  const topUp = await shop.open(user)
  shop.people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 18, address: OTHER })
  shop.pay(topUp, { contract: OTHER })
  await endure()
  back()
  await endure()
  expect((await shop.topUp(topUp)).status).toBe('pending')
  expect(await shop.entries(user)).toEqual([])
  expect(shop.tron.requests('trc20')).toEqual([])
  expect(await shop.alerts()).toEqual(['chain_stale'])
  await expect(shop.open(user)).rejects.toThrow('top_up_disabled')
  const info = async () => (await (await shop.as(user)).get('/usdt/wallet-info')).body.data
  expect(await info()).toMatchObject({ enabled: false })

  // The chain was asked for another contract by mistake of its provider.
  shop.people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6, address: OTHER })
  await endure()
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.alerts()).toEqual(['chain_stale', 'chain_back'])
  expect(await info()).toMatchObject({ enabled: true })
})

test('a provider that says nothing does not keep the service from ending', async () => {
  const SIX_DECIMALS = { result: { result: true }, constant_result: [`${'0'.repeat(63)}6`] }
  const node = await startNode(({ path }) => {
    if (path === 'wallet/getcontract') return {}
    return path === 'walletsolidity/triggerconstantcontract' ? SIX_DECIMALS : () => {}
  })
  const product = await startProduct({}, { topUps: takenOn({ apiUrl: node.url }) })
  await vi.waitUntil(() => node.asked.some(({ path }) => path.endsWith('trc20')), PATIENCE)
  // A request is given up after eight seconds.
  const begun = runningMs()
  await product.stop()
  expect(runningMs() - begun).toBeLessThan(5_000)
})

test('a top-up ends in time although the shop takes no USDT any more', async () => {
  const clock = movableClock(new Date().toISOString())
  const nobody = takenOn({ apiUrl: 'http://127.0.0.1:1' })
  const product = await startProduct({ clock }, { topUps: nobody })
  const { topUp } = await product.core.topUps.create(await actorFor(product), { amount: '10' })
  await product.stop()
  await product.start({ topUps: undefined })
  clock.advance(TERMS.expireMs)
  await product.until(`SELECT 1 FROM top_ups WHERE order_no = '${topUp.orderNo}' AND status = 'expired'`)
})
