import type { Clock } from '../../core/clock.ts'
import { toHex20 } from './address.ts'
import { createChain } from './chain.ts'
import { PAYER, peopleSide, PLAY_MONEY } from './people.ts'
import { createServer } from './server.ts'
import type { ServerSettings, TronEmulator } from './types.ts'

/** The USDT contract of TRON's main network. */
export const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/**
 * Makes an emulator of TRON as a shop sees it, in memory.
 *
 * @param options.clock the chain's time: a block every three seconds
 * @param options.wallet the shop's receiving address, base58
 * @param options.settings settings of the first server
 */
export function createTronEmulator(options: {
  clock: Clock
  wallet: string
  contract?: string
  settings?: ServerSettings
}): TronEmulator {
  const { clock, wallet, contract = USDT_CONTRACT } = options
  const usdt = toHex20(contract)
  const payer = toHex20(PAYER)
  const chain = createChain({
    clock,
    endowment: (owner, token) => (owner === payer && token === usdt ? PLAY_MONEY : 0n),
  })
  chain.addToken({ address: contract, symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  const addServer = (settings: ServerSettings = {}) => createServer(chain, clock, settings)
  return { chain: peopleSide(chain, { wallet, contract }), addServer, ...addServer(options.settings) }
}
