import { Command } from 'commander'
import type { Found } from '../../core/customers/find.ts'
import { addressOf } from '../../core/proxy-formats.ts'
import { usdtText } from '../../core/usdt.ts'
import type { Run } from '../run.ts'
import { table } from '../table.ts'

/** `find TEXT`: one search for everything (rules 16.1). */
export function findCommand(run: Run): Command {
  return new Command('find')
    .description('find a customer, an order, a proxy, a top-up or a payment by whatever is known of it')
    .argument(
      '<text>',
      'username, e-mail, Telegram name, number, address or line of a proxy, transaction; or how it begins',
    )
    .action(
      run(async (session, text: string) => {
        const found = await (await session.core()).operator.find(text)
        return {
          data: { items: found.map(recordOfMatch) },
          text:
            found.length === 0
              ? 'Nothing is found'
              : table([['KIND', 'WHAT', 'USER', 'STATE'], ...found.map(rowOfMatch)]),
        }
      }),
    )
}

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

function recordOfMatch(found: Found): object {
  switch (found.kind) {
    case 'customer':
      return found
    case 'order': {
      const { kind, type, orderNo, username, status, createdAt } = found
      return { kind, type, order_no: orderNo, username, status, created_at: createdAt }
    }
    case 'proxy': {
      const { kind, instanceNo, orderNo, username, ip, port, status, expireTime } = found
      const numbers = { instance_no: instanceNo, order_no: orderNo }
      return { kind, ...numbers, username, ip, port, status, expire_time: expireTime }
    }
    case 'stock': {
      const { productNo, ...stock } = found
      return { ...stock, product_no: productNo }
    }
    case 'top_up': {
      const { kind, orderNo, username, status, payUnits, createdAt } = found
      return {
        kind,
        order_no: orderNo,
        username,
        status,
        pay_amount: usdtText(payUnits),
        created_at: createdAt,
      }
    }
    case 'transfer': {
      const { kind, network, txid, index, units, state, topUpNo, username } = found
      const paid = { order_no: topUpNo, username }
      return { kind, network, txid, log_index: index, amount: usdtText(BigInt(units)), state, ...paid }
    }
    case 'sub_account': {
      const { kind, name, userId, username, productNo, status } = found
      return { kind, name, user_id: userId, username, product_no: productNo, status }
    }
  }
}
