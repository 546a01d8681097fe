import { expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createTronSandbox } from '../../src/sandbox/tron/tron-sandbox.ts'
import { startProduct } from '../support/product.ts'
import { serve, TERMS, WALLET } from '../support/top-ups.ts'

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
