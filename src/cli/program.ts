import { Command } from 'commander'
import type { DriverKinds } from '../core/supply/driver.ts'
import { ACTIONS } from '../operator/index.ts'
import { TOPICS } from '../operator/topics.ts'
import { productVersion } from '../product-version.ts'
import { commandOf } from './action-command.ts'
import { backupCommand } from './commands/backup.ts'
import { backupsCommands } from './commands/backups.ts'
import { copyCommand } from './commands/copy.ts'
import { currencyCommand } from './commands/currency.ts'
import { gatewayTokenCommand } from './commands/gateway-token.ts'
import { logInCommand, logOutCommand, webLinkCommand } from './commands/session.ts'
import { setupCommand } from './commands/setup.ts'
import { createRun, type Host, type Run } from './run.ts'

/**
 * Creates the operator's command line (rules 10.1). Wrong usage throws commander's CommanderError.
 *
 * @param drivers the kinds of suppliers; all by default
 */
export function createProgram(host: Host, drivers?: Partial<DriverKinds>): Command {
  const program = new Command('operator')
  const run = createRun(host, () => program.opts<{ json?: true; as?: string; server?: string }>(), drivers)
  program
    .description('Commands of the operator, on the database of DATABASE_URL, server running or not')
    .version(productVersion(), '--version', 'print the version of the product')
    .option('--json', 'print one JSON document, on refusal { error, message, data }')
    .option('--as <person>', 'act as this person, with the permissions of the role; otherwise as the owner')
    .option('--server <url>', 'ask the service at this address, instead of the database here: see log-in')
  for (const action of ACTIONS) groupOf(program, action.name).addCommand(commandOf(run, action))
  for (const [name, command] of commandsOfThisMachine(run)) groupOf(program, name).addCommand(command)
  for (const command of withDescendants(program)) {
    command
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      // Errors of usage are printed by the caller of parseAsync.
      .configureOutput({ outputError: () => {} })
  }
  return program
}

/** Commands that need the machine of the service, or the one of the person. */
function commandsOfThisMachine(run: Run): [name: string, command: Command][] {
  const backup = backupCommand(run)
  for (const command of backupsCommands(run)) backup.addCommand(command)
  return [
    ['gateway token', gatewayTokenCommand(run)],
    ['person web-link', webLinkCommand(run)],
    ['currency', currencyCommand(run)],
    ['setup', setupCommand(run)],
    ['copy', copyCommand(run)],
    ['backup', backup],
    ['log-in', logInCommand(run)],
    ['log-out', logOutCommand(run)],
  ]
}

/** Returns what the command of this name is added to: the group of its first word, or the program itself. */
function groupOf(program: Command, name: string): Command {
  const [topic = '', ...rest] = name.split(' ')
  if (rest.length === 0) return program
  const known = program.commands.find((command) => command.name() === topic)
  if (known) return known
  const group = new Command(topic).description(TOPICS[topic] ?? '')
  program.addCommand(group)
  return group
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)]
}
