import { z } from 'zod'
import { type Held, record } from '../../core/record.ts'
import { CHECKED, type CheckedTopUp } from '../../core/top-ups/check-top-up.ts'
import { OFFERED_TRANSFER } from '../../core/top-ups/offered-transfers.ts'
import { TOP_UP } from '../../core/top-ups/top-up.ts'
import type { Core } from '../../core/core.ts'
import { usdtText } from '../../core/usdt.ts'
import { toNumber } from '../../core/money.ts'

/** Blocks after which a payment is irreversible. */
export const CONFIRMATIONS = 19
const Address = z.string().meta({ description: 'TRON address, base58' })
// The document names the one network that there is in a shop without settings for others.
const Network = z.string().meta({ const: 'TRC20' })
const Usdt = z.string().meta({ description: 'USDT, at most 6 decimals' })

/** Where and on which terms USDT is taken (rules 8.2). */
export const WalletInfo = z
  .strictObject({
    address: Address.nullable().meta({ description: 'The receiving wallet; null when top-ups are off' }),
    network: Network,
    currency: z.literal('USDT'),
    contract_address: Address.nullable(),
    decimals: z.number().meta({ const: 6 }),
    exchange_rate: TOP_UP.rate.schema.nullable(),
    balance_currency: z.string(),
    min_amount: Usdt.nullable(),
    max_amount: Usdt.nullable(),
    expire_minutes: z.number().nullable(),
    confirmations_required: z.int(),
    qr_content: z.string().nullable().meta({ description: 'The bare address' }),
    enabled: z.boolean(),
  })
  .meta({ id: 'WalletInfo' })

/** Describes the usual network; what it is when none is open. */
export async function walletInfoOf({ topUps, currency }: Core): Promise<z.infer<typeof WalletInfo>> {
  const {
    terms,
    scanners: [scanner],
  } = topUps
  const { network, wallet, contract } = scanner?.open ?? { network: topUps.networks[0] }
  return {
    address: wallet ?? null,
    network: network?.id ?? 'TRC20',
    currency: 'USDT',
    contract_address: contract ?? null,
    decimals: network?.decimals ?? 6,
    exchange_rate: terms ? toNumber(terms.rate) : null,
    balance_currency: currency,
    min_amount: terms ? usdtText(terms.min) : null,
    max_amount: terms ? usdtText(terms.max) : null,
    expire_minutes: terms ? terms.expireMs / 60_000 : null,
    confirmations_required: network?.confirmations ?? CONFIRMATIONS,
    qr_content: wallet === undefined || !network ? null : network.qrContent(wallet),
    enabled: await topUps.enabled(),
  }
}

const { orderNo, clientOrderNo, userId, username, amount, payAmount, ...ofPayment } = TOP_UP
const { network: _, wallet: _wallet, contract: _contract, ...others } = ofPayment
const { paidAt, cancelledAt, updatedAt, ...payment } = others
const fields = {
  orderNo,
  number: orderNo,
  clientOrderNo,
  userId,
  username,
  amount,
  payAmount,
  currency: z.literal('USDT'),
  network: Network,
  wallet: Address,
  contract: Address,
  qrContent: z.string().meta({ description: 'The bare address' }),
  ...payment,
  fromAddress: Address.nullable().meta({ description: 'Who paid, once the payment is irreversible' }),
  expiresIn: z.int().meta({ description: 'Seconds until then; 0 when it is over' }),
  paidAt,
  cancelledAt,
  updatedAt,
}
const names = {
  number: 'orderNo',
  wallet: 'address',
  contract: 'contract_address',
  rate: 'exchange_rate',
  txid: 'tx_hash',
} as const

/** A top-up (rules 8.6). */
export const TopUpRecord = record(fields, { id: 'TopUp', names })

/** Adds what is shown and not held. */
function withRest<Of extends Held<typeof TOP_UP>>(topUp: Of, now: Date) {
  const expiresIn = Math.max(Math.ceil((Date.parse(topUp.expiresAt) - now.getTime()) / 1000), 0)
  const rest = { number: topUp.orderNo, currency: 'USDT', qrContent: topUp.wallet } as const
  return { ...topUp, ...rest, expiresIn }
}

/** @param now for the seconds that are left */
export function toTopUp(topUp: Held<typeof TOP_UP>, now: Date) {
  return TopUpRecord.show(withRest(topUp, now))
}

const Offered = record(
  {
    ...OFFERED_TRANSFER,
    from: Address,
    claimed: z.boolean().meta({ description: 'Whether `claimTransfer` was called for it: the shop decides' }),
  },
  {
    id: 'OfferedTransfer',
    names: { txid: 'tx_hash', index: 'log_index', from: 'from_address', units: 'amount' },
  },
)

/** What check-status answers: the top-up, and how far the chain was read. */
export const CheckedTopUpRecord = record(
  {
    ...fields,
    ...CHECKED,
    confirmations: CHECKED.confirmations.meta({
      description: `Blocks on the payment; ${CONFIRMATIONS} make it irreversible`,
    }),
    offered: Offered.nullable().meta({
      description:
        'While it is not paid: a transfer of a similar amount that paid no top-up, such as the amount without its tail. If it is the ' +
        'payment for this one, `claimTransfer` says so',
    }),
  },
  { id: 'CheckedTopUp', names: { ...names, offered: 'offered_transfer' } },
)

export function toCheckedTopUp({ offered, ...topUp }: CheckedTopUp, now: Date) {
  return CheckedTopUpRecord.show({
    ...withRest(topUp, now),
    offered: offered ? { ...offered, claimed: offered.claimedAt !== null } : null,
  })
}

const CREATED = '2026-11-21T17:57:00.123Z'

export const topUpExample = toTopUp(
  {
    orderNo: 'U20261121175700123Q2W3E4R5',
    clientOrderNo: 'MY-0003',
    userId: 1,
    username: 'agent',
    amount: 100_000_000,
    payAmount: 100_003_700,
    network: 'TRC20',
    wallet: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    rate: 1_000_000,
    creditAmount: 100_003_700,
    status: 'pending',
    txid: null,
    fromAddress: null,
    paidAmount: null,
    late: false,
    createdAt: CREATED,
    expiresAt: '2026-11-21T18:27:00.123Z',
    paidAt: null,
    cancelledAt: null,
    updatedAt: CREATED,
  },
  new Date(CREATED),
)
