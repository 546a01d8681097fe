import { Command } from 'commander'
import type { Core } from '../../core/core.ts'
import { ChainUnavailable } from '../../core/top-ups/chain-reader.ts'
import type { WalletAudit } from '../../core/top-ups/reconcile.ts'
import { Refusal } from '../../operator/refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../../operator/table.ts'
import type { Difference } from '../../core/ledger/rule.ts'

/** `audit`: checks the books, and the wallet against them, and prints all differences. */
export function auditCommand(run: Run): Command {
  return new Command('audit')
    .description('prove that the books balance; exit status 1 and the differences if not')
    .action(
      run(async (session) => {
        const core = await session.core('chain')
        const books = await core.operator.audit()
        const wallet = core.topUps.terms && (await auditWallet(core))
        const differences = [...books, ...(wallet?.differences ?? [])]
        const warnings = (wallet?.warnings ?? []).map((warning) => `Warning: ${warning}`)
        if (differences.length > 0) throw unbalanced(differences, 'The books do not balance', warnings)
        return {
          data: {
            balanced: true,
            differences,
            ...(wallet && { wallet: wallet.state, warnings: wallet.warnings }),
          },
          text: ['The books balance', ...(wallet ? [wallet.text] : []), ...warnings].join('\n'),
        }
      }),
    )
}

interface ShownWalletAudit extends WalletAudit {
  readonly state: 'balanced' | 'not_compared'
  readonly text: string
}

/** Compares the wallet on the chain with the books. A chain that cannot be read just now is no difference. */
async function auditWallet(core: Core): Promise<ShownWalletAudit> {
  const notCompared = (why: string): ShownWalletAudit => ({
    state: 'not_compared',
    text: `The wallet was not compared with them: ${why}`,
    differences: [],
    warnings: [],
  })
  try {
    const audit = await core.operator.auditWallet()
    if (!audit) return notCompared('there was no quiet moment for it yet')
    return { state: 'balanced', text: 'The wallet holds on the chain what they say', ...audit }
  } catch (error) {
    if (error instanceof ChainUnavailable) return notCompared(error.message)
    throw error
  }
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
