import { Command } from 'commander'
import { editAccountCommand } from './commands/account-edit.ts'
import { clearAgentCommand } from './commands/agent-clear.ts'
import { createAgentCommand } from './commands/agent-create.ts'
import { editAgentCommand } from './commands/agent-edit.ts'
import { listAgentsCommand } from './commands/agent-list.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { backupsCommands } from './commands/backups.ts'
import { balanceCommand } from './commands/balance.ts'
import { exitCommands } from './commands/exit.ts'
import { gatewayCommands } from './commands/gateway.ts'
import { priceCommands } from './commands/price.ts'
import { addProductCommand } from './commands/product-add.ts'
import { customerChangeCommands } from './commands/customer-change.ts'
import { customerCommands } from './commands/customer.ts'
import { findCommand } from './commands/find.ts'
import { listTopUpsCommand } from './commands/top-up.ts'
import { copyCommand } from './commands/copy.ts'
import { currencyCommand } from './commands/currency.ts'
import { editProductCommand } from './commands/product-edit.ts'
import { listProductsCommand } from './commands/product-list.ts'
import { profitCommand } from './commands/profit.ts'
import { supplierCommands } from './commands/supplier.ts'
import type { DriverKinds } from '../core/supply/driver.ts'
import { stockCommands } from './commands/stock.ts'
import { setupCommand } from './commands/setup.ts'
import { importUsageCommand } from './commands/usage-import.ts'
import { checkAction } from '../operator/check.ts'
import { jobsActions } from '../operator/jobs.ts'
import { orderActions } from '../operator/order.ts'
import { paymentsActions } from '../operator/payments.ts'
import { payoutActions } from '../operator/payout.ts'
import { personActions } from '../operator/person.ts'
import { promoActions } from '../operator/promo.ts'
import { refundAction } from '../operator/refund.ts'
import { replaceAction, replacementsAction } from '../operator/replacements.ts'
import { trailAction } from '../operator/trail.ts'
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
    .addCommand(group('order', 'orders of customers', ...commandsOf(run, orderActions)))
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
    .addCommand(group('price', 'prices', ...priceCommands(run)))
    .addCommand(group('promo', 'promotion codes', ...commandsOf(run, promoActions)))
    .addCommand(group('stock', 'proxies for sale', ...stockCommands(run)))
    .addCommand(group('usage', 'traffic that the gateway reports', importUsageCommand(run)))
    .addCommand(group('payments', 'USDT that paid no top-up', ...commandsOf(run, paymentsActions)))
    .addCommand(
      group('payout', 'what agents have earned, and want paid out', ...commandsOf(run, payoutActions)),
    )
    .addCommand(group('supplier', 'suppliers at which proxies are bought', ...supplierCommands(run)))
    .addCommand(group('exit', 'where dynamic traffic leaves', ...exitCommands(run)))
    .addCommand(group('gateway', 'the gateway for dynamic traffic', ...gatewayCommands(run)))
    .addCommand(group('person', 'those who run the shop', ...commandsOf(run, personActions)))
    .addCommand(commandOf(run, trailAction))
    .addCommand(profitCommand(run))
    .addCommand(commandOf(run, checkAction))
    .addCommand(commandOf(run, replacementsAction))
    .addCommand(commandOf(run, replaceAction))
    .addCommand(commandOf(run, refundAction))
    .addCommand(group('jobs', 'background work that is not done yet', ...commandsOf(run, jobsActions)))
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
