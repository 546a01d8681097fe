import { Command } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import type { NearTopUp } from '../../core/top-ups/near-top-ups.ts'
import { type UnmatchedTransfer, UnmatchedTransferRecord } from '../../core/top-ups/unmatched-transfers.ts'
import { usdtText } from '../../core/usdt.ts'
import type { Run } from '../run.ts'
import { table } from '../table.ts'

const TXID =
  'transaction of the transfer; TXID:INDEX where it has several, NETWORK:TXID where several networks have it'

/** `payments …`: USDT that reached the wallet and paid no top-up (rules 10.9). */
export function paymentsCommands(run: Run): Command[] {
  return [listCommand(run), assignCommand(run), ignoreCommand(run), reopenCommand(run), refundCommand(run)]
}

function listCommand(run: Run): Command {
  return new Command('list').description('list the transfers that wait for a decision').action(
    run(async (session) => {
      const transfers = await (await session.core()).operator.payments.list()
      return {
        data: { items: UnmatchedTransferRecord.array().show(transfers) },
        text:
          transfers.length === 0
            ? 'No transfer waits for a decision'
            : table([HEADING, ...transfers.map(rowOfTransfer)]),
      }
    }),
  )
}

function assignCommand(run: Run): Command {
  return new Command('assign')
    .description('credit a transfer, whatever its amount, to the user of a top-up')
    .argument('<txid>', TXID)
    .argument('<order>', 'number of the top-up')
    .option('--note <text>', 'why; kept with the transfer')
    .action(
      run(
        async (session, txid: string, orderNo: string, { note }: { note?: string }) => {
          const core = await session.core()
          const topUp = await core.operator.payments.assign(session.by, {
            txid,
            orderNo,
            ...(note !== undefined && { note }),
          })
          return {
            data: {
              order_no: orderNo,
              username: topUp.username,
              status: topUp.status,
              credit_amount: toNumber(topUp.creditAmount),
              currency: session.currency,
            },
            text: `${topUp.username} was credited; ${orderNo} has brought ${toText(topUp.creditAmount)} ${session.currency}`,
          }
        },
        { order_not_found: 'There is no top-up of this number: `topup list` shows those that there are' },
      ),
    )
}

function ignoreCommand(run: Run): Command {
  return new Command('ignore')
    .description('take a transfer out of the queue: it is nobody’s payment')
    .argument('<txid>', TXID)
    .option('--note <text>', 'why; kept with the transfer')
    .action(
      run(async (session, txid: string, { note }: { note?: string }) => {
        await (
          await session.core()
        ).operator.payments.ignore(session.by, { txid, ...(note !== undefined && { note }) })
        return { data: { txid, state: 'ignored' }, text: `Ignored ${txid}` }
      }),
    )
}

function reopenCommand(run: Run): Command {
  return new Command('reopen')
    .description('put a transfer that was ignored back into the queue')
    .argument('<txid>', TXID)
    .action(
      run(
        async (session, txid: string) => {
          await (await session.core()).operator.payments.reopen(session.by, { txid })
          return { data: { txid, state: 'unmatched' }, text: `${txid} waits for a decision again` }
        },
        { invalid_state: 'Nobody has ignored this transfer: `payments list` shows those that wait' },
      ),
    )
}

function refundCommand(run: Run): Command {
  return new Command('refund')
    .description('note that a transfer was sent back; the service itself holds no keys')
    .argument('<txid>', TXID)
    .requiredOption('--note <text>', 'how it was sent back, such as the transaction of the refund')
    .action(
      run(async (session, txid: string, { note }: { note: string }) => {
        await (await session.core()).operator.payments.refund(session.by, { txid, note })
        return { data: { txid, state: 'refunded' }, text: `Noted as sent back: ${txid}` }
      }),
    )
}

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
