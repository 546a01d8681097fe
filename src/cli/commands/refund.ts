import { Command } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import { amount } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { NOT_OF_THE_ORDER } from './order.ts'
import { counted } from '../../operator/table.ts'

interface Options {
  readonly instances?: readonly string[]
  readonly amount?: number
  readonly release?: boolean
  readonly reason: string
  readonly yes?: true
}

/** `refund ORDER`: gives back what was paid for an order, or a part of it (rules 4.10). */
export function refundCommand(run: Run): Command {
  return new Command('refund')
    .description('give back what was paid for an order, or a part of it; the customer is told')
    .argument('<order>', 'number of an order of proxies or of traffic')
    .option('--instances <numbers...>', 'numbers of proxies; by default the whole order')
    .option('--amount <amount>', 'how much; by default everything that was not given back yet', amount)
    .option('--release', 'end the proxies, too; by default they run on')
    .requiredOption('--reason <text>', 'why; the customer reads it')
    .option('--yes', YES_HELP)
    .action(
      run(
        async (session, orderNo: string, { yes, release = false, ...wanted }: Options) => {
          const { operator } = await session.core()
          const scope = { orderNo, ...(wanted.instances && { instances: [...wanted.instances] }) }
          const { most, username, active } = await operator.orders.quoteRefund(scope)
          const money = (micros: number) => `${toText(micros)} ${session.currency}`
          const much = wanted.amount === undefined ? money(most) : `${wanted.amount} of ${money(most)}`
          const ends = release && active > 0 ? ` and end ${counted(active, 'proxy', 'proxies')}` : ''
          await confirm(session, `Give ${much} back to ${username}${ends}?`, yes)
          const { reason, amount: some } = wanted
          const done = await operator.orders.refund(session.by, { ...scope, amount: some, release, reason })
          return {
            data: {
              refund_no: done.refundNo,
              order_no: orderNo,
              username: done.username,
              amount: toNumber(done.amount),
              balance: toNumber(done.balance),
              released_instances: done.released,
            },
            text: `Gave ${money(done.amount)} back to ${done.username} (${done.refundNo}); balance ${money(done.balance)}${
              done.released.length > 0 ? `; ended ${counted(done.released.length, 'proxy', 'proxies')}` : ''
            }`,
          }
        },
        { instance_not_found: NOT_OF_THE_ORDER },
      ),
    )
}
