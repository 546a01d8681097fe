import { Command, Option } from 'commander'
import { toText } from '../../core/money.ts'
import { type CallOverview, CallRecord } from '../../core/supply/list-calls.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

/** `supplier calls` and `supplier resolve`: requests to suppliers, and decisions on those in doubt. */
export function supplierCallCommands(run: Run): Command[] {
  return [callsCommand(run), resolveCommand(run)]
}

function callsCommand(run: Run): Command {
  return new Command('calls')
    .description('list the requests to suppliers, newest first')
    .option('--open', 'only those that have not ended, oldest first')
    .option('--name <supplier>', 'only those to this supplier')
    .action(
      run(async (session, { open = false, name }: { open?: boolean; name?: string }) => {
        const { suppliers } = (await session.core()).operator
        const { items, total } = await suppliers.calls({ supplier: name, which: open ? 'open' : 'all' })
        const more = total > items.length ? [`and ${total - items.length} more`] : []
        return {
          data: { total, currency: session.currency, items: items.map(CallRecord.show) },
          text:
            total === 0
              ? open
                ? 'No call is open'
                : 'There was no call yet'
              : [table([HEADING, ...items.map(rowOfCall)]), ...more].join('\n'),
        }
      }),
    )
}

interface Decision {
  readonly found?: string
  readonly absent?: true
  readonly yes?: true
}

function resolveCommand(run: Run): Command {
  return new Command('resolve')
    .description('decide what became of a call in doubt, after a look into your account at the supplier')
    .argument('<call>', 'number of the call, as `supplier calls` shows it')
    .addOption(
      new Option('--found <number>', 'it was carried out: its number at the supplier').conflicts('absent'),
    )
    .option('--absent', 'it was not: the customer gets the money back')
    .option('--yes', YES_HELP)
    .action(
      run(async (session, callNo: string, { found, absent, yes }: Decision) => {
        if (found === undefined && !absent)
          throw new Refusal('usage', 'Say what became of it: --found NUMBER or --absent', { exitStatus: 2 })
        if (absent) await confirm(session, `Is it certain that ${callNo} was not carried out?`, yes)
        const { suppliers } = (await session.core('suppliers')).operator
        const call = await suppliers.resolve(
          session.by,
          callNo,
          found === undefined ? { absent: true } : { found },
        )
        return {
          data: { ...CallRecord.show(call), resolved: found === undefined ? 'absent' : 'found' },
          text:
            found === undefined
              ? `${callNo} counts as refused; the money goes back`
              : `${callNo} is looked up under ${found}; what it brought is handed over`,
        }
      }),
    )
}

const HEADING = [
  'CALL',
  'SUPPLIER',
  'KIND',
  'STATE',
  'ORDER',
  'PROXIES',
  'EXPECTED',
  'COST',
  'TRIED',
  'NEXT',
  'REASON',
]

function rowOfCall(call: CallOverview): string[] {
  const { callNo, supplier, kind, state, orderNo, count, expectedCost, cost, attempts, nextAt, reason } = call
  return [
    callNo,
    supplier,
    kind,
    state,
    orderNo,
    String(count),
    toText(expectedCost),
    cost === null ? '-' : toText(cost),
    String(attempts),
    nextAt ?? '-',
    reason ?? '-',
  ]
}
