import { z } from 'zod'
import { toText } from '../core/money.ts'
import { record } from '../core/record.ts'
import type { NearTopUp } from '../core/top-ups/near-top-ups.ts'
import { TransferName, TransferNote } from '../core/top-ups/resolve-transfer.ts'
import { TOP_UP } from '../core/top-ups/top-up.ts'
import { type UnmatchedTransfer, UnmatchedTransferRecord } from '../core/top-ups/unmatched-transfers.ts'
import { usdtText } from '../core/usdt.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const txid = typed(
  TransferName,
  '<txid>',
  'transaction of the transfer; TXID:INDEX where it has several, NETWORK:TXID where several networks have it',
)
const note = typed(TransferNote.optional(), '--note <text>', 'why; kept with the transfer')

const { orderNo, username, status, creditAmount } = TOP_UP
const CreditedRecord = record({ orderNo, username, status, creditAmount, currency: z.string() })
const Resolved = z.object({ txid: z.string(), state: z.enum(['unmatched', 'ignored', 'refunded']) })

/** USDT that reached the wallet and paid no top-up (rules 10.9). */
export const paymentsActions = [
  action({
    name: 'payments list',
    summary: 'list the transfers that wait for a decision',
    answer: z.object({ items: UnmatchedTransferRecord.array().schema }),
    reads: true,
    async run({ core }) {
      const transfers = await core.operator.payments.list()
      return {
        data: { items: UnmatchedTransferRecord.array().show(transfers) },
        text:
          transfers.length === 0
            ? 'No transfer waits for a decision'
            : table([HEADING, ...transfers.map(rowOfTransfer)]),
      }
    },
  }),
  action({
    name: 'payments assign',
    summary: 'credit a transfer, whatever its amount, to the user of a top-up',
    input: { txid, orderNo: typed(z.string(), '<order>', 'number of the top-up'), note },
    answer: CreditedRecord.schema,
    refusals: {
      order_not_found: 'There is no top-up of this number: `topup list` shows those that there are',
    },
    async run({ core, by, currency }, input) {
      const topUp = await core.operator.payments.assign(by, input)
      return {
        data: CreditedRecord.show({ ...topUp, currency }),
        text: `${topUp.username} was credited; ${topUp.orderNo} has brought ${toText(topUp.creditAmount)} ${currency}`,
      }
    },
  }),
  action({
    name: 'payments ignore',
    summary: 'take a transfer out of the queue: it is nobody’s payment',
    input: { txid, note },
    answer: Resolved,
    async run({ core, by }, input) {
      await core.operator.payments.ignore(by, input)
      return { data: { txid: input.txid, state: 'ignored' as const }, text: `Ignored ${input.txid}` }
    },
  }),
  action({
    name: 'payments reopen',
    summary: 'put a transfer that was ignored back into the queue',
    input: { txid },
    answer: Resolved,
    refusals: { invalid_state: 'Nobody has ignored this transfer: `payments list` shows those that wait' },
    async run({ core, by }, { txid }) {
      await core.operator.payments.reopen(by, { txid })
      return { data: { txid, state: 'unmatched' as const }, text: `${txid} waits for a decision again` }
    },
  }),
  action({
    name: 'payments refund',
    summary: 'note that a transfer was sent back; the service itself holds no keys',
    input: {
      txid,
      note: typed(
        TransferNote.min(1),
        '--note <text>',
        'how it was sent back, such as the transaction of the refund',
      ),
    },
    answer: Resolved,
    async run({ core, by }, input) {
      await core.operator.payments.refund(by, input)
      return {
        data: { txid: input.txid, state: 'refunded' as const },
        text: `Noted as sent back: ${input.txid}`,
      }
    },
  }),
]

const HEADING = [
  'NETWORK',
  'TRANSACTION',
  'USDT',
  'FROM',
  'BLOCK TIME',
  'REASON',
  'CLAIMED FOR',
  'PERHAPS FOR',
]

function rowOfTransfer({
  network,
  txid,
  index,
  units,
  from,
  blockTime,
  reason,
  claims,
  near,
}: UnmatchedTransfer): string[] {
  const listed = (topUps: readonly NearTopUp[]) =>
    topUps.map(({ orderNo, username, payAmount }) => `${orderNo} (${username}, ${payAmount})`).join(', ') ||
    '-'
  return [
    network,
    `${txid}:${index}`,
    usdtText(BigInt(units)),
    from,
    blockTime,
    reason,
    listed(claims),
    listed(near),
  ]
}
