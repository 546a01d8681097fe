import { Command, Option } from 'commander'
import { publicUrlProblem } from '../../config.ts'
import { toNumber, toText } from '../../core/money.ts'
import { DRIVER_NAMES, type DriverName } from '../../core/supply/driver.ts'
import { amount, wholeNumber } from '../arguments.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import { secretFrom, secretWarnings } from '../password.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../../operator/table.ts'
import { supplierCallCommands } from './supplier-calls.ts'
import { listSuppliersCommand } from './supplier-list.ts'
import { supplierOfferCommands } from './supplier-offers.ts'
import { reconcileCommand } from './supplier-reconcile.ts'

const NAME = 'name of the supplier'

interface Settings {
  readonly url?: string
  readonly key?: string
  readonly secret?: string
  readonly rate?: number
  readonly refundHours?: number
  readonly concurrency?: number
  readonly alarmBalance?: number
  readonly alarmDays?: number
  readonly balanceUntil?: string
}

/** `supplier …`: accounts at suppliers, at which proxies are bought (rules 11.1). */
export function supplierCommands(run: Run): Command[] {
  return [
    addCommand(run),
    editCommand(run),
    listSuppliersCommand(run),
    testCommand(run),
    syncCommand(run),
    ...supplierOfferCommands(run),
    pauseCommand(run),
    resumeCommand(run),
    ...supplierCallCommands(run),
    reconcileCommand(run),
    callbackCommand(run),
    removeCommand(run),
  ]
}

function withSettings(command: Command): Command {
  return command
    .option('--rate <amount>', 'account currency for one unit of the supplier’s currency', amount)
    .option('--refund-hours <hours>', 'how long it takes proxies back for their price', wholeNumber)
    .option('--concurrency <requests>', 'requests at the same time', wholeNumber)
    .option('--alarm-balance <amount>', 'tell the operator chats when the balance is lower', amount)
    .option('--alarm-days <days>', 'or when it lasts for fewer days, or expires within them', wholeNumber)
    .option('--balance-until <day>', 'last day in UTC of the balance, such as 2026-12-31; none: it has none')
}

/** Converts the settings of a command to those of the core. */
function settingsOf<Given extends Settings>({ balanceUntil, ...settings }: Given) {
  return {
    ...settings,
    ...(balanceUntil !== undefined && { balanceExpiresOn: balanceUntil === 'none' ? null : balanceUntil }),
  }
}

const SECRET_HELP =
  '"-" asks for it, or reads it from standard input; one written here stays in the log files of npm'

function addCommand(run: Run): Command {
  const command = new Command('add')
    .description('add an account at a supplier; nothing is bought before a product has its offers')
    .argument('<name>', 'how products name it: 2-32 characters of a-z, 0-9 and -')
    .addOption(
      new Option('--driver <driver>', 'kind of supplier').choices([...DRIVER_NAMES]).makeOptionMandatory(),
    )
    .requiredOption(
      '--url <url>',
      'address of its API: https, or http on this machine and in private networks',
    )
    .requiredOption('--key <key>', 'key of the API, or username')
    .requiredOption('--secret <secret>', `secret of the API, or password; ${SECRET_HELP}`)
  return withSettings(command).action(
    run(
      async (
        session,
        name: string,
        options: Required<Pick<Settings, 'url' | 'key' | 'secret'>> & Settings & { driver: DriverName },
      ) => {
        const secret = await secretFrom(session, options.secret)
        const core = await session.core('create', 'suppliers')
        await core.operator.suppliers.add(session.by, { ...settingsOf(options), name, secret })
        return {
          data: { name, driver: options.driver },
          text: `Added ${name}; \`supplier test ${name}\` asks it for balance and catalogue`,
          warnings: secretWarnings(options.secret),
        }
      },
    ),
  )
}

function editCommand(run: Run): Command {
  const command = new Command('edit')
    .description('change an account at a supplier; what is not named stays as it is')
    .argument('<name>', NAME)
    .option('--url <url>', 'address of its API')
    .option('--key <key>', 'key of the API, or username')
    .option('--secret <secret>', `secret of the API, or password; ${SECRET_HELP}`)
  return withSettings(command).action(
    run(async (session, name: string, options: Settings) => {
      const secret = options.secret === undefined ? undefined : await secretFrom(session, options.secret)
      const core = await session.core('suppliers')
      await core.operator.suppliers.edit(session.by, name, {
        ...settingsOf(options),
        ...(secret !== undefined && { secret }),
      })
      return {
        data: { name },
        text: `Changed ${name}`,
        warnings: secretWarnings(options.secret),
      }
    }),
  )
}

