import { Command } from 'commander'
import type { Run } from '../run.ts'

/** Options for contact details, which all commands that edit accounts have. */
export interface ContactOptions {
  readonly email?: string
  readonly phone?: string
  readonly remark?: string
}

export function withContactOptions(command: Command): Command {
  return command
    .option('--email <address>', 'e-mail address; "" for none')
    .option('--phone <digits>', 'phone number; "" for none')
    .option('--remark <text>', 'what is to be remembered of it; "" for nothing')
}

/** `account edit NAME …`: changes the contact details of any account. */
export function editAccountCommand(run: Run): Command {
  return withContactOptions(new Command('edit'))
    .description('change e-mail address, phone number or remark of an agent or user')
    .argument('<name>', 'username')
    .action(
      run(async (session, name: string, options: ContactOptions) => {
        const id = await (await session.core()).operator.editContact(session.by, name, options)
        return { data: { id, username: name }, text: `Changed account ${name}` }
      }),
    )
}
