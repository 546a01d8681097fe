import { setTimeout as sleep } from 'node:timers/promises'
import type { TronWeb } from 'tronweb'
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { type ChainReader, ChainUnavailable, type UsdtUnits } from '../core/top-ups/chain-reader.ts'
import { BlockNumber } from './block.ts'
import { Failover } from './failover.ts'
import { createPace } from './pace.ts'
import { type ChainObserver, Provider, type ProviderName } from './provider.ts'
import { readReceipt } from './receipt.ts'
import { listTransfers } from './transfer-list.ts'

const TIMEOUT_MS = 8_000
/** Nodes behind one address differ by a few blocks; a minute is more than that. */
const MAX_LAG_BLOCKS = 20
/** What the whole top-up counts in. */
const USDT_DECIMALS = 6n

export interface TronChainOptions {
  /** Address of TronGrid, or of a node that answers like it; a function is asked at the first request. */
  readonly apiUrl: string | (() => string)
  /** Asked when the other one fails; it never gets the API key. */
  readonly fallbackUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly clock: Clock
  readonly observer?: ChainObserver | undefined
  /** For one request; milliseconds. */
  readonly timeoutMs?: number
  readonly random?: () => number
  /** Ends what is being asked, and whatever is asked later. */
  readonly closing?: AbortSignal
  /** Passes so many milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>
}

export interface TronChain extends ChainReader {
  /** Number of the newest irreversible block. */
  solidBlock(): Promise<number>
  /**
   * Whether the contract is a token that counts as USDT does, to be asked at the start.
   *
   * @throws ChainUnavailable when nobody answers, or there is no such contract; Error when it has other decimals
   */
  checkContract(contract: string): Promise<void>
}

const Block = z.object({ block_header: z.object({ raw_data: z.object({ number: BlockNumber }) }) })
const ConstantResult = z.object({
  result: z.object({ result: z.literal(true) }),
  constant_result: z.array(z.string().regex(/^[0-9a-f]{64}$/i)).min(1),
})

/**
 * Reads TRON over TronGrid's HTTP API. While a provider has to be left alone, it throws at once, and whoever asks comes round
 * again; it waits only to keep the distance between two requests that a provider without a key asks for.
 */
export function createTronChain(options: TronChainOptions): TronChain {
  const { clock, observer, closing, random = Math.random, timeoutMs = TIMEOUT_MS } = options
  // Cut short, it lets the request through to where it is refused.
  const { wait = (ms) => sleep(ms, undefined, { signal: closing }).catch(() => {}) } = options
  const provider = (name: ProviderName, url: string | (() => string), apiKey: string | undefined) => {
    const pace = apiKey === undefined ? createPace(clock, wait) : undefined
    return new Provider({ name, url, apiKey, pace, timeoutMs, closing, clock, random, observer })
  }
  let highestBlock = 0

  async function solidBlock(tron: TronWeb): Promise<number> {
    // Without detail: the header only, not hundreds of transactions.
    const answer: unknown = await tron.solidityNode.request('walletsolidity/getblock', { detail: false })
    const block = Block.safeParse(answer)
    if (!block.success) throw new ChainUnavailable('bad_answer', 'it is no block')
    const { number } = block.data.block_header.raw_data
    const lag = highestBlock - number
    if (lag > MAX_LAG_BLOCKS) {
      throw new ChainUnavailable('bad_answer', `it is ${lag} blocks behind what was irreversible before`)
    }
    highestBlock = Math.max(highestBlock, number)
    return highestBlock
  }

  const chain = new Failover({
    primary: provider('primary', options.apiUrl, options.apiKey),
    fallback: options.fallbackUrl ? provider('fallback', options.fallbackUrl, undefined) : undefined,
    probe: (provider) => provider.attempt('walletsolidity/getblock', solidBlock),
    clock,
    observer,
  })
  const constant = (contract: string, call: string, wallet?: string) =>
    chain.attempt('walletsolidity/triggerconstantcontract', (tron) =>
      readConstant(tron, contract, call, wallet),
    )

  return {
    listTransfers: (query) => chain.attempt('trc20', (tron) => listTransfers(tron, query)),
    receipt: (txid, contract) =>
      chain.attempt('walletsolidity/gettransactioninfobyid', async (tron) => {
        const receipt = readReceipt(await tron.trx.getTransactionInfo(txid), txid, contract)
        highestBlock = Math.max(highestBlock, receipt?.blockNumber ?? 0)
        return receipt
      }),
    knows: (txid) =>
      chain.attempt('wallet/gettransactioninfobyid', async (tron) => {
        const { id } = await tron.trx.getUnconfirmedTransactionInfo(txid)
        return id?.toLowerCase() === txid.toLowerCase()
      }),
    balance: (wallet, contract) => constant(contract, 'balanceOf(address)', wallet),
    solidBlock: () => chain.attempt('walletsolidity/getblock', solidBlock),
    checkContract: async (contract) => {
      const decimals = await constant(contract, 'decimals()')
      if (decimals === USDT_DECIMALS) return
      throw new Error(
        `USDT_CONTRACT ${contract} counts with ${decimals} decimals, USDT with ${USDT_DECIMALS}`,
      )
    },
  }
}

/** A number that a contract tells at the irreversible head, about `wallet` when it is given. */
async function readConstant(
  tron: TronWeb,
  contract: string,
  call: string,
  wallet?: string,
): Promise<UsdtUnits> {
  const parameters = wallet ? [{ type: 'address', value: wallet }] : []
  const answer: unknown = await tron.transactionBuilder
    .triggerConfirmedConstantContract(contract, call, {}, parameters, wallet ?? contract)
    .catch((error: unknown) => {
      if (error instanceof ChainUnavailable) throw error
      // TronWeb throws the words of a contract that refuses, or of a node that does not find it.
      throw new ChainUnavailable(
        'bad_answer',
        `${call} was refused: ${(error as Error).message.slice(0, 200)}`,
      )
    })
  const result = ConstantResult.safeParse(answer)
  const word = result.data?.constant_result[0]
  if (!word) throw new ChainUnavailable('bad_answer', `${call} has no number for an answer`)
  return BigInt(`0x${word}`)
}
