import { Command } from 'commander'
import type { Difference } from '../../core/ledger/audit.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../table.ts'

/** `audit`: proves the books, or shows where they do not balance. */
export function auditCommand(run: Run): Command {
  return new Command('audit')
    .description('prove that the books balance; exit status 1 and the differences if not')
    .action(
      run(async (session) => {
        const core = await session.core()
        const differences = await core.operator.audit()
        if (differences.length > 0) throw unbalanced(differences, 'The books do not balance')
        return { data: { balanced: true, differences }, text: 'The books balance' }
      }),
    )
}

/** The books do not balance: every difference on a line of its own. */
export function unbalanced(differences: readonly Difference[], message: string): Refusal {
  const headline = `${message}: ${counted(differences.length, 'difference', 'differences')}`
  const lines = differences.map(({ rule, subject, detail }) => `  ${subject}: ${detail} (${rule})`)
  return new Refusal('unbalanced', headline, { data: { differences }, lines: [headline, ...lines] })
}
