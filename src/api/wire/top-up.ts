import { z } from 'zod'
import type { CheckedTopUp } from '../../core/top-ups/check-top-up.ts'
import type { OfferedTransfer } from '../../core/top-ups/offered-transfers.ts'
import { TOP_UP_STATUSES, type TopUp } from '../../core/top-ups/top-up.ts'
import { CONFIRMATIONS, type TopUpTerms } from '../../core/top-ups/top-up-terms.ts'
import { usdtText } from '../../core/usdt.ts'
import { Money, money, Time } from './fields.ts'

const Usdt = z.string().meta({ description: 'USDT, at most 6 decimals' })
const Rate = z.number().meta({ description: 'Account currency per USDT' })
const Address = z.string().meta({ description: 'TRON address, base58' })

/** Where and on which terms USDT is taken (rules 8.2). */
export const WalletInfo = z
  .strictObject({
    address: Address.nullable().meta({ description: 'The receiving wallet; null when top-ups are off' }),
    network: z.literal('TRC20'),
    currency: z.literal('USDT'),
    contract_address: Address.nullable(),
    decimals: z.literal(6),
    exchange_rate: Rate.nullable(),
    balance_currency: z.string(),
    min_amount: Usdt.nullable(),
    max_amount: Usdt.nullable(),
    expire_minutes: z.number().nullable(),
    confirmations_required: z.int(),
    qr_content: z.string().nullable().meta({ description: 'The bare address' }),
    enabled: z.boolean(),
  })
  .meta({ id: 'WalletInfo' })

export function toWalletInfo(
  terms: TopUpTerms | undefined,
  enabled: boolean,
  balanceCurrency: string,
): z.infer<typeof WalletInfo> {
  return {
    address: terms?.wallet ?? null,
    network: 'TRC20',
    currency: 'USDT',
    contract_address: terms?.contract ?? null,
    decimals: 6,
    exchange_rate: terms ? money(terms.rate) : null,
    balance_currency: balanceCurrency,
    min_amount: terms ? usdtText(terms.min) : null,
    max_amount: terms ? usdtText(terms.max) : null,
    expire_minutes: terms ? terms.expireMs / 60_000 : null,
    confirmations_required: CONFIRMATIONS,
    qr_content: terms?.wallet ?? null,
    enabled,
  }
}

/** A top-up (rules 8.6). */
export const TopUpRecord = z
  .strictObject({
    order_no: z.string(),
    orderNo: z.string(),
    client_order_no: z.string().nullable(),
    user_id: z.int(),
    username: z.string(),
    amount: Usdt.meta({ description: 'USDT that was asked for' }),
    pay_amount: Usdt.meta({
      description: 'USDT that must arrive, exactly: the tail tells this payment from all others',
    }),
    currency: z.literal('USDT'),
    network: z.literal('TRC20'),
    address: Address,
    contract_address: Address,
    qr_content: z.string().meta({ description: 'The bare address' }),
    exchange_rate: Rate,
    credit_amount: Money.meta({ description: 'What the payment adds, or has added, to the balance' }),
    status: z
      .enum(TOP_UP_STATUSES)
      .meta({ description: '`confirming`: the payment was seen; `paid`: it is irreversible and credited' }),
    tx_hash: z.string().nullable().meta({ description: 'Of the payment, as soon as it was seen' }),
    from_address: Address.nullable().meta({ description: 'Who paid, once the payment is irreversible' }),
    paid_amount: Usdt.nullable().meta({ description: 'USDT received' }),
    late: z.boolean().meta({ description: 'Paid after the expiry or the cancellation' }),
    created_at: Time,
    expires_at: Time,
    expires_in: z.int().meta({ description: 'Seconds until then; 0 when it is over' }),
    paid_at: Time.nullable(),
    cancelled_at: Time.nullable(),
    updated_at: Time,
  })
  .meta({ id: 'TopUp' })

