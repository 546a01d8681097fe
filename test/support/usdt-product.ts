import type { Config } from '../../src/config.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { startProduct } from './product.ts'
import { movableClock } from './service.ts'
import { API_KEY, serve, TERMS, WALLET } from './top-ups.ts'

/** The product that takes USDT, on an imitated chain; time stands still until the test moves it. */
export async function startUsdtProduct(settings: Partial<Config> = {}) {
  const clock = movableClock(new Date().toISOString())
  const tron = createTronEmulator({ clock, wallet: WALLET })
  const apiUrl = await serve(tron)
  const product = await startProduct(
    { clock },
    { topUps: { terms: TERMS, tron: { apiUrl, fallbackUrl: undefined, apiKey: API_KEY } }, ...settings },
  )
  /** Lets time pass, and the loop read the chain. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    const { scanner } = product.core.topUps
    // One of the loop's own may be under way, to which the clock seems to jump.
    await scanner?.scan().catch(() => {})
    await scanner?.scan()
  }
  return { ...product, product, clock, tron, pass }
}

/** The amount that a payment screen asks for. */
export const askedIn = (text: string) => /(\d+\.\d{2,4}) USDT/.exec(text)?.[1] ?? ''
