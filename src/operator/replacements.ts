import { z } from 'zod'
import { toText } from '../core/money.ts'
import { DecisionInput } from '../core/orders/decide-replacement.ts'
import type { ListedReplacement } from '../core/orders/list-replacements.ts'
import { REPLACEMENT, type Replacement, withAddresses } from '../core/orders/replacement.ts'
import { addressOf } from '../core/proxy-formats.ts'
import { record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { wrongUse } from './refusal.ts'
import { table } from './table.ts'

const { replacementNo, status, orderNo, instanceNo, ...rest } = REPLACEMENT
const ReplacementRecord = record({
  replacementNo,
  status,
  username: z.string(),
  productNo: z.string(),
  orderNo,
  instanceNo,
  ...rest,
})
const DecisionRecord = record({ replacementNo, status, refundAmount: rest.refundAmount })

const { shape } = DecisionInput

/** Proxies that were replaced, and requests for that (rules 5.22). */
export const replacementsAction = action({
  name: 'replacements',
  summary: 'list replacements of proxies, newest first',
  input: {
    open: typed(
      z.boolean().default(false),
      '--open',
      'only those that wait for a decision or for the supplier, oldest first',
    ),
  },
  answer: z.object({ items: ReplacementRecord.array().schema }),
  reads: true,
  async run({ core }, which) {
    const replacements = await core.operator.replacements.list(which)
    return {
      data: { items: replacements.map(withAddresses).map(ReplacementRecord.show) },
      text:
        replacements.length === 0
          ? 'There are no replacements'
          : table([HEADING, ...replacements.map(rowOfReplacement)]),
    }
  },
})

/** Decides a request for another proxy (rules 5.22). */
export const replaceAction = action({
  name: 'replace',
  summary: 'decide a replacement that a customer asked for; the customer is told',
  input: {
    replacementNo: typed(shape.replacementNo, '<number>', 'number of the replacement'),
    allow: typed(z.boolean().default(false), '--allow', 'replace the proxy', { conflicts: 'decline' }),
    decline: typed(z.boolean().default(false), '--decline', 'leave it as it is'),
    refund: typed(
      z.boolean().optional(),
      '--refund',
      'with --allow: where there is no equal proxy, give back the rest of the term',
    ),
    note: typed(shape.note.unwrap().optional(), '--note <text>', 'for the customer'),
  },
  answer: DecisionRecord.schema,
  async run({ core, by, currency }, { decline, ...decision }) {
    if (decision.allow === decline) throw wrongUse('Say --allow or --decline')
    const replacement = await core.operator.replacements.decide(by, decision)
    return {
      data: DecisionRecord.show(replacement),
      text: `${replacement.replacementNo}: ${outcomeOf(replacement, currency)}`,
    }
  },
})

/** Returns what has become of a replacement, or of the request for it. */
export function outcomeOf({ status, newIp, newPort, refundAmount }: Replacement, currency: string): string {
  return {
    done: `replaced by ${addressOf({ ip: newIp ?? '', port: newPort ?? 0 })}`,
    processing: 'another proxy is being bought or checked',
    refunded: `refunded ${toText(refundAmount)} ${currency}`,
    declined: 'declined',
    requested: 'not decided',
  }[status]
}

const HEADING = ['NUMBER', 'STATUS', 'USER', 'PRODUCT', 'OLD', 'NEW', 'GROUND', 'REASON', 'NOTE']

function rowOfReplacement(replacement: ListedReplacement): string[] {
  const { replacementNo, status, username, productNo, ground, reason, note } = replacement
  const { oldIp, oldPort, newIp, newPort } = replacement
  return [
    replacementNo,
    status,
    username,
    productNo,
    addressOf({ ip: oldIp, port: oldPort }),
    newIp === null ? '-' : addressOf({ ip: newIp, port: newPort ?? 0 }),
    ground,
    reason,
    note || '-',
  ]
}
