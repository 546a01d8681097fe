import { Command } from 'commander'
import type { Reconciliation } from '../../core/supply/reconcile.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../../operator/table.ts'
import type { DifferenceKind, SupplierDifference } from '../../core/facts/supplier-difference.ts'

/** `supplier reconcile NAME`: compares our books with the account at a supplier, both ways (rules 11.7). */
export function reconcileCommand(run: Run): Command {
  return new Command('reconcile')
    .description(
      'compare orders, amounts and proxies with your account at a supplier; exit status 1 if they differ',
    )
    .argument('<name>', 'name of the supplier')
    .action(
      run(async (session, name: string) => {
        const { suppliers } = (await session.core('suppliers')).operator
        const reconciliation = await suppliers.reconcile(session.by, name)
        const { differences, since, orders, running } = reconciliation
        if (differences.length > 0) throw different(reconciliation)
        return {
          data: { name, since, orders, running, differences: [] },
          text: `${name} and our books agree: ${counted(orders, 'order', 'orders')} since ${since}, ${counted(running, 'running proxy', 'running proxies')}`,
        }
      }),
    )
}

function different({ name, since, orders, running, differences }: Reconciliation): Refusal {
  const headline = `${name} and our books differ: ${counted(differences.length, 'difference', 'differences')}`
  const lines = differences.map(
    (difference) => `  ${subjectOf(difference)}: ${MEANINGS[difference.kind](difference)}`,
  )
  return new Refusal('unbalanced', headline, {
    data: { name, since, orders, running, differences: differences.map(recordOfDifference) },
    lines: [headline, ...lines],
  })
}

function subjectOf({ subject, orderNo }: SupplierDifference): string {
  return orderNo === null ? subject : `${subject} (${orderNo})`
}

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

function recordOfDifference({ kind, subject, orderNo, ours, theirs }: SupplierDifference): object {
  return { kind, subject, order_no: orderNo, ours, theirs }
}
