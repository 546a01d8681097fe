import { Command, Option } from 'commander'
import { z } from 'zod'
import { toNumber, toText } from '../../core/money.ts'
import type { ListedReplacement } from '../../core/orders/list-replacements.ts'
import { REPLACEMENT, withAddresses } from '../../core/orders/replacement.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { addressOf } from '../../core/proxy-formats.ts'
import { record } from '../../core/record.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

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

const HEADING = ['NUMBER', 'STATUS', 'USER', 'PRODUCT', 'OLD', 'NEW', 'GROUND', 'REASON', 'NOTE']

/** `replacements [--open]`: proxies that were replaced, and requests for that (rules 5.22). */
export function replacementsCommand(run: Run): Command {
  return new Command('replacements')
    .description('list replacements of proxies, newest first')
    .option('--open', 'only those that wait for a decision or for the supplier, oldest first')
    .action(
      run(async (session, { open = false }: { open?: boolean }) => {
        const replacements = await (await session.core()).operator.replacements.list({ open })
        return {
          data: { items: replacements.map(withAddresses).map(ReplacementRecord.show) },
          text:
            replacements.length === 0
              ? 'There are no replacements'
              : table([HEADING, ...replacements.map(rowOfReplacement)]),
        }
      }),
    )
}

interface Decision {
  readonly allow?: true
  readonly decline?: true
  readonly note?: string
  readonly refund?: true
}

/** `replace NUMBER --allow | --decline`: decides a request for another proxy (rules 5.22). */
export function replaceCommand(run: Run): Command {
  return new Command('replace')
    .description('decide a replacement that a customer asked for; the customer is told')
    .argument('<number>', 'number of the replacement')
    .addOption(new Option('--allow', 'replace the proxy').conflicts('decline'))
    .option('--decline', 'leave it as it is')
    .option('--refund', 'with --allow: where there is no equal proxy, give back the rest of the term')
    .option('--note <text>', 'for the customer')
    .action(
      run(async (session, number: string, { allow, decline, note, refund }: Decision) => {
        if (!allow && !decline) throw new OperatorError('Say --allow or --decline')
        const { status, newIp, newPort, refundAmount } = await (
          await session.core()
        ).operator.replacements.decide(session.by, {
          replacementNo: number,
          allow: allow === true,
          ...(note !== undefined && { note }),
          ...(refund && { refund }),
        })
        const outcome = {
          done: `replaced by ${addressOf({ ip: newIp ?? '', port: newPort ?? 0 })}`,
          processing: 'another proxy is being bought or checked',
          refunded: `refunded ${toText(refundAmount)} ${session.currency}`,
          declined: 'declined',
          requested: 'not decided',
        }[status]
        return {
          data: { replacement_no: number, status, refund_amount: toNumber(refundAmount) },
          text: `${number}: ${outcome}`,
        }
      }),
    )
}

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
