import { z } from 'zod'
import type { DifferenceKind, SupplierDifference } from '../core/facts/supplier-difference.ts'
import { record, Time } from '../core/record.ts'
import type { Reconciliation } from '../core/supply/reconcile.ts'
import { action, typed } from './action.ts'
import { Refusal } from './refusal.ts'
import { counted } from './table.ts'

const MEANINGS: Readonly<Record<DifferenceKind, (difference: SupplierDifference) => string>> = {
  unknown_order: ({ theirs }) => `an order there that this shop did not make, ${theirs}`,
  missing_order: () => 'the supplier does not know this order',
  refused_order: ({ theirs }) => `refused here and refunded, but carried out there, ${theirs}`,
  amount: ({ ours, theirs }) => `charged ${theirs} instead of ${ours}`,
  not_ours: ({ theirs }) => `runs there at ${theirs} and is nobody's`,
  released_runs: ({ theirs }) => `released here, runs on there at ${theirs}`,
  not_running: ({ ours, theirs }) => `a customer's proxy at ${ours} that does not run there: ${theirs}`,
  expiry: ({ ours, theirs }) => `expires there at ${theirs} instead of ${ours}`,
}

const ReconciliationRecord = record({
  name: z.string(),
  since: Time,
  orders: z.int(),
  running: z.int(),
  differences: record({
    kind: z.enum(Object.keys(MEANINGS) as DifferenceKind[]),
    subject: z.string(),
    orderNo: z.string().nullable(),
    ours: z.string(),
    theirs: z.string(),
  }).array(),
})

/** Compares our books with the account at a supplier, both ways (rules 11.7). */
export const reconcileSupplierAction = action({
  name: 'supplier reconcile',
  summary:
    'compare orders, amounts and proxies with your account at a supplier; exit status 1 if they differ',
  input: { name: typed(z.string(), '<name>', 'name of the supplier') },
  answer: ReconciliationRecord.schema,
  needs: ['suppliers'],
  async run({ core, by }, { name }) {
    const reconciliation = await core.operator.suppliers.reconcile(by, name)
    const { differences, since, orders, running } = reconciliation
    if (differences.length > 0) throw different(reconciliation)
    return {
      data: ReconciliationRecord.show(reconciliation),
      text: `${name} and our books agree: ${counted(orders, 'order', 'orders')} since ${since}, ${counted(running, 'running proxy', 'running proxies')}`,
    }
  },
})

function different(reconciliation: Reconciliation): Refusal {
  const { name, differences } = reconciliation
  const headline = `${name} and our books differ: ${counted(differences.length, 'difference', 'differences')}`
  const lines = differences.map(
    (difference) => `  ${subjectOf(difference)}: ${MEANINGS[difference.kind](difference)}`,
  )
  return new Refusal('unbalanced', headline, {
    data: ReconciliationRecord.show(reconciliation),
    lines: [headline, ...lines],
  })
}

function subjectOf({ subject, orderNo }: SupplierDifference): string {
  return orderNo === null ? subject : `${subject} (${orderNo})`
}
