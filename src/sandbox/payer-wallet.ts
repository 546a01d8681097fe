import type { KeptValue } from './kept-value.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { readBase58 } from '../emulators/tron/address.ts'
import { SOLID_AFTER } from '../emulators/tron/blocks.ts'
import type { Chain } from '../emulators/tron/types.ts'

/** Ways to pay that can be tried. */
export const PAYMENT_KINDS = ['normal', 'late', 'twice', 'fake', 'reverted'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** A transaction as it is stored: sent again after a restart, it gets the same txid. */
export interface KeptPayment {
  readonly to: string
  readonly units: string
  readonly kind: PaymentKind
  readonly at: string
}

/** A payment as the wallet shows it. */
export interface Payment {
  readonly txid: string
  readonly to: string
  /** USDT, decimal. */
  readonly amount: string
  readonly kind: PaymentKind
  /** State of the transaction. A failed one is in a block, too: it has cost its fee and moved nothing. */
  readonly state: 'confirming' | 'irreversible' | 'failed'
  /** Number of blocks built upon it, at most as many as make it irreversible. */
  readonly confirmations: number
  /** Time of its block, ISO 8601. */
  readonly time: string
}

export interface WalletState {
  readonly address: string
  /** USDT, decimal. */
  readonly balance: string
  readonly confirmationsRequired: number
  /** Milliseconds by which the sandbox's clock is ahead of the real one. */
  readonly aheadMs: number
  /** The newest payments, newest first. */
  readonly payments: readonly Payment[]
}

/** A payment that the wallet does not send; `code` says why. */
export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal'
  readonly code: 'bad-address' | 'bad-amount' | 'low-balance'

  constructor(code: WalletRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

export type PayerWallet = ReturnType<typeof createPayerWallet>

const SHOWN = 20
const DECIMALS = 6
/** Time for 19 blocks, which make a payment irreversible. */
const A_MINUTE_MS = 60_000
/** Nothing keeps another token from using the name and symbol of USDT. */
const FAKE_USDT = { symbol: 'USDT', name: 'Tether USD', decimals: DECIMALS }

/**
 * Creates the wallet of somebody who pays the shop, on the simulated chain.
 *
 * @param options.topUpLastsMs how long a top-up waits for its payment
 */
export function createPayerWallet(options: {
  chain: Chain
  clock: SandboxClock
  topUpLastsMs: number
  kept: KeptValue<readonly KeptPayment[]>
}) {
  const { chain, clock, topUpLastsMs, kept } = options
  const fake = chain.addToken(FAKE_USDT)
  const sent = kept.get().map((payment) => ({ ...payment, txid: send(payment) }))

  function send({ to, units, kind, at }: KeptPayment): string {
    return chain.transfer({
      to,
      units: BigInt(units),
      at: new Date(at),
      ...(kind === 'fake' && { contract: fake.address }),
      ...(kind === 'reverted' && { outcome: 'REVERT' }),
    })
  }

  return {
    /**
     * Pays in one of the ways that a shop has to cope with.
     *
     * @param amount USDT, decimal with up to six decimals
     * @throws WalletRefusal
     */
    pay({ to, amount, kind }: { to: string; amount: string; kind: PaymentKind }): void {
      if (readBase58(to) === undefined)
        throw new WalletRefusal('bad-address', 'This is not an address of TRON')
      const units = unitsOf(amount)
      if (units === undefined || units === 0n)
        throw new WalletRefusal('bad-amount', 'The amount is a number with up to 6 decimals')
      const times = kind === 'twice' ? 2 : 1
      if (kind !== 'fake' && units * BigInt(times) > chain.balance(chain.payer))
        throw new WalletRefusal('low-balance', 'The wallet does not hold so much')
      if (kind === 'late') clock.advance(topUpLastsMs + A_MINUTE_MS)
      const payment = { to, units: units.toString(), kind, at: clock.now().toISOString() }
      for (let i = 0; i < times; i++) sent.push({ ...payment, txid: send(payment) })
      kept.set(sent)
    },

    /** Lets a minute pass for the whole sandbox: what is in a block now is irreversible afterwards. */
    letMinutePass: () => clock.advance(A_MINUTE_MS),

    state: (): WalletState => ({
      address: chain.payer,
      balance: amountOf(chain.balance(chain.payer)),
      confirmationsRequired: SOLID_AFTER,
      aheadMs: clock.ahead(),
      payments: sent
        .slice(-SHOWN)
        .toReversed()
        .flatMap(({ txid, to, units, kind }) => {
          const found = chain.find(txid)
          if (!found) return []
          return {
            txid,
            to,
            amount: amountOf(BigInt(units)),
            kind,
            state: found.outcome !== 'SUCCESS' ? 'failed' : found.solid ? 'irreversible' : 'confirming',
            confirmations: Math.min(chain.head() - found.block, SOLID_AFTER),
            time: found.time.toISOString(),
          }
        }),
    }),
  }
}

function unitsOf(amount: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  return whole === undefined ? undefined : BigInt(whole + decimals.padEnd(DECIMALS, '0'))
}

function amountOf(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0{1,4}$/, '')
  return `${digits.slice(0, -DECIMALS)}.${decimals}`
}
