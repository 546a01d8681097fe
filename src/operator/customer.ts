import { z } from 'zod'
import { NewCustomer } from '../core/customers/create-customer.ts'
import {
  type ChatOfCustomer,
  ChatOfCustomerRecord,
  type OrderOfCustomer,
  OrderOfCustomerRecord,
  type ProxyOfCustomer,
  ProxyOfCustomerRecord,
} from '../core/customers/lists-of-customer.ts'
import { type Customer, CUSTOMER } from '../core/customers/show-customer.ts'
import { toText } from '../core/money.ts'
import { paging } from '../core/page.ts'
import { record, Traffic } from '../core/record.ts'
import { TRANSACTION } from '../core/records/list-transactions.ts'
import { Password } from '../core/usernames.ts'
import { contactInput } from './account.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const TrafficRecord = record(
  { productNo: z.string(), total: Traffic, remaining: Traffic },
  { names: { total: 'total_gb', remaining: 'remaining_gb' } },
)
const CustomerRecord = record({
  ...CUSTOMER,
  currency: z.string(),
  latestOrders: OrderOfCustomerRecord.array(),
  proxies: ProxyOfCustomerRecord.array(),
  traffic: TrafficRecord.array(),
  chats: ChatOfCustomerRecord.array(),
})

const { transactionNo, type, amount, balanceAfter, orderNo, remark, createdAt } = TRANSACTION
const EntryRecord = record({ transactionNo, type, amount, balanceAfter, orderNo, remark, createdAt })

const username = typed(z.string(), '<name>', 'username of a customer or agent')

/** Customers, and what they have (rules 16.2). */
export const customerActions = [
  action({
    name: 'customer show',
    summary: 'show an account with its newest orders, its proxies, traffic and chats',
    input: { username },
    answer: CustomerRecord.schema,
    reads: true,
    async run({ core, currency }, input) {
      const { customers } = core.operator
      const customer = await customers.show(input.username)
      const { items: latestOrders } = await customers.orders(customer.username)
      const { items: proxies } = await customers.proxies(customer.username)
      const { items: traffic } = await customers.traffic(customer.username)
      const chats = await customers.chats(customer.username)
      return {
        data: CustomerRecord.show({ ...customer, currency, latestOrders, proxies, traffic, chats }),
        text: textOf(customer, currency, { latestOrders, proxies, chats }),
      }
    },
  }),
  action({
    name: 'customer entries',
    summary: 'list the entries of an account, newest first',
    input: { username, page: typed(paging.page, '--page <number>', 'of 50 entries each') },
    answer: z.object({ total: z.int(), items: EntryRecord.array().schema }),
    reads: true,
    async run({ core }, { username, page }) {
      const { items, total } = await core.operator.customers.entries(username, { page, pageSize: 50 })
      const rows = items.map((entry) => [
        entry.createdAt,
        entry.transactionNo,
        entry.type,
        toText(entry.amount),
        toText(entry.balanceAfter),
        entry.orderNo ?? '-',
        entry.remark || '-',
      ])
      return {
        data: { total, items: EntryRecord.array().show(items) },
        text:
          items.length === 0
            ? 'There are no entries'
            : table([['TIME', 'NUMBER', 'TYPE', 'AMOUNT', 'BALANCE', 'ORDER', 'REMARK'], ...rows]),
      }
    },
  }),
  action({
    name: 'customer create',
    summary: 'create a customer of an agent, or of the shop',
    input: {
      username: typed(NewCustomer.shape.username, '<name>', '3-50 characters'),
      ...contactInput,
      agent: typed(NewCustomer.shape.agent, '--agent <name>', 'username of its agent; by default none'),
      password: typed(
        Password.optional(),
        '--password <password>',
        '6-50 characters; without one, the customer sets it by a link',
        { reads: 'Password' },
      ),
      balance: typed(
        NewCustomer.shape.balance,
        '--balance <amount>',
        'initial balance, which the shop gives',
      ),
    },
    answer: z.object({
      id: z.int(),
      username: z.string(),
      agent: z.string().nullable(),
      balance: z.number(),
    }),
    async run({ core, by }, input) {
      const { id, username } = await core.operator.customers.create(by, input)
      return {
        data: { id, username, agent: input.agent ?? null, balance: input.balance },
        text: `Created customer ${username} (id ${id})`,
      }
    },
  }),
]

interface Parts {
  readonly latestOrders: readonly OrderOfCustomer[]
  readonly proxies: readonly ProxyOfCustomer[]
  readonly chats: readonly ChatOfCustomer[]
}

function textOf(customer: Customer, currency: string, { latestOrders, proxies, chats }: Parts): string {
  const { username, role, status, agent, balance, email, phone, remark } = customer
  const contact = [email, phone, remark].filter((text) => text !== '').join(', ')
  const list = (heading: string, rows: readonly string[][]) =>
    rows.length === 0 ? [] : ['', heading, table(rows)]
  return [
    `${username} (${role}${agent === null ? '' : ` of ${agent}`}), ${status}, balance ${toText(balance)} ${currency}`,
    ...(contact === '' ? [] : [contact]),
    ...list(
      `Orders: ${customer.orders}`,
      latestOrders.map((order) => [order.orderNo, order.status, order.createdAt]),
    ),
    ...list(
      `Proxies in use: ${customer.activeProxies}`,
      proxies.map((proxy) => [proxy.instanceNo, proxy.ip, String(proxy.port), proxy.expireTime]),
    ),
    ...list(
      `Chats: ${customer.chats}`,
      chats.map((chat) => [String(chat.id), chat.telegramName ?? '-', chat.personName ?? '-']),
    ),
  ].join('\n')
}