function testCommand(run: Run): Command {
  return new Command('test')
    .description('ask a supplier for balance and catalogue; nothing is bought')
    .argument('<name>', NAME)
    .action(
      run(async (session, name: string) => {
        const core = await session.core('suppliers')
        const { supplierBalance, balance, offers, capabilities } = await core.operator.suppliers.test(name)
        const theirs = `${supplierBalance.available} ${supplierBalance.currency ?? ''}`.trim()
        const otherCurrency =
          supplierBalance.currency !== undefined && supplierBalance.currency !== session.currency
        return {
          data: {
            name,
            balance: toNumber(balance),
            currency: session.currency,
            supplier_balance: supplierBalance.available,
            supplier_currency: supplierBalance.currency ?? null,
            offers,
            capabilities: {
              finds_by_number: capabilities.findsByNumber,
              renews: capabilities.renews,
              releases: capabilities.releases,
              resets: capabilities.resets,
              takes_ceiling: capabilities.takesCeiling,
            },
          },
          text: `${name} answers: balance ${theirs} (${toText(balance)} ${session.currency}), ${counted(offers, 'offer', 'offers')}`,
          warnings: [
            otherCurrency
              ? `the supplier counts in ${supplierBalance.currency}, this shop in ${session.currency}: check --rate`
              : [],
            capabilities.findsByNumber
              ? []
              : 'the supplier does not recognize repeated requests: one whose answer is lost waits for your decision',
          ].flat(),
        }
      }),
    )
}

function syncCommand(run: Run): Command {
  return new Command('sync')
    .description('read offers and balance now, instead of within 10 minutes')
    .argument('<name>', NAME)
    .action(
      run(async (session, name: string) => {
        const { offers, gone } = await (
          await session.core('suppliers')
        ).operator.suppliers.sync(session.by, name)
        return {
          data: { name, offers, gone },
          text: `Read ${counted(offers, 'offer', 'offers')} of ${name}; ${gone} no longer listed`,
        }
      }),
    )
}

const OFFER_HELP = 'only this offer, as `supplier offers` shows it'

function pauseCommand(run: Run): Command {
  return new Command('pause')
    .description('sell and buy nothing of a supplier; what was ordered is still looked up')
    .argument('<name>', NAME)
    .option('--offer <number>', OFFER_HELP)
    .option('--yes', YES_HELP)
    .action(
      run(async (session, name: string, { offer, yes }: { offer?: string; yes?: true }) => {
        const what = offer === undefined ? name : `the offer ${offer} of ${name}`
        await confirm(session, `Sell nothing of ${what}?`, yes)
        const { suppliers } = (await session.core()).operator
        if (offer === undefined) await suppliers.pause(session.by, name)
        else await suppliers.pauseOffer(session.by, { supplier: name, offerNo: offer })
        return { data: { name, offer_no: offer ?? null, status: 'paused' }, text: `Paused ${what}` }
      }),
    )
}

function resumeCommand(run: Run): Command {
  return new Command('resume')
    .description('sell and buy again what was paused')
    .argument('<name>', NAME)
    .option('--offer <number>', OFFER_HELP)
    .action(
      run(async (session, name: string, { offer }: { offer?: string }) => {
        const what = offer === undefined ? name : `the offer ${offer} of ${name}`
        const { suppliers } = (await session.core()).operator
        if (offer === undefined) await suppliers.resume(session.by, name)
        else await suppliers.resumeOffer(session.by, { supplier: name, offerNo: offer })
        return { data: { name, offer_no: offer ?? null, status: 'active' }, text: `Resumed ${what}` }
      }),
    )
}

function removeCommand(run: Run): Command {
  return new Command('remove')
    .description('remove an account at a supplier that no product uses and that has delivered nothing')
    .argument('<name>', NAME)
    .option('--yes', YES_HELP)
    .action(
      run(async (session, name: string, { yes }: { yes?: true }) => {
        await confirm(session, `Remove ${name} with its credentials?`, yes)
        await (await session.core()).operator.suppliers.remove(session.by, name)
        return { data: { name, removed: true }, text: `Removed ${name}` }
      }),
    )
}

function callbackCommand(run: Run): Command {
  return new Command('callback')
    .description('show the address at which a supplier may call back; enter it in your account there')
    .argument('<name>', NAME)
    .action(
      run(async (session, name: string) => {
        const path = await (await session.core('suppliers')).operator.suppliers.callbackPath(name)
        const base = session.publicUrl()
        const problem = publicUrlProblem(base)
        if (problem !== undefined)
          throw new Refusal(
            'config_invalid',
            `${problem}: nobody outside knows where this server is. The path below it is ${path}`,
            { data: { path } },
          )
        const url = `${base}${path}`
        return { data: { name, url }, text: url }
      }),
    )
}
