import { Command, Option } from 'commander'
import { wholeNumber } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import { PASSWORD_HELP, passwordFrom, passwordWarnings } from '../password.ts'
import type { Run } from '../run.ts'
import { type ContactOptions, withContactOptions } from './account-edit.ts'

interface Options extends ContactOptions {
  readonly password?: string
  readonly level?: number
  readonly funding?: 'transfer' | 'mint'
  readonly enable?: true
  readonly disable?: true
  readonly yes?: true
}

/** `agent edit NAME …`: changes the given fields of an agent. */
export function editAgentCommand(run: Run): Command {
  return withContactOptions(new Command('edit'))
    .description('change an agent; what is not named stays as it is')
    .argument('<name>', 'username of the agent')
    .option('--password <password>', `logs it out everywhere; ${PASSWORD_HELP}`)
    .option('--level <number>', 'price level, of its sub-users too', wholeNumber)
    .addOption(
      new Option('--funding <kind>', 'where the money for its sub-users comes from').choices([
        'transfer',
        'mint',
      ]),
    )
    .addOption(new Option('--enable', 'let it in again').conflicts('disable'))
    .option('--disable', 'keep it out from now on; its sub-users go on without it')
    .option('--yes', YES_HELP)
    .action(
      run(async (session, name: string, options: Options) => {
        const { password, level, funding, enable, disable, yes, ...contact } = options
        if (disable) await confirm(session, `Keep the agent ${name} out from now on?`, yes)
        const typed = password === undefined ? undefined : await passwordFrom(session, password)
        const core = await session.core()
        const id = await core.operator.editAgent(session.by, name, {
          password: typed,
          level,
          funding,
          ...contact,
          enabled: enable ? true : disable ? false : undefined,
        })
        return {
          data: { id, username: name },
          text: `Changed agent ${name}`,
          warnings: passwordWarnings(password),
        }
      }),
    )
}
