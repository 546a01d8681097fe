import type {
  ChatOfCustomer,
  OrderOfCustomer,
  ProxyOfCustomer,
} from '../../../core/customers/lists-of-customer.ts'
import type { Customer } from '../../../core/customers/show-customer.ts'
import type { Page } from '../../../core/page.ts'
import type { TransactionPage } from '../../../core/records/list-transactions.ts'
import type { TopUp, TopUpStatus } from '../../../core/top-ups/top-up.ts'
import type { ProductFlow } from '../../../core/traffic/remaining-traffic.ts'
import { translationIn } from '../../../core/translations.ts'
import { CUSTOMERS, type ListName } from '../../actions/customers.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { figure, signed, usdt } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { iconOf } from './icons.ts'
import { customerButton, lastRow } from './screens.ts'

/** Rows of a page. */
export const LIST_PAGE = 8

interface Listed {
  readonly list: ListName
  readonly total: number
  readonly page?: number
  readonly facts?: readonly Html[]
  readonly buttons?: readonly Button[]
}

function listScreen(
  { texts }: View,
  { id, username }: Customer,
  { list, total, page = 1, facts = [], buttons = [] }: Listed,
): Screen {
  const { customers } = texts
  const pages = Math.ceil(total / LIST_PAGE)
  return {
    text: lines(customers.titles[list](username, total), '', ...(total === 0 ? [customers.empty] : facts)),
    buttons: [
      ...buttons.map((button) => [button]),
      ...pager(texts, page, pages, (to) => CUSTOMERS.list.data({ id, list, page: to })),
      [customerButton(texts, id, username)],
      lastRow(texts),
    ],
  }
}

export function ordersScreen(view: View, customer: Customer, found: Page<OrderOfCustomer>): Screen {
  const { texts, language, now } = view
  const buttons = found.items.map((order) => {
    const name = translationIn(order.productNames, language)
    const day = texts.shortDate(new Date(order.createdAt), now)
    return {
      text: texts.customers.orderButton(iconOf(texts, order.status), name, figure(order.totalAmount), day),
      name,
      data: CUSTOMERS.order.data({ orderNo: order.orderNo }),
    }
  })
  return listScreen(view, customer, { list: 'orders', ...found, buttons })
}

export function proxiesScreen(view: View, customer: Customer, found: Page<ProxyOfCustomer>): Screen {
  const buttons = found.items.map((proxy) => ({
    // The address has to be read whole; the port is on the proxy's page.
    text: `${proxy.ip} → ${view.texts.shortDate(new Date(proxy.expireTime), view.now)}`,
    data: CUSTOMERS.proxy.data({ instanceNo: proxy.instanceNo }),
  }))
  return listScreen(view, customer, { list: 'proxies', ...found, buttons })
}

export function entriesScreen(view: View, customer: Customer, found: TransactionPage): Screen {
  const { texts, currency } = view
  const { total, page } = found
  const facts = found.items.map(({ amount, type, createdAt, orderNo, remark, remarkKind }) => {
    const words = remarkKind === null ? remark : texts.records.remarks[remarkKind]
    const about = [orderNo ?? '', words].filter((text) => text !== '').join(' · ')
    const time = texts.dateTime(new Date(createdAt))
    return texts.customers.entry(signed(amount, currency), texts.records.kinds[type], time, about)
  })
  return listScreen(view, customer, { list: 'entries', total, page, facts })
}

export function trafficScreen(view: View, customer: Customer, flows: readonly ProductFlow[]): Screen {
  const { texts, language } = view
  const facts = flows.map(({ productNames, remaining, total }) =>
    texts.customers.trafficLine(
      translationIn(productNames, language),
      gigabytes(remaining, texts),
      gigabytes(total, texts),
    ),
  )
  return { ...listScreen(view, customer, { list: 'traffic', total: flows.length, facts }) }
}

export function topUpsScreen(view: View, customer: Customer, found: Page<TopUp>): Screen {
  const { texts } = view
  const buttons = found.items.map((topUp) => ({
    text: texts.customers.topUpButton(
      texts.topUps.icon[topUp.status],
      usdt(topUp.payAmount),
      texts.shortDate(new Date(topUp.createdAt), view.now),
    ),
    data: CUSTOMERS.topUp.data({ orderNo: topUp.orderNo }),
  }))
  return listScreen(view, customer, { list: 'topUps', ...found, buttons })
}

/** States by which the list can be filtered: all, open, seen on the chain, paid. */
const LOOKED_FOR = [undefined, 'pending', 'confirming', 'paid'] as const

/** Top-ups of everybody, newest first. */
export function allTopUpsScreen({ texts }: View, found: Page<TopUp>, status?: TopUpStatus): Screen {
  const { customers, topUps } = texts
  const { items, total, page, pageSize } = found
  return {
    text: lines(customers.allTopUps(total), ...(total === 0 ? ['' as const, customers.empty] : [])),
    buttons: [
      LOOKED_FOR.map((wanted) =>
        choiceButton(
          wanted === undefined ? customers.buttons.all : topUps.icon[wanted],
          wanted === status,
          CUSTOMERS.allTopUps.data({ status: wanted, page: 1 }),
        ),
      ),
      ...items.map(({ orderNo, username: name, payAmount, status: is }) => [
        {
          text: customers.topUpButton(topUps.icon[is], usdt(payAmount), name),
          name,
          data: CUSTOMERS.topUp.data({ orderNo }),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        CUSTOMERS.allTopUps.data({ status, page: to }),
      ),
      lastRow(texts),
    ],
  }
}

export function chatsScreen(view: View, customer: Customer, chats: readonly ChatOfCustomer[]): Screen {
  const { texts } = view
  const { chat, blocked } = texts.customers
  const facts = chats.flatMap(({ id, telegramName, personName, language, updatedAt, ...one }) => {
    const who = [personName, telegramName === null ? null : `@${telegramName}`].filter(Boolean).join(' ')
    const line = chat(who || '?', String(id), language, texts.date(new Date(updatedAt)))
    return one.blocked ? [line, blocked] : [line]
  })
  return listScreen(view, customer, { list: 'chats', total: chats.length, facts })
}
