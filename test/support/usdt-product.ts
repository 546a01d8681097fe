import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import { createTronSandbox } from '../../src/sandbox/tron/tron-sandbox.ts'
import { startProduct } from './product.ts'
import { movableClock } from './service.ts'
import { TERMS, WALLET } from './top-ups.ts'

/** The product that takes USDT, on an imitated chain; time stands still until the test moves it. */
export async function startUsdtProduct(settings: Partial<Config> = {}) {
  const clock = movableClock(new Date().toISOString())
  const tron = createTronSandbox({ clock, wallet: WALLET })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(tron.httpApi)
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const apiUrl = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const product = await startProduct(
    { clock },
    { topUps: { terms: TERMS, tron: { apiUrl, fallbackUrl: undefined, apiKey: undefined } }, ...settings },
  )
  /** Lets time pass, and the loop read the chain. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await product.core.topUps.scanner?.scan()
  }
  return { ...product, product, clock, tron, pass }
}

/** The amount that a payment screen asks for. */
export const askedIn = (text: string) => /(\d+\.\d{4}) USDT/.exec(text)?.[1] ?? ''
