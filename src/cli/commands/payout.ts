import { Command, Option } from 'commander'
import {
  PAYOUT,
  PAYOUT_NAMES,
  PAYOUT_STATUSES,
  type Payout,
  type PayoutStatus,
} from '../../core/earnings/payout.ts'
import { toText } from '../../core/money.ts'
import { record } from '../../core/record.ts'
import { usdtText } from '../../core/usdt.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

const { updatedAt: _, ...printed } = PAYOUT
const PayoutRecord = record(printed, { names: PAYOUT_NAMES })

/** Payouts that one list shows. */
const LISTED = 100

/** `payout …`: earnings that agents want to be paid out (rules 13.6). */
export function payoutCommands(run: Run): Command[] {
  return [listCommand(run), paidCommand(run), refuseCommand(run)]
}

function listCommand(run: Run): Command {
  return new Command('list')
    .description('list the payouts that wait for a decision, oldest first')
    .addOption(
      new Option('--status <status>', 'the latest in this state instead')
        .choices(PAYOUT_STATUSES)
        .default('requested'),
    )
    .action(
      run(async (session, { status }: { status: PayoutStatus }) => {
        const { payouts } = (await session.core()).operator
        const { items, total } = await payouts.list({ status, pageSize: LISTED })
        return {
          data: { items: items.map(PayoutRecord.show), total },
          text:
            items.length === 0
              ? 'There are no such payouts'
              : table([HEADING, ...items.map((payout) => rowOfPayout(payout, session.currency))]),
          warnings: total > items.length ? [`${total - items.length} more are not listed`] : [],
        }
      }),
    )
}

function paidCommand(run: Run): Command {
  return new Command('paid')
    .description('note that a payout was paid; the agent is told')
    .argument('<number>', 'number of the payout')
    .argument('<txid>', 'transaction with which the USDT were sent')
    .action(
      run(async (session, payoutNo: string, txid: string) => {
        const { payouts } = (await session.core()).operator
        const payout = await payouts.paid(session.by, { payoutNo, txid })
        return {
          data: PayoutRecord.show(payout),
          text: `${payoutNo}: ${usdtText(payout.usdtUnits)} USDT paid to ${payout.username}`,
        }
      }),
    )
}

function refuseCommand(run: Run): Command {
  return new Command('refuse')
    .description('refuse a payout: the amount is available to the agent again, who is told')
    .argument('<number>', 'number of the payout')
    .requiredOption('--reason <text>', 'for the agent')
    .action(
      run(async (session, payoutNo: string, { reason }: { reason: string }) => {
        const { payouts } = (await session.core()).operator
        const payout = await payouts.refuse(session.by, { payoutNo, reason })
        const amount = `${toText(payout.amount)} ${session.currency}`
        return {
          data: PayoutRecord.show(payout),
          text: `${payoutNo}: refused, ${payout.username} has ${amount} back`,
        }
      }),
    )
}

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
