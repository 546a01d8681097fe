import { heightAt } from './blocks.ts'
import type { ChainState } from './chain.ts'

/** What one server has seen of the chain at the moment of a request. */
export interface View {
  readonly chain: ChainState
  /** The newest block, and the newest irreversible one. */
  readonly head: number
  readonly solidHead: number
  /** The last block that the index of `/v1` has read. */
  readonly indexed: number
}

interface Lag {
  /** Blocks that the server has not seen. */
  readonly head: number
  /** Blocks of which it does not know yet that they are irreversible. */
  readonly solid: number
  readonly indexMs: number
}

export function viewOf(chain: ChainState, lag: Lag): View {
  const head = chain.head() - lag.head
  return {
    chain,
    head,
    solidHead: Math.min(chain.solidHead() - lag.solid, head),
    indexed: Math.min(heightAt(chain.now() - lag.indexMs), head),
  }
}
