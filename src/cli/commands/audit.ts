import { Command } from 'commander'
import type { Core } from '../../core/core.ts'
import type { WalletAudit } from '../../core/top-ups/reconcile.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../table.ts'
import type { Difference } from '../../core/ledger/rule.ts'

/** `audit`: checks the books, and the wallet against them, and prints all differences. */
export function auditCommand(run: Run): Command {
  return new Command('audit')
    .description('prove that the books balance; exit status 1 and the differences if not')
    .action(
      run(async (session) => {
        const core = await session.core('chain')
        const books = await core.operator.audit()
        const wallets = await core.operator.auditWallets()
        const differences = [...books, ...wallets.flatMap((wallet) => wallet.differences)]
        const found = wallets.flatMap((wallet) => wallet.warnings)
        const warnings = found.map((warning) => `Warning: ${warning}`)
        if (differences.length > 0) throw unbalanced(differences, 'The books do not balance', warnings)
        return {
          data: {
            balanced: true,
            differences,
            ...(wallets.length > 0 && {
              wallet: wallets.every(({ notCompared }) => notCompared === undefined)
                ? 'balanced'
                : 'not_compared',
              warnings: found,
            }),
          },
          text: ['The books balance', ...wallets.map((wallet) => textOf(core, wallet)), ...warnings].join(
            '\n',
          ),
        }
      }),
    )
}

/** Says of which network a wallet is only where there are several. */
function textOf({ topUps }: Core, { network, notCompared }: WalletAudit): string {
  const of = topUps.open.length > 1 ? ` on ${topUps.network(network).name.full}` : ''
  if (notCompared === undefined) return `The wallet${of} holds on the chain what they say`
  const why = notCompared === 'no quiet moment' ? 'there was no quiet moment for it yet' : notCompared.unread
  return `The wallet${of} was not compared with them: ${why}`
}

/** The refusal when the books do not balance: every difference on a line of its own, then the warnings. */
export function unbalanced(
  differences: readonly Difference[],
  message: string,
  warnings: readonly string[] = [],
): Refusal {
  const headline = `${message}: ${counted(differences.length, 'difference', 'differences')}`
  const lines = differences.map(({ rule, subject, detail }) => `  ${subject}: ${detail} (${rule})`)
  const data = { differences, ...(warnings.length > 0 && { warnings }) }
  return new Refusal('unbalanced', headline, { data, lines: [headline, ...lines, ...warnings] })
}
