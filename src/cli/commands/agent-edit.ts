import { Command, Option } from 'commander'
import { wholeNumber } from '../arguments.ts'
import { PASSWORD_HELP, passwordFrom } from '../password.ts'
import type { Run } from '../run.ts'

interface Options {
  readonly password?: string
  readonly level?: number
  readonly enable?: true
  readonly disable?: true
}

/** `agent edit NAME …`: changes what is named, and nothing else. */
export function editAgentCommand(run: Run): Command {
  return new Command('edit')
    .description('change an agent; what is not named stays as it is')
    .argument('<name>', 'username of the agent')
    .option('--password <password>', `logs it out everywhere; ${PASSWORD_HELP}`)
    .option('--level <number>', 'price level, of its sub-users too', wholeNumber)
    .addOption(new Option('--enable', 'let it in again').conflicts('disable'))
    .option('--disable', 'keep it out from now on; its sub-users go on without it')
    .action(
      run(async (session, name: string, { password, level, enable, disable }: Options) => {
        const typed = password === undefined ? undefined : await passwordFrom(session, password)
        const core = await session.core()
        const id = await core.operator.editAgent(name, {
          password: typed,
          level,
          enabled: enable ? true : disable ? false : undefined,
        })
        return { data: { id, username: name }, text: `Changed agent ${name}` }
      }),
    )
}
