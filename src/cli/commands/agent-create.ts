import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Command, Option } from 'commander'
import { fromNumber, toText } from '../../core/money.ts'
import { amount, wholeNumber } from '../arguments.ts'
import { Refusal } from '../refusal.ts'
import type { Run, Session } from '../run.ts'

interface Options {
  readonly password: string
  readonly level: number
  readonly balance: number
  readonly funding: 'transfer' | 'mint'
}

/** `agent create NAME --password P`: an agent account. */
export function createAgentCommand(run: Run): Command {
  return new Command('create')
    .description('create an agent account')
    .argument('<name>', '3-50 characters')
    .requiredOption(
      '--password <password>',
      '6-50 characters; "-" asks for it, or reads it from standard input, past the shell history',
    )
    .option('--level <number>', 'price level', wholeNumber, 1)
    .option('--balance <amount>', 'initial balance', amount, 0)
    .addOption(
      new Option(
        '--funding <source>',
        'what sub-users get comes from the own balance (transfer) or from nowhere (mint)',
      )
        .choices(['transfer', 'mint'])
        .default('transfer'),
    )
    .action(
      run(async (session, name: string, { password, ...options }: Options) => {
        const typed = password === '-' ? await typedPassword(session) : password
        const core = await session.core('create')
        const { id, username } = await core.operator.createAgent({
          username: name,
          password: typed,
          ...options,
        })
        const balance = `${toText(fromNumber(options.balance) ?? 0)} ${session.currency}`
        return {
          data: { id, username, role: 'agent', ...options, currency: session.currency },
          text: `Created agent ${username} (id ${id}): level ${options.level}, balance ${balance}, funding ${options.funding}`,
        }
      }),
    )
}

/** Asks whoever sits at a terminal, and does not show there what is typed. */
async function typedPassword({ stdin, stderr }: Session): Promise<string> {
  const terminal = 'isTTY' in stdin && stdin.isTTY === true
  const lines = createInterface({
    input: stdin,
    output: terminal ? unseen() : undefined,
    terminal,
    crlfDelay: Infinity,
  })
  // With a terminal, Ctrl-C is a key like others.
  lines.once('SIGINT', () => lines.close())
  if (terminal) stderr.write('Password: ')
  try {
    for await (const line of lines) return line
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
  throw new Refusal('validation_error', 'There was no password on standard input')
}

function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
