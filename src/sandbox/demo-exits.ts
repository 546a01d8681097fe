import { SYSTEM } from '../core/people/operator.ts'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'
import { EXIT_PASSWORD, EXITS } from './exits.ts'
import type { KeptValue } from './kept-value.ts'

/** What the shop was told of the gateway and its exits. */
export interface KeptGateway {
  /** Port at which all exits answer; 0 before the first start. */
  readonly exitPort: number
  /** Ids of the exits in the shop. */
  readonly exits: readonly number[]
  /** Address of the gateway in the products. */
  readonly address: string
}

export const NO_GATEWAY: KeptGateway = { exitPort: 0, exits: [], address: '' }

/** The pool whose traffic leaves from the gateway itself. */
const DIRECT_POOL = 'dynamic_2'
/** The products whose gateway is that of the sandbox. */
const PRODUCTS = ['DYN-1', 'DYN-2', 'DYN-3']

/**
 * Adds the exits of the sandbox, unless they answer at the same port as the last time; those of the last time are removed. Exits that
 * somebody else has added stay.
 */
export async function plantExits(core: Core, exitPort: number, kept: KeptValue<KeptGateway>): Promise<void> {
  const { exits: planted, ...last } = kept.get()
  if (last.exitPort === exitPort) return
  const { exits } = core.operator
  const known = new Set((await exits.list()).map(({ id }) => id))
  for (const id of planted) if (known.has(id)) await exits.remove(SYSTEM, id)
  const added = [await exits.add(SYSTEM, { pool: DIRECT_POOL })]
  for (const { pool, protocol, username, country, city } of EXITS) {
    const url = `${protocol}://${username}:${EXIT_PASSWORD}@127.0.0.1:${exitPort}`
    added.push(await exits.add(SYSTEM, { pool, url, country, city }))
  }
  kept.set({ ...kept.get(), exitPort, exits: added.map(({ id }) => id) })
}

/** Sets the address of the gateway in the products. */
export async function nameGateway(core: Core, address: string, kept: KeptValue<KeptGateway>): Promise<void> {
  if (kept.get().address === address) return
  for (const productNo of PRODUCTS) {
    try {
      await core.operator.editProduct(SYSTEM, productNo, { gateway: address })
    } catch (error) {
      // A database of an earlier version may lack one.
      if (!(error instanceof ServiceError && error.code === 'product_not_found')) throw error
    }
  }
  kept.set({ ...kept.get(), address })
}
