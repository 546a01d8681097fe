import { z } from 'zod'
import { type Found, FoundRecord, Searched } from '../core/customers/find.ts'
import { addressOf } from '../core/proxy-formats.ts'
import { usdtText } from '../core/usdt.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

/** One search for everything (rules 16.1). */
export const findAction = action({
  name: 'find',
  summary: 'find a customer, an order, a proxy, a top-up or a payment by whatever is known of it',
  input: {
    text: typed(
      Searched,
      '<text>',
      'username, e-mail, Telegram name, number, address or line of a proxy, transaction; or how it begins',
    ),
  },
  answer: z.object({ items: FoundRecord.array().schema }),
  reads: true,
  async run({ core }, { text }) {
    const found = await core.operator.find(text)
    return {
      data: { items: FoundRecord.array().show(found) },
      text:
        found.length === 0
          ? 'Nothing is found'
          : table([['KIND', 'WHAT', 'USER', 'STATE'], ...found.map(rowOfMatch)]),
    }
  },
})

function rowOfMatch(found: Found): string[] {
  const { kind } = found
  switch (kind) {
    case 'customer':
      return [found.role === 'agent' ? 'agent' : 'customer', `id ${found.id}`, found.username, found.status]
    case 'order':
      return [kind, found.orderNo, found.username, found.status]
    case 'proxy':
      return [kind, `${found.instanceNo} ${addressOf(found)}`, found.username, found.status]
    case 'stock':
      return ['stock', `${found.productNo} ${addressOf(found)}`, '-', found.state]
    case 'top_up':
      return ['top-up', `${found.orderNo} ${usdtText(found.payUnits)} USDT`, found.username, found.status]
    case 'transfer': {
      const { txid, index, units, username, state } = found
      return ['payment', `${txid}:${index} ${usdtText(BigInt(units))} USDT`, username ?? '-', state]
    }
    case 'sub_account':
      return ['sub-account', `${found.productNo} ${found.name}`, found.username, found.status]
  }
}
