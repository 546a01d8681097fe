import { writeCsv } from '../../../core/csv.ts'
import type { EarningEntry } from '../../../core/earnings/list-earnings.ts'
import { toText } from '../../../core/money.ts'
import type { Texts } from '../../texts/index.ts'

/** Changes of earnings as a table in the language of the chat. */
export async function earningsTable(
  { earnings }: Texts,
  currency: string,
  entries: readonly EarningEntry[],
): Promise<Buffer> {
  const cells: Record<keyof Texts['earnings']['columns'], (entry: EarningEntry) => string> = {
    createdAt: ({ createdAt }) => createdAt,
    kind: ({ kind }) => earnings.kinds[kind],
    pending: ({ pending }) => toText(pending),
    available: ({ available }) => toText(available),
    owed: ({ owed }) => toText(owed),
    pendingAfter: ({ after }) => toText(after.pending),
    availableAfter: ({ after }) => toText(after.available),
    owedAfter: ({ after }) => toText(after.owed),
    currency: () => currency,
    username: ({ username }) => username ?? '',
    productNo: ({ productNo }) => productNo ?? '',
    orderNo: ({ orderNo }) => orderNo ?? '',
    payoutNo: ({ payoutNo }) => payoutNo ?? '',
  }
  const columns = Object.values(cells)
  const header = (Object.keys(cells) as (keyof typeof cells)[]).map((column) => earnings.columns[column])
  return Buffer.from(await writeCsv(header, entries, (entry) => columns.map((cell) => cell(entry))))
}
