import { Command } from 'commander'
import { auditCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { backupsCommands } from './commands/backups.ts'
import { exitCommands } from './commands/exit.ts'
import { gatewayCommands } from './commands/gateway.ts'
import { personCommands } from './commands/person.ts'
import { trailCommand } from './commands/trail.ts'
import { paymentsCommands } from './commands/payments.ts'
import { payoutCommands } from './commands/payout.ts'
import { priceCommands } from './commands/price.ts'
import { addProductCommand } from './commands/product-add.ts'
import { orderCommands } from './commands/order.ts'
import { checkCommand } from './commands/check.ts'
import { copyCommand } from './commands/copy.ts'
import { currencyCommand } from './commands/currency.ts'
import { editProductCommand } from './commands/product-edit.ts'
import { listProductsCommand } from './commands/product-list.ts'
import { profitCommand } from './commands/profit.ts'
import { supplierCommands } from './commands/supplier.ts'
import type { DriverKinds } from '../core/supply/driver.ts'
import { refundCommand } from './commands/refund.ts'
import { replaceCommand, replacementsCommand } from './commands/replacements.ts'
import { stockCommands } from './commands/stock.ts'
import { jobsCommands } from './commands/jobs.ts'
import { setupCommand } from './commands/setup.ts'
import { importUsageCommand } from './commands/usage-import.ts'
import { accountEditAction } from '../operator/account.ts'
import { agentActions } from '../operator/agent.ts'
import { balanceAction } from '../operator/balance.ts'
import { customerActions } from '../operator/customer.ts'
import { customerChangeActions } from '../operator/customer-change.ts'
import { findAction } from '../operator/find.ts'
import { promoActions } from '../operator/promo.ts'
import { topUpListAction } from '../operator/top-up.ts'
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
  const run = createRun(host, () => program.opts<{ json?: true; as?: string }>(), drivers)
  program
    .description('Commands of the operator, on the database of DATABASE_URL, server running or not')
    .version(productVersion(), '--version', 'print the version of the product')
    .option('--json', 'print one JSON document, on refusal { error, message, data }')
    .option('--as <person>', 'act as this person, with the permissions of the role; otherwise as the owner')
    .addCommand(group('agent', 'agents', ...commandsOf(run, agentActions)))
    .addCommand(group('account', 'agents and users', commandOf(run, accountEditAction)))
    .addCommand(commandOf(run, findAction))
    .addCommand(
      group('customer', 'customers', ...commandsOf(run, [...customerActions, ...customerChangeActions])),
    )
    .addCommand(group('order', 'orders of customers', ...orderCommands(run)))
    .addCommand(group('topup', 'top-ups by USDT', commandOf(run, topUpListAction)))
    .addCommand(commandOf(run, balanceAction))
    .addCommand(
      group(
        'product',
        'catalogue',
        addProductCommand(run),
        editProductCommand(run),
        listProductsCommand(run),
      ),
    )
    .addCommand(group('price', 'prices', ...priceCommands(run)))
    .addCommand(group('promo', 'promotion codes', ...commandsOf(run, promoActions)))
    .addCommand(group('stock', 'proxies for sale', ...stockCommands(run)))
    .addCommand(group('usage', 'traffic that the gateway reports', importUsageCommand(run)))
    .addCommand(group('payments', 'USDT that paid no top-up', ...paymentsCommands(run)))
    .addCommand(group('payout', 'what agents have earned, and want paid out', ...payoutCommands(run)))
    .addCommand(group('supplier', 'suppliers at which proxies are bought', ...supplierCommands(run)))
    .addCommand(group('exit', 'where dynamic traffic leaves', ...exitCommands(run)))
    .addCommand(group('gateway', 'the gateway for dynamic traffic', ...gatewayCommands(run)))
    .addCommand(group('person', 'those who run the shop', ...personCommands(run)))
    .addCommand(trailCommand(run))
    .addCommand(profitCommand(run))
    .addCommand(checkCommand(run))
    .addCommand(replacementsCommand(run))
    .addCommand(replaceCommand(run))
    .addCommand(refundCommand(run))
    .addCommand(group('jobs', 'background work that is not done yet', ...jobsCommands(run)))
    .addCommand(currencyCommand(run))
    .addCommand(setupCommand(run))
    .addCommand(auditCommand(run))
    .addCommand(copyCommand(run))
    .addCommand(withSubcommands(backupCommand(run), backupsCommands(run)))
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
