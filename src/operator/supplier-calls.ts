import { z } from 'zod'
import { toText } from '../core/money.ts'
import { type CallOverview, CallRecord } from '../core/supply/list-calls.ts'
import { action, typed } from './action.ts'
import { wrongUse } from './refusal.ts'
import { table } from './table.ts'

/** Requests to suppliers. */
export const supplierCallsAction = action({
  name: 'supplier calls',
  summary: 'list the requests to suppliers, newest first',
  input: {
    open: typed(z.boolean().default(false), '--open', 'only those that have not ended, oldest first'),
    supplier: typed(z.string().optional(), '--name <supplier>', 'only those to this supplier'),
  },
  answer: z.object({ total: z.int(), currency: z.string(), items: CallRecord.array().schema }),
  reads: true,
  async run({ core, currency }, { open, supplier }) {
    const { items, total } = await core.operator.suppliers.calls({ supplier, which: open ? 'open' : 'all' })
    const more = total > items.length ? [`and ${total - items.length} more`] : []
    return {
      data: { total, currency, items: items.map(CallRecord.show) },
      text:
        total === 0
          ? open
            ? 'No call is open'
            : 'There was no call yet'
          : [table([HEADING, ...items.map(rowOfCall)]), ...more].join('\n'),
    }
  },
})

/** Decisions on requests in doubt (rules 11.10). */
export const resolveCallAction = action({
  name: 'supplier resolve',
  summary: 'decide what became of a call in doubt, after a look into your account at the supplier',
  input: {
    call: typed(z.string(), '<call>', 'number of the call, as `supplier calls` shows it'),
    found: typed(
      z.string().optional(),
      '--found <number>',
      'it was carried out: its number at the supplier',
      { conflicts: 'absent' },
    ),
    absent: typed(z.boolean().default(false), '--absent', 'it was not: the customer gets the money back'),
  },
  answer: z.object({ ...CallRecord.schema.shape, resolved: z.enum(['absent', 'found']) }),
  needs: ['suppliers'],
  question: ({ call, absent }) => (absent ? `Is it certain that ${call} was not carried out?` : undefined),
  async run({ core, by }, { call, found, absent }) {
    if ((found === undefined) !== absent) throw wrongUse('Say what became of it: --found NUMBER or --absent')
    const decided = await core.operator.suppliers.resolve(
      by,
      call,
      found === undefined ? { absent: true } : { found },
    )
    return {
      data: {
        ...CallRecord.show(decided),
        resolved: absent ? 'absent' : 'found',
      },
      text: absent
        ? `${call} counts as refused; the money goes back`
        : `${call} is looked up under ${found}; what it brought is handed over`,
    }
  },
})

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