/** @param now for the seconds that are left */
export function toTopUp(topUp: TopUp, now: Date): z.infer<typeof TopUpRecord> {
  const { orderNo, expiresAt, paidAmount } = topUp
  return {
    order_no: orderNo,
    orderNo,
    client_order_no: topUp.clientOrderNo,
    user_id: topUp.userId,
    username: topUp.username,
    amount: usdtText(topUp.amount),
    pay_amount: usdtText(topUp.payAmount),
    currency: 'USDT',
    network: 'TRC20',
    address: topUp.wallet,
    contract_address: topUp.contract,
    qr_content: topUp.wallet,
    exchange_rate: money(topUp.rate),
    credit_amount: money(topUp.creditAmount),
    status: topUp.status,
    tx_hash: topUp.txid,
    from_address: topUp.fromAddress,
    paid_amount: paidAmount === null ? null : usdtText(paidAmount),
    late: topUp.late,
    created_at: topUp.createdAt,
    expires_at: expiresAt,
    expires_in: Math.max(Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000), 0),
    paid_at: topUp.paidAt,
    cancelled_at: topUp.cancelledAt,
    updated_at: topUp.updatedAt,
  }
}

const Offered = z
  .strictObject({
    tx_hash: z.string().meta({ description: 'Id of its transaction' }),
    log_index: z.int().meta({ description: 'Position of the transfer among the events of its transaction' }),
    from_address: Address,
    amount: Usdt.meta({ description: 'USDT received' }),
    block_time: Time.meta({ description: 'Of the block it is in' }),
    claimed: z.boolean().meta({ description: 'Whether `claimTransfer` was called for it: the shop decides' }),
  })
  .meta({ id: 'OfferedTransfer' })

/** What check-status answers: the top-up, and how far the chain was read. */
export const CheckedTopUpRecord = TopUpRecord.extend({
  chain_checked_at: Time.nullable().meta({ description: 'When the chain was read last' }),
  chain_stale: z.boolean().meta({ description: 'The chain could not be read just now' }),
  confirmations: z
    .int()
    .meta({ description: `Blocks on the payment; ${CONFIRMATIONS} make it irreversible` }),
  balance: Money.meta({ description: 'Of the caller' }),
  offered_transfer: Offered.nullable().meta({
    description:
      'While it is not paid: a transfer of a similar amount that paid no top-up, such as the amount without its tail. If it is the ' +
      'payment for this one, `claimTransfer` says so',
  }),
}).meta({ id: 'CheckedTopUp' })

export function toCheckedTopUp(topUp: CheckedTopUp, now: Date): z.infer<typeof CheckedTopUpRecord> {
  return {
    ...toTopUp(topUp, now),
    chain_checked_at: topUp.chainCheckedAt,
    chain_stale: topUp.chainStale,
    confirmations: topUp.confirmations,
    balance: money(topUp.balance),
    offered_transfer: topUp.offered ? toOffered(topUp.offered) : null,
  }
}

function toOffered({
  txid,
  index,
  from,
  units,
  blockTime,
  claimedAt,
}: OfferedTransfer): z.infer<typeof Offered> {
  return {
    tx_hash: txid,
    log_index: index,
    from_address: from,
    amount: usdtText(units),
    block_time: blockTime,
    claimed: claimedAt !== null,
  }
}

export const topUpExample: z.infer<typeof TopUpRecord> = {
  order_no: 'U20261121175700123Q2W3E4R5',
  orderNo: 'U20261121175700123Q2W3E4R5',
  client_order_no: 'MY-0003',
  user_id: 1,
  username: 'agent',
  amount: '100.00',
  pay_amount: '100.0037',
  currency: 'USDT',
  network: 'TRC20',
  address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
  contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  qr_content: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
  exchange_rate: 1,
  credit_amount: 100.0037,
  status: 'pending',
  tx_hash: null,
  from_address: null,
  paid_amount: null,
  late: false,
  created_at: '2026-11-21T17:57:00.123Z',
  expires_at: '2026-11-21T18:27:00.123Z',
  expires_in: 1800,
  paid_at: null,
  cancelled_at: null,
  updated_at: '2026-11-21T17:57:00.123Z',
}
