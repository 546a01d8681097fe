import type { AppOverrides } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { Clock } from '../../src/core/clock.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import type { ConfiguredNetwork } from '../../src/networks/configured-network.ts'
import { startProduct } from './product.ts'
import { movableClock } from './service.ts'
import { serve, takenOn, WALLET } from './top-ups.ts'

/**
 * The product that takes USDT, on an imitated chain; time stands still until the test moves it.
 *
 * @param before networks that are offered before TRON
 * @param given what the product gets in place of the real thing
 */
export async function startUsdtProduct(
  settings: Partial<Config> = {},
  before: (clock: Clock) => ConfiguredNetwork[] = () => [],
  given: AppOverrides = {},
) {
  const clock = movableClock(new Date().toISOString())
  const tron = createTronEmulator({ clock, wallet: WALLET })
  const apiUrl = await serve(tron)
  const onTron = takenOn({ apiUrl })
  const [usual, ...others] = [...before(clock), ...onTron.networks]
  const networks = usual ? ([usual, ...others] as const) : onTron.networks
  const product = await startProduct({ clock, ...given }, { topUps: { ...onTron, networks }, ...settings })
  /** Lets time pass, and the loop read the chain. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (const scanner of product.core.topUps.scanners) {
      // One of the loop's own may be under way, to which the clock seems to jump.
      await scanner.scan().catch(() => {})
      await scanner.scan()
    }
  }
  return { ...product, product, clock, tron, pass }
}

/** The amount that a payment screen asks for. */
export const askedIn = (text: string) => /(\d+\.\d{2,4}) USDT/.exec(text)?.[1] ?? ''
