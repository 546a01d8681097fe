import { writeCsv } from '../../../core/csv.ts'
import { toText } from '../../../core/money.ts'
import type { Transaction } from '../../../core/records/list-transactions.ts'
import type { Texts } from '../../texts/index.ts'
import { remarkText } from './screens.ts'

/** Entries of the ledger as a table in the language of the chat. */
export async function recordsTable(
  texts: Texts,
  currency: string,
  entries: readonly Transaction[],
): Promise<Buffer> {
  const { columns: names, kinds, orderTypes } = texts.records
  const cells: Record<keyof typeof names, (entry: Transaction) => string> = {
    createdAt: ({ createdAt }) => createdAt,
    transactionNo: ({ transactionNo }) => transactionNo,
    username: ({ username }) => username,
    // Without the leading emoji.
    kind: ({ type }) => kinds[type].replace(/^\S+ /, ''),
    orderType: ({ orderType }) => (orderType ? orderTypes[orderType] : ''),
    orderNo: ({ orderNo }) => orderNo ?? '',
    amount: ({ amount }) => toText(amount),
    before: ({ amount, balanceAfter }) => toText(balanceAfter - amount),
    after: ({ balanceAfter }) => toText(balanceAfter),
    currency: () => currency,
    remark: (entry) => remarkText(texts, entry),
  }
  const columns = Object.values(cells)
  const header = (Object.keys(cells) as (keyof typeof cells)[]).map((column) => names[column])
  return Buffer.from(await writeCsv(header, entries, (entry) => columns.map((cell) => cell(entry))))
}
