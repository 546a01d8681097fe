import { z } from 'zod'
import type { Core } from '../core/core.ts'
import { type Difference, DifferenceRecord } from '../core/ledger/rule.ts'
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
    const wallets = await core.operator.auditWallets()
    const differences = [...books, ...wallets.flatMap((wallet) => wallet.differences)]
    const found = wallets.flatMap((wallet) => wallet.warnings)
    const warnings = found.map((warning) => `Warning: ${warning}`)
    if (differences.length > 0) throw unbalanced(differences, 'The books do not balance', warnings)
    const isCompared = wallets.every(({ notCompared }) => notCompared === undefined)
    const ofWallets = {
      wallet: isCompared ? ('balanced' as const) : ('not_compared' as const),
      warnings: found,
    }
    return {
      data: {
        balanced: true as const,
        differences,
        ...(wallets.length > 0 && ofWallets),
      },
      text: ['The books balance', ...wallets.map((wallet) => textOf(core, wallet)), ...warnings].join('\n'),
    }
  },
})

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
