import { expect, test, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createTronSandbox } from '../../src/sandbox/tron/tron-sandbox.ts'
import { actorFor } from '../support/notices.ts'
import { startProduct } from '../support/product.ts'
import { startNode } from '../support/scripted-node.ts'
import { movableClock } from '../support/service.ts'
import { serve, TERMS, WALLET } from '../support/top-ups.ts'
import { PATIENCE } from '../support/patience.ts'

const tron = (apiUrl: string) => ({ apiUrl, fallbackUrl: undefined, apiKey: 'key-of-the-tests' })

test('a chain that cannot be read does not keep the service from starting; a token that is not USDT does', async () => {
  const nobody = { terms: TERMS, tron: tron('http://127.0.0.1:1') }
  const product = await startProduct({}, { topUps: nobody })
  expect(product.log.join('')).toMatch(/"fault":"unreachable"[^\n]*the token contract could not be checked/)
  await product.stop()

  const sandbox = createTronSandbox({ clock: systemClock, wallet: WALLET })
  const url = await serve(sandbox)
  product.log.length = 0
  await product.start({ topUps: { terms: TERMS, tron: tron(url) } })
  expect(product.log.join('')).not.toContain('could not be checked')
  await product.stop()

  const { address } = sandbox.chain.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 18 })
  const fake = { terms: { ...TERMS, contract: address }, tron: tron(url) }
  await expect(product.start({ topUps: fake })).rejects.toThrow(
    `USDT_CONTRACT ${address} counts with 18 decimals, USDT with 6`,
  )
})

test('a provider that says nothing does not keep the service from ending', async () => {
  const SIX_DECIMALS = { result: { result: true }, constant_result: [`${'0'.repeat(63)}6`] }
  const node = await startNode(({ path }) =>
    path === 'walletsolidity/triggerconstantcontract' ? SIX_DECIMALS : () => {},
  )
  const product = await startProduct({}, { topUps: { terms: TERMS, tron: tron(node.url) } })
  await vi.waitUntil(() => node.asked.some(({ path }) => path.endsWith('trc20')), PATIENCE)
  const begun = performance.now()
  await product.stop()
  expect(performance.now() - begun).toBeLessThan(3_000)
})

test('a top-up ends in time although the shop takes no USDT any more', async () => {
  const clock = movableClock(new Date().toISOString())
  const nobody = { terms: TERMS, tron: tron('http://127.0.0.1:1') }
  const product = await startProduct({ clock }, { topUps: nobody })
  const { topUp } = await product.core.topUps.create(await actorFor(product), { amount: '10' })
  await product.stop()
  await product.start({ topUps: undefined })
  clock.advance(TERMS.expireMs)
  await product.until(`SELECT 1 FROM top_ups WHERE order_no = '${topUp.orderNo}' AND status = 'expired'`)
})
