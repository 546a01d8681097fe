import { Command } from 'commander'
import {
  ChatOfCustomerRecord,
  OrderOfCustomerRecord,
  ProxyOfCustomerRecord,
} from '../../core/customers/lists-of-customer.ts'
import { type Customer, CustomerRecord } from '../../core/customers/show-customer.ts'
import { toNumber, toText } from '../../core/money.ts'
import { toGigabytes } from '../../core/bytes.ts'
import { amount, wholeNumber } from '../arguments.ts'
import { PASSWORD_HELP, passwordFrom, passwordWarnings } from '../password.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'
import { withContactOptions, type ContactOptions } from './account-edit.ts'

/** `customer show | entries | create`: customers, and what they have (rules 16.2). */
export function customerCommands(run: Run): Command[] {
  return [showCommand(run), entriesCommand(run), createCommand(run)]
}

const NAME = 'username of a customer or agent'

function showCommand(run: Run): Command {
  return new Command('show')
    .description('show an account with its newest orders, its proxies, traffic and chats')
    .argument('<name>', NAME)
    .action(
      run(async (session, name: string) => {
        const { customers } = (await session.core()).operator
        const customer = await customers.show(name)
        const { username } = customer
        const orders = await customers.orders(username)
        const proxies = await customers.proxies(username)
        const traffic = await customers.traffic(username)
        const chats = await customers.chats(username)
        const data = {
          ...CustomerRecord.show(customer),
          currency: session.currency,
          latest_orders: OrderOfCustomerRecord.array().show(orders.items),
          proxies: ProxyOfCustomerRecord.array().show(proxies.items),
          traffic: traffic.items.map(({ productNo, total, remaining }) => ({
            product_no: productNo,
            total_gb: toGigabytes(total),
            remaining_gb: toGigabytes(remaining),
          })),
          chats: ChatOfCustomerRecord.array().show(chats),
        }
        return { data, text: textOf(customer, session.currency, data) }
      }),
    )
}

interface Parts {
  readonly latest_orders: readonly { order_no: string; status: string; created_at: string }[]
  readonly proxies: readonly { instance_no: string; ip: string; port: number; expire_time: string }[]
  readonly chats: readonly { id: number; telegram_name: string | null; person_name: string | null }[]
}

function textOf(customer: Customer, currency: string, parts: Parts): string {
  const { username, role, status, agent, balance, email, phone, remark } = customer
  const contact = [email, phone, remark].filter((text) => text !== '').join(', ')
  const list = (heading: string, rows: readonly string[][]) =>
    rows.length === 0 ? [] : ['', heading, table(rows)]
  return [
    `${username} (${role}${agent === null ? '' : ` of ${agent}`}), ${status}, balance ${toText(balance)} ${currency}`,
    ...(contact === '' ? [] : [contact]),
    ...list(
      `Orders: ${customer.orders}`,
      parts.latest_orders.map((order) => [order.order_no, order.status, order.created_at]),
    ),
    ...list(
      `Proxies in use: ${customer.activeProxies}`,
      parts.proxies.map((proxy) => [proxy.instance_no, proxy.ip, String(proxy.port), proxy.expire_time]),
    ),
    ...list(
      `Chats: ${customer.chats}`,
      parts.chats.map((chat) => [String(chat.id), chat.telegram_name ?? '-', chat.person_name ?? '-']),
    ),
  ].join('\n')
}

function entriesCommand(run: Run): Command {
  return new Command('entries')
    .description('list the entries of an account, newest first')
    .argument('<name>', NAME)
    .option('--page <number>', 'of 50 entries each', wholeNumber, 1)
    .action(
      run(async (session, name: string, { page }: { page: number }) => {
        const core = await session.core()
        const { items, total } = await core.operator.customers.entries(name, { page, pageSize: 50 })
        return {
          data: {
            total,
            items: items.map((entry) => ({
              transaction_no: entry.transactionNo,
              type: entry.type,
              amount: toNumber(entry.amount),
              balance_after: toNumber(entry.balanceAfter),
              order_no: entry.orderNo,
              remark: entry.remark,
              created_at: entry.createdAt,
            })),
          },
          text:
            items.length === 0
              ? 'There are no entries'
              : table([
                  ['TIME', 'NUMBER', 'TYPE', 'AMOUNT', 'BALANCE', 'ORDER', 'REMARK'],
                  ...items.map((entry) => [
                    entry.createdAt,
                    entry.transactionNo,
                    entry.type,
                    toText(entry.amount),
                    toText(entry.balanceAfter),
                    entry.orderNo ?? '-',
                    entry.remark || '-',
                  ]),
                ]),
        }
      }),
    )
}

interface CreateOptions extends ContactOptions {
  readonly agent?: string
  readonly password?: string
  readonly balance: number
}

function createCommand(run: Run): Command {
  return withContactOptions(new Command('create'))
    .description('create a customer of an agent, or of the shop')
    .argument('<name>', '3-50 characters')
    .option('--agent <name>', 'username of its agent; by default none')
    .option('--password <password>', `${PASSWORD_HELP}; without one, the customer sets it by a link`)
    .option('--balance <amount>', 'initial balance, which the shop gives', amount, 0)
    .action(
      run(async (session, username: string, { password, ...options }: CreateOptions) => {
        const typed = password === undefined ? undefined : await passwordFrom(session, password)
        const core = await session.core()
        const created = await core.operator.customers.create(session.by, {
          username,
          ...(typed !== undefined && { password: typed }),
          ...options,
        })
        return {
          data: { ...created, agent: options.agent ?? null, balance: options.balance },
          text: `Created customer ${created.username} (id ${created.id})`,
          warnings: password === undefined ? [] : passwordWarnings(password),
        }
      }),
    )
}
