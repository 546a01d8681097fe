import { Command, Option } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import { TOP_UP_STATUSES, type TopUpStatus } from '../../core/top-ups/top-up.ts'
import { usdtText } from '../../core/usdt.ts'
import { wholeNumber } from '../arguments.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

interface Options {
  readonly user?: string
  readonly status?: TopUpStatus
  readonly page: number
}

/** `topup list [--user NAME]`: top-ups by USDT, of everybody or of one account. */
export function listTopUpsCommand(run: Run): Command {
  return new Command('list')
    .description('list top-ups by USDT, newest first')
    .option('--user <name>', 'only those of this account')
    .addOption(new Option('--status <status>', 'only those in this state').choices(TOP_UP_STATUSES))
    .option('--page <number>', 'of 50 each', wholeNumber, 1)
    .action(
      run(async (session, { user, status, page }: Options) => {
        const { operator } = await session.core()
        const wanted = { page, pageSize: 50, ...(status && { status }) }
        const { items, total } = await (user === undefined
          ? operator.listTopUps(wanted)
          : operator.customers.topUps(user, wanted))
        return {
          data: {
            total,
            items: items.map((topUp) => ({
              order_no: topUp.orderNo,
              username: topUp.username,
              status: topUp.status,
              pay_amount: usdtText(topUp.payAmount),
              credit_amount: toNumber(topUp.creditAmount),
              txid: topUp.txid,
              created_at: topUp.createdAt,
            })),
          },
          text:
            items.length === 0
              ? 'There are no top-ups'
              : table([
                  ['NUMBER', 'USER', 'STATUS', 'USDT', 'CREDIT', 'CREATED'],
                  ...items.map((topUp) => [
                    topUp.orderNo,
                    topUp.username,
                    topUp.status,
                    usdtText(topUp.payAmount),
                    toText(topUp.creditAmount),
                    topUp.createdAt,
                  ]),
                ]),
        }
      }),
    )
}
