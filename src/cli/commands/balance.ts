import { Command } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import { amount } from '../arguments.ts'
import type { Run } from '../run.ts'

/** `balance NAME AMOUNT --remark TEXT`: adjusts the balance of any account. */
export function balanceCommand(run: Run): Command {
  return new Command('balance')
    .description("adjust an account's balance")
    .argument('<name>', 'username of an agent or user')
    .argument('<amount>', 'what to add, such as 100 or -12.5', amount)
    .requiredOption('--remark <text>', 'why, 1-255 characters; kept with the entry')
    .option(
      '--paid',
      'the customer has paid for it (or was paid it) outside of the service: it counts for payouts',
      false,
    )
    .action(
      run(
        async (
          session,
          name: string,
          change: number,
          { remark, paid }: { remark: string; paid: boolean },
        ) => {
          const core = await session.core()
          const adjustment = { username: name, amount: change, remark, paid }
          const done = await core.operator.adjustBalance(session.by, adjustment)
          const money = (micros: number) => `${toText(micros)} ${session.currency}`
          return {
            data: {
              username: done.username,
              amount: toNumber(done.amount),
              old_balance: toNumber(done.oldBalance),
              new_balance: toNumber(done.newBalance),
              currency: session.currency,
              transaction_no: done.transactionNo,
              remark,
              paid,
            },
            text: `Balance of ${done.username}: ${money(done.oldBalance)} -> ${money(done.newBalance)} (${done.transactionNo})`,
          }
        },
      ),
    )
}
