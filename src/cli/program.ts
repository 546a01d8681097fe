import { Command } from 'commander'
import { editAccountCommand } from './commands/account-edit.ts'
import { clearAgentCommand } from './commands/agent-clear.ts'
import { createAgentCommand } from './commands/agent-create.ts'
import { editAgentCommand } from './commands/agent-edit.ts'
import { listAgentsCommand } from './commands/agent-list.ts'
import { backupCommand } from './commands/backup.ts'
import { backupsCommands } from './commands/backups.ts'
import { balanceCommand } from './commands/balance.ts'
import { gatewayTokenCommand } from './commands/gateway-token.ts'
import { personCommands } from './commands/person.ts'
import { trailCommand } from './commands/trail.ts'
import { paymentsCommands } from './commands/payments.ts'
import { payoutCommands } from './commands/payout.ts'
import { addProductCommand } from './commands/product-add.ts'
import { customerChangeCommands } from './commands/customer-change.ts'
import { customerCommands } from './commands/customer.ts'
import { findCommand } from './commands/find.ts'
import { orderCommands } from './commands/order.ts'
import { listTopUpsCommand } from './commands/top-up.ts'
import { checkCommand } from './commands/check.ts'
import { copyCommand } from './commands/copy.ts'
import { currencyCommand } from './commands/currency.ts'
import { editProductCommand } from './commands/product-edit.ts'
import { listProductsCommand } from './commands/product-list.ts'
import type { DriverKinds } from '../core/supply/driver.ts'
import { refundCommand } from './commands/refund.ts'
import { sessionCommands } from './commands/session.ts'
import { replaceCommand, replacementsCommand } from './commands/replacements.ts'
import { jobsCommands } from './commands/jobs.ts'
import { setupCommand } from './commands/setup.ts'
import { exitActions } from '../operator/exit.ts'
import { promoActions } from '../operator/promo.ts'
import { supplierActions } from '../operator/supplier.ts'
import { auditAction } from '../operator/audit.ts'
import { gatewayActions } from '../operator/gateway.ts'
import { priceActions } from '../operator/price.ts'
import { profitAction } from '../operator/profit.ts'
import { stockActions } from '../operator/stock.ts'
import { importUsageAction } from '../operator/usage.ts'
import { productVersion } from '../product-version.ts'
import { commandOf, commandsOf } from './action-command.ts'
import { createRun, type Host } from './run.ts'

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
    .option('--server <url>', 'ask the service at this address instead of the database here; see log-in')
    .addCommand(
      group(
        'agent',
        'agents',
        createAgentCommand(run),
        editAgentCommand(run),
        listAgentsCommand(run),
        clearAgentCommand(run),
      ),
    )
    .addCommand(group('account', 'agents and users', editAccountCommand(run)))
    .addCommand(findCommand(run))
    .addCommand(group('customer', 'customers', ...customerCommands(run), ...customerChangeCommands(run)))
    .addCommand(group('order', 'orders of customers', ...orderCommands(run)))
    .addCommand(group('topup', 'top-ups by USDT', listTopUpsCommand(run)))
    .addCommand(balanceCommand(run))
    .addCommand(
      group(
        'product',
        'catalogue',
        addProductCommand(run),
        editProductCommand(run),
        listProductsCommand(run),
      ),
    )
    .addCommand(group('price', 'prices', ...commandsOf(run, priceActions)))
    .addCommand(group('promo', 'promotion codes', ...commandsOf(run, promoActions)))
    .addCommand(group('stock', 'proxies for sale', ...commandsOf(run, stockActions)))
    .addCommand(group('usage', 'traffic that the gateway reports', commandOf(run, importUsageAction)))
    .addCommand(group('payments', 'USDT that paid no top-up', ...paymentsCommands(run)))
    .addCommand(group('payout', 'what agents have earned, and want paid out', ...payoutCommands(run)))
    .addCommand(
      group('supplier', 'suppliers at which proxies are bought', ...commandsOf(run, supplierActions)),
    )
    .addCommand(group('exit', 'where dynamic traffic leaves', ...commandsOf(run, exitActions)))
    .addCommand(
      group(
        'gateway',
        'the gateway for dynamic traffic',
        gatewayTokenCommand(run),
        ...commandsOf(run, gatewayActions),
      ),
    )
    .addCommand(group('person', 'those who run the shop', ...personCommands(run)))
    .addCommand(trailCommand(run))
    .addCommand(commandOf(run, profitAction))
    .addCommand(checkCommand(run))
    .addCommand(replacementsCommand(run))
    .addCommand(replaceCommand(run))
    .addCommand(refundCommand(run))
    .addCommand(group('jobs', 'background work that is not done yet', ...jobsCommands(run)))
    .addCommand(currencyCommand(run))
    .addCommand(setupCommand(run))
    .addCommand(commandOf(run, auditAction))
    .addCommand(copyCommand(run))
    .addCommand(withSubcommands(backupCommand(run), backupsCommands(run)))
  for (const command of sessionCommands(run)) program.addCommand(command)
  for (const command of withDescendants(program)) {
    command
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      // Errors of usage are printed by the caller of parseAsync.
      .configureOutput({ outputError: () => {} })
  }
  return program
}

function group(name: string, description: string, ...commands: Command[]): Command {
  return withSubcommands(new Command(name).description(description), commands)
}

function withSubcommands(parent: Command, commands: readonly Command[]): Command {
  for (const command of commands) parent.addCommand(command)
  return parent
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)]
}
