import { Command, Option } from 'commander'
import { fromNumber, toText } from '../../core/money.ts'
import { amount, wholeNumber } from '../arguments.ts'
import { PASSWORD_HELP, passwordFrom, passwordWarnings } from '../password.ts'
import type { Run } from '../run.ts'

interface Options {
  readonly password: string
  readonly level: number
  readonly balance: number
  readonly funding: 'transfer' | 'mint'
}

/** `agent create NAME --password P`: creates an agent account. */
export function createAgentCommand(run: Run): Command {
  return new Command('create')
    .description('create an agent account')
    .argument('<name>', '3-50 characters')
    .requiredOption('--password <password>', PASSWORD_HELP)
    .option('--level <number>', 'price level', wholeNumber, 1)
    .option('--balance <amount>', 'initial balance', amount, 0)
    .addOption(
      new Option(
        '--funding <source>',
        "where the balance of sub-users comes from: the agent's own balance (transfer), or newly created (mint)",
      )
        .choices(['transfer', 'mint'])
        .default('transfer'),
    )
    .action(
      run(async (session, name: string, { password, ...options }: Options) => {
        const typed = await passwordFrom(session, password)
        const core = await session.core('create')
        const { id, username } = await core.operator.createAgent(session.by, {
          username: name,
          password: typed,
          ...options,
        })
        const balance = `${toText(fromNumber(options.balance) ?? 0)} ${session.currency}`
        return {
          data: { id, username, role: 'agent', ...options, currency: session.currency },
          text: `Created agent ${username} (id ${id}): level ${options.level}, balance ${balance}, funding ${options.funding}`,
          warnings: passwordWarnings(password),
        }
      }),
    )
}
