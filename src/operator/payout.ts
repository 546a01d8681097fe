import { z } from 'zod'
import { PayoutPayment, PayoutRefusal } from '../core/earnings/end-payout.ts'
import { PAYOUT, PAYOUT_NAMES, PAYOUT_STATUSES, type Payout } from '../core/earnings/payout.ts'
import { toText } from '../core/money.ts'
import { record } from '../core/record.ts'
import { usdtText } from '../core/usdt.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const { updatedAt: _, ...printed } = PAYOUT
const PayoutRecord = record(printed, { names: PAYOUT_NAMES })

/** Payouts that one list shows. */
const LISTED = 100

const payoutNo = typed(PayoutPayment.shape.payoutNo, '<number>', 'number of the payout')

/** Earnings that agents want to be paid out (rules 13.6). */
export const payoutActions = [
  action({
    name: 'payout list',
    summary: 'list the payouts that wait for a decision, oldest first',
    input: {
      status: typed(
        z.enum(PAYOUT_STATUSES).default('requested'),
        '--status <status>',
        'the latest in this state instead',
      ),
    },
    answer: z.object({ items: PayoutRecord.array().schema, total: z.int() }),
    reads: true,
    async run({ core, currency }, { status }) {
      const { items, total } = await core.operator.payouts.list({ status, pageSize: LISTED })
      return {
        data: { items: PayoutRecord.array().show(items), total },
        text:
          items.length === 0
            ? 'There are no such payouts'
            : table([HEADING, ...items.map((payout) => rowOfPayout(payout, currency))]),
        warnings: total > items.length ? [`${total - items.length} more are not listed`] : [],
      }
    },
  }),
  action({
    name: 'payout paid',
    summary: 'note that a payout was paid; the agent is told',
    input: {
      payoutNo,
      txid: typed(PayoutPayment.shape.txid, '<txid>', 'transaction with which the USDT were sent'),
    },
    answer: PayoutRecord.schema,
    async run({ core, by }, input) {
      const payout = await core.operator.payouts.paid(by, input)
      return {
        data: PayoutRecord.show(payout),
        text: `${payout.payoutNo}: ${usdtText(payout.usdtUnits)} USDT paid to ${payout.username}`,
      }
    },
  }),
  action({
    name: 'payout refuse',
    summary: 'refuse a payout: the amount is available to the agent again, who is told',
    input: { payoutNo, reason: typed(PayoutRefusal.shape.reason, '--reason <text>', 'for the agent') },
    answer: PayoutRecord.schema,
    async run({ core, by, currency }, input) {
      const payout = await core.operator.payouts.refuse(by, input)
      return {
        data: PayoutRecord.show(payout),
        text: `${payout.payoutNo}: refused, ${payout.username} has ${toText(payout.amount)} ${currency} back`,
      }
    },
  }),
]

const HEADING = ['NUMBER', 'AGENT', 'AMOUNT', 'USDT', 'ADDRESS', 'STATUS', 'SINCE']

function rowOfPayout(payout: Payout, currency: string): string[] {
  const { payoutNo, username, amount, usdtUnits, address, status, createdAt } = payout
  return [
    payoutNo,
    username,
    `${toText(amount)} ${currency}`,
    usdtText(usdtUnits),
    address,
    status,
    createdAt.slice(0, 16).replace('T', ' '),
  ]
}
