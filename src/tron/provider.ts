import type { TronWeb } from 'tronweb'
import type { Clock } from '../core/clock.ts'
import { ChainUnavailable } from '../core/top-ups/chain-reader.ts'
import { ProviderFault } from './provider-fault.ts'
import { openTronWeb, type TronNode } from './tron-web.ts'

const SECOND = 1000
const LONGEST_PAUSE_MS = 60 * SECOND
/** So many failures in a row are no accident any more. */
const FAILURES_TO_LEAVE = 3

export type ProviderName = 'primary' | 'fallback'

/** The methods of the HTTP API that are used; each has limits of its own. */
export type ApiMethod =
  | 'trc20'
  | 'wallet/gettransactioninfobyid'
  | 'wallet/getcontract'
  | 'walletsolidity/gettransactioninfobyid'
  | 'walletsolidity/getblock'
  | 'walletsolidity/triggerconstantcontract'

/** Is told what is asked and how it ends, for metrics and the log. */
export interface ChainObserver {
  /** With a fault when there was no good answer. */
  asked(provider: ProviderName, method: ApiMethod, fault?: ChainUnavailable): void
  /** From now on this one is asked. */
  switched(provider: ProviderName): void
}

/** While it lasts a method is not asked; in milliseconds. */
interface Pause {
  readonly from: number
  readonly until: number
  readonly because: ChainUnavailable
}

interface Standing {
  /** In a row. */
  failures: number
  pause: Pause | undefined
}

interface ProviderOptions extends Omit<TronNode, 'url'> {
  /** Without a slash at the end; a function is asked at the first request. */
  readonly url: string | (() => string)
  readonly name: ProviderName
  readonly clock: Clock
  /** 0 up to 1: spreads what many would otherwise repeat at the same moment. */
  readonly random: () => number
  readonly observer: ChainObserver | undefined
}

/** One place that answers the HTTP API, and how well it did lately. */
export class Provider {
  readonly name: ProviderName
  readonly #options: ProviderOptions
  readonly #standings = new Map<ApiMethod, Standing>()
  #tron: Promise<TronWeb> | undefined

  constructor(options: ProviderOptions) {
    this.name = options.name
    this.#options = options
  }

  /**
   * Asks with one method, in as many requests as `operation` needs. A method that failed, or is suspended, is left alone for a while:
   * it then throws at once what it threw before.
   *
   * @throws ChainUnavailable
   */
  async attempt<T>(method: ApiMethod, operation: (tron: TronWeb) => Promise<T>): Promise<T> {
    const standing = this.#standing(method)
    if (standing.pause && this.#lasts(standing.pause)) {
      const { fault, message } = standing.pause.because
      throw new ChainUnavailable(fault, `${message} (not asked again yet)`)
    }
    const failuresBefore = standing.failures
    try {
      const result = await operation(await (this.#tron ??= this.#open()))
      standing.failures = 0
      this.#options.observer?.asked(this.name, method)
      return result
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      // What fails at the same time counts once.
      standing.failures = Math.max(standing.failures, failuresBefore + 1)
      const fault = new ChainUnavailable(
        error.fault,
        `${method} at the ${this.name} provider: ${error.message}`,
      )
      if (error instanceof ProviderFault) this.#pause(standing, fault, error.suspendedMs)
      this.#options.observer?.asked(this.name, method, fault)
      throw fault
    }
  }

  #open(): Promise<TronWeb> {
    const { url, ...node } = this.#options
    return openTronWeb({ ...node, url: typeof url === 'string' ? url : url() })
  }

  /** Whether the method failed so often that somebody else should be asked. */
  isFailing(method: ApiMethod): boolean {
    return this.#standing(method).failures >= FAILURES_TO_LEAVE
  }

  /** As long as the provider said, or 2, 4, 8 … 60 seconds; the longest pause holds. */
  #pause(standing: Standing, because: ChainUnavailable, suspendedMs: number | undefined): void {
    const backOff = Math.min(SECOND * 2 ** standing.failures, LONGEST_PAUSE_MS)
    // An unknown key stays unknown: no hurry to ask again.
    const ms = suspendedMs ?? (because.fault === 'bad_key' ? LONGEST_PAUSE_MS : backOff)
    const jitter = this.#options.random() * Math.min(ms / 4, SECOND)
    const from = this.#now()
    const until = Math.max(from + ms + jitter, standing.pause?.until ?? 0)
    standing.pause = { from, until, because }
  }

  /** A clock that was set back ends a pause rather than to draw it out. */
  #lasts({ from, until }: Pause): boolean {
    const now = this.#now()
    return from <= now && now < until
  }

  #standing(method: ApiMethod): Standing {
    const known = this.#standings.get(method)
    if (known) return known
    const standing: Standing = { failures: 0, pause: undefined }
    this.#standings.set(method, standing)
    return standing
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
