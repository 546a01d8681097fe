import { Command } from 'commander'
import type { Core } from '../../core/core.ts'
import type { Difference } from '../../core/ledger/audit.ts'
import { ChainUnavailable } from '../../core/top-ups/chain-reader.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../run.ts'
import { counted } from '../table.ts'

/** `audit`: proves the books, and that the wallet holds what they say, or shows where they do not balance. */
export function auditCommand(run: Run): Command {
  return new Command('audit')
    .description('prove that the books balance; exit status 1 and the differences if not')
    .action(
      run(async (session) => {
        const core = await session.core('chain')
        const books = await core.operator.audit()
        const wallet = core.topUps.terms && (await auditWallet(core))
        const differences = [...books, ...(wallet?.differences ?? [])]
        if (differences.length > 0) throw unbalanced(differences, 'The books do not balance')
        return {
          data: { balanced: true, differences, ...(wallet && { wallet: wallet.state }) },
          text: ['The books balance', ...(wallet ? [wallet.text] : [])].join('\n'),
        }
      }),
    )
}

interface WalletAudit {
  readonly state: 'balanced' | 'not_compared'
  readonly text: string
  readonly differences?: readonly Difference[]
}

/** The wallet on the chain beside the books. That it cannot be read just now says nothing against them. */
async function auditWallet(core: Core): Promise<WalletAudit> {
  const notCompared = (why: string): WalletAudit => ({
    state: 'not_compared',
    text: `The wallet was not compared with them: ${why}`,
  })
  try {
    const differences = await core.operator.auditWallet()
    if (!differences) return notCompared('there was no quiet moment for it yet')
    return { state: 'balanced', text: 'The wallet holds on the chain what they say', differences }
  } catch (error) {
    if (error instanceof ChainUnavailable) return notCompared(error.message)
    throw error
  }
}

/** The books do not balance: every difference on a line of its own. */
export function unbalanced(differences: readonly Difference[], message: string): Refusal {
  const headline = `${message}: ${counted(differences.length, 'difference', 'differences')}`
  const lines = differences.map(({ rule, subject, detail }) => `  ${subject}: ${detail} (${rule})`)
  return new Refusal('unbalanced', headline, { data: { differences }, lines: [headline, ...lines] })
}
