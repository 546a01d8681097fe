import { Command } from 'commander'
import { toNumber, toText } from '../../core/money.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

interface Options {
  readonly reason?: string
  readonly yes?: true
}

/** `agent clear NAME`: takes back what deleted sub-users of an agent with the funding `mint` have left (rules 2.14). */
export function clearAgentCommand(run: Run): Command {
  return new Command('clear')
    .description('take back what deleted sub-users of an agent have left; without --reason, show it only')
    .argument('<name>', 'username of the agent')
    .option('--reason <text>', 'why, 1-255 characters; kept in the trail and with each entry')
    .option('--yes', YES_HELP)
    .action(
      run(async (session, username: string, { reason, yes }: Options) => {
        const { operator } = await session.core()
        const left = await operator.leftWithDeleted(username)
        const preview = answer(left, false)
        if (reason === undefined || left.length === 0) return preview
        await confirm(session, `${preview.text}\nTake it back?`, yes)
        return answer(await operator.clearDeleted(session.by, { username, reason }), true)

        function answer(users: typeof left, cleared: boolean) {
          const total = users.reduce((sum, { balance }) => sum + balance, 0)
          const whole = `${toText(total)} ${session.currency}`
          const whose = counted(users.length, 'deleted sub-user', 'deleted sub-users')
          return {
            data: {
              username,
              cleared,
              total: toNumber(total),
              items: users.map(({ balance, ...user }) => ({ ...user, balance: toNumber(balance) })),
            },
            text:
              users.length === 0
                ? `Deleted sub-users of ${username} have nothing left`
                : cleared
                  ? `Took ${whole} back from ${whose} of ${username}`
                  : table([
                      ['NAME', 'ID', 'BALANCE'],
                      ...users.map((user) => [user.username, String(user.id), toText(user.balance)]),
                      ['', '', whole],
                    ]),
          }
        }
      }),
    )
}
