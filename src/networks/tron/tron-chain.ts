import { setTimeout as sleep } from 'node:timers/promises'
import type { TronWeb } from 'tronweb'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { ChainUnavailable, type PaymentNetwork } from '../../core/top-ups/payment-network.ts'
import { BlockNumber } from './block.ts'
import type { NetworkObserver } from '../configured-network.ts'
import { Failover } from '../providers/failover.ts'
import { askContract, isContract, readNumber, textOf } from './contract.ts'
import { createPace } from '../providers/pace.ts'
import { Provider, type ProviderName } from '../providers/provider.ts'
import { RATES } from './rates.ts'
import { readReceipt } from './receipt.ts'
import { TRON } from './traits.ts'
import { cursorAt, listTransfers } from './transfer-list.ts'
import { openTronWeb } from './tron-web.ts'

const TIMEOUT_MS = 8_000
/** Nodes behind one address differ by a few blocks; this many take a minute. */
const MAX_LAG_BLOCKS = 20
const CONTRACT_CALL = 'walletsolidity/triggerconstantcontract'

export interface TronChainOptions {
  /** Address of TronGrid, or of a node with the same API; a function is called at the first request. */
  readonly apiUrl: string | (() => string)
  /** Used when the primary one fails; it never gets the API key. */
  readonly fallbackUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** Which process sends the requests: a command leaves most of the rate of the key to the service, which runs beside it. */
  readonly asker?: 'service' | 'command'
  readonly clock: Clock
  readonly observer?: NetworkObserver | undefined
  /** The limit of one request, in milliseconds. */
  readonly timeoutMs?: number
  readonly random?: () => number
  /** Aborts running and later requests. */
  readonly closing?: AbortSignal
  /** Waits for the given milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>
}

/** The methods of the HTTP API that are used. */
type ApiMethod =
  | 'trc20'
  | 'wallet/gettransactioninfobyid'
  | 'wallet/getcontract'
  | 'walletsolidity/gettransactioninfobyid'
  | 'walletsolidity/getblock'
  | 'walletsolidity/triggerconstantcontract'

interface TronChain extends PaymentNetwork {
  /** Number of the newest irreversible block. */
  solidBlock(): Promise<number>
}

const Block = z.object({ block_header: z.object({ raw_data: z.object({ number: BlockNumber }) }) })

/**
 * Reads TRON over TronGrid's HTTP API. While a provider is paused, methods throw at once, and the caller retries later; they wait
 * only to keep within the rate of requests, which all callers share.
 */
export function createTronChain(options: TronChainOptions): TronChain {
  const { clock, observer, closing, random = Math.random, timeoutMs = TIMEOUT_MS } = options
  // An aborted wait resolves: the request is then aborted itself.
  const { wait = (ms) => sleep(ms, undefined, { signal: closing }).catch(() => {}) } = options
  const provider = (name: ProviderName, url: string | (() => string), apiKey: string | undefined) => {
    const pace = createPace(
      apiKey === undefined ? RATES.withoutKey : RATES[options.asker ?? 'service'],
      clock,
      wait,
    )
    const open = () =>
      openTronWeb({ url: typeof url === 'string' ? url : url(), apiKey, timeoutMs, pace, closing })
    return new Provider<TronWeb, ApiMethod>({ name, open, clock, random, observer })
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
  return {
    ...TRON,
    cursorAt: async (time) => cursorAt(time),
    listTransfers: (query) => chain.attempt('trc20', (tron) => listTransfers(tron, query, clock.now())),
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
    balance: (wallet, contract) =>
      chain.attempt(CONTRACT_CALL, (tron) => readNumber(tron, contract, 'balanceOf(address)', wallet)),
    solidBlock: () => chain.attempt('walletsolidity/getblock', solidBlock),
    checkWallet: (wallet, contract) => checkWallet(chain, wallet, contract),
  }
}

/** See {@link PaymentNetwork.checkWallet}. */
async function checkWallet(
  chain: Failover<TronWeb, ApiMethod>,
  wallet: string,
  contract: string,
): Promise<string | undefined> {
  const ask = (call: 'decimals()' | 'symbol()') =>
    chain.attempt(CONTRACT_CALL, (tron) => askContract(tron, contract, call))
  const decimals = await ask('decimals()')
  const walletIsContract = await ifSupported(
    chain.attempt('wallet/getcontract', (tron) => isContract(tron, wallet)),
  )
  if (decimals === 'missing') {
    const swapped = walletIsContract ? `, and USDT_WALLET ${wallet} is one: are they swapped?` : ''
    throw misconfigured(`USDT_CONTRACT ${contract} is no contract on this chain${swapped}`)
  }
  if (walletIsContract) {
    throw misconfigured(`USDT_WALLET ${wallet} is a contract: it must be the address of an account`)
  }
  if (decimals === 'refused') throw misconfigured(`USDT_CONTRACT ${contract} is no token: it has no decimals`)
  const symbol = textOf(await ifSupported(ask('symbol()')))
  const units = BigInt(`0x${decimals.words}`)
  if (units === BigInt(TRON.decimals)) return symbol || undefined
  const counts = `counts with ${units} decimals, USDT with ${TRON.decimals}`
  throw misconfigured(
    `USDT_CONTRACT ${contract} ${counts}${symbol && ` (its name on the chain is ${symbol})`}`,
  )
}

/** Returns the answer; undefined when the node does not support the request. */
async function ifSupported<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ChainUnavailable && error.fault === 'bad_answer') return undefined
    throw error
  }
}

function misconfigured(problem: string): ChainUnavailable {
  return new ChainUnavailable('misconfigured', problem)
}
