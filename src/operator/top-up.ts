import { z } from 'zod'
import { toText } from '../core/money.ts'
import { record } from '../core/record.ts'
import { TOP_UP, TopUpFilter } from '../core/top-ups/top-up.ts'
import { usdtText } from '../core/usdt.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const { orderNo, username, status, payAmount, creditAmount, txid, createdAt } = TOP_UP
const TopUpRecord = record({ orderNo, username, status, payAmount, creditAmount, txid, createdAt })

const { shape } = TopUpFilter

/** Top-ups by USDT, of everybody or of one account. */
export const topUpListAction = action({
  name: 'topup list',
  summary: 'list top-ups by USDT, newest first',
  input: {
    username: typed(z.string().optional(), '--user <name>', 'only those of this account'),
    status: typed(shape.status, '--status <status>', 'only those in this state'),
    page: typed(shape.page, '--page <number>', 'of 50 each'),
  },
  answer: z.object({ total: z.int(), items: TopUpRecord.array().schema }),
  reads: true,
  async run({ core: { operator } }, { username, ...filter }) {
    const wanted = { ...filter, pageSize: 50 }
    const { items, total } = await (username === undefined
      ? operator.listTopUps(wanted)
      : operator.customers.topUps(username, wanted))
    const rows = items.map((topUp) => [
      topUp.orderNo,
      topUp.username,
      topUp.status,
      usdtText(topUp.payAmount),
      toText(topUp.creditAmount),
      topUp.createdAt,
    ])
    return {
      data: { total, items: TopUpRecord.array().show(items) },
      text:
        items.length === 0
          ? 'There are no top-ups'
          : table([['NUMBER', 'USER', 'STATUS', 'USDT', 'CREDIT', 'CREATED'], ...rows]),
    }
  },
})
