import { z } from 'zod'
import type { Core } from '../core/core.ts'
import { type Difference, DifferenceRecord } from '../core/ledger/rule.ts'
import { ChainUnavailable } from '../core/top-ups/chain-reader.ts'
import type { WalletAudit } from '../core/top-ups/reconcile.ts'
import { action } from './action.ts'
import { Refusal } from './refusal.ts'
import { counted } from './table.ts'

const WalletState = z.enum(['balanced', 'not_compared'])

/** Checks the books, and the wallet against them, and prints all differences. */
export const auditAction = action({
  name: 'audit',
  summary: 'prove that the books balance; exit status 1 and the differences if not',
  answer: z.object({
    balanced: z.literal(true),
    differences: DifferenceRecord.array().schema,
    wallet: WalletState.optional().meta({ description: 'Missing where no USDT is taken' }),
    warnings: z.array(z.string()).optional().meta({ description: 'Of the wallet' }),
  }),
  reads: true,
  needs: ['chain'],
  async run({ core }) {
    const books = await core.operator.audit()
    const wallet = core.topUps.terms && (await auditWallet(core))
    const differences = [...books, ...(wallet?.differences ?? [])]
    const warnings = (wallet?.warnings ?? []).map((warning) => `Warning: ${warning}`)
    if (differences.length > 0) throw unbalanced(differences, 'The books do not balance', warnings)
    const ofWallet = wallet && { wallet: wallet.state, warnings: [...wallet.warnings] }
    return {
      data: {
        balanced: true as const,
        differences,
        ...ofWallet,
      },
      text: ['The books balance', ...(wallet ? [wallet.text] : []), ...warnings].join('\n'),
    }
  },
})

interface ShownWalletAudit extends WalletAudit {
  readonly state: z.output<typeof WalletState>
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
