import type { Customer } from '../../../core/customers/show-customer.ts'
import { AGENTS } from '../../actions/agents.ts'
import { type ChangeName, CUSTOMERS, type ListName } from '../../actions/customers.ts'
import { operatorButton } from '../../actions/operator.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { balanceText } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const findButton = ({ customers }: Texts): Button => ({
  text: customers.buttons.find,
  data: CUSTOMERS.find.data(),
})

export const lastRow = (texts: Texts): Button[] => [findButton(texts), operatorButton(texts)]

/** Returns the button to the page of a customer. */
export function customerButton({ customers }: Texts, id: number, username: string): Button {
  return {
    text: customers.buttons.customer(username),
    data: CUSTOMERS.customer.data({ id }),
  }
}

/** Returns the button that begins a change. */
export function changeButton({ customers }: Texts, change: ChangeName, subject: string | number): Button {
  const danger = change === 'disable' || change === 'delete'
  return {
    text: customers.begins[change],
    data: CUSTOMERS.change.data({ change, subject: String(subject) }),
    ...(danger && { style: 'danger' as const }),
  }
}

/** @param note outcome of the last change */
export function customerScreen(view: View, customer: Customer, note?: Html): Screen {
  const { texts } = view
  const { id, status } = customer
  return {
    text: lines(...(note ? [note, '' as const] : []), ...customerLines(view, customer)),
    buttons: [
      ...listButtons(texts, customer),
      ...(status === 'deleted' ? [] : changeButtons(texts, customer)),
      customer.role === 'agent'
        ? [{ text: texts.customers.buttons.agent, data: AGENTS.agent.data({ id }) }]
        : [],
      lastRow(texts),
    ],
  }
}

function customerLines({ texts, currency }: View, customer: Customer): Html[] {
  const { customers: words, dateTime } = texts
  const { username, role, status, agent, balance, totalRecharge, totalConsumption, trafficLeft } = customer
  const contact = [customer.email, customer.phone, customer.remark].filter((text) => text !== '').join(' · ')
  return [
    role === 'agent' ? words.agentAccount(username, customer.subUsers) : words.customer(username),
    words.states[status],
    ...(customer.activated ? [] : [words.notActivated]),
    ...(customer.frozen ? [words.frozen] : []),
    ...(role === 'agent' ? [] : [agent === null ? words.ofShop : words.ofAgent(agent)]),
    words.balance(balanceText(balance, currency)),
    words.totals(balanceText(totalRecharge, currency), balanceText(totalConsumption, currency)),
    ...(trafficLeft > 0 ? [words.trafficLeft(gigabytes(trafficLeft, texts))] : []),
    ...(contact === '' ? [] : [words.contact(contact)]),
    words.since(dateTime(new Date(customer.createdAt))),
  ]
}

function listButtons({ customers }: Texts, customer: Customer): Button[][] {
  const { id, orders, activeProxies, topUps, chats } = customer
  const counts = { orders, proxies: activeProxies, entries: 0, traffic: 0, topUps, chats }
  const button = (list: ListName): Button => ({
    text: customers.lists[list](counts[list]),
    data: CUSTOMERS.list.data({ id, list }),
  })
  return [
    [button('orders'), button('proxies')],
    [button('entries'), button('traffic')],
    [button('topUps'), button('chats')],
  ]
}

function changeButtons(texts: Texts, { id, role, status }: Customer): Button[][] {
  const change = (name: ChangeName) => changeButton(texts, name, id)
  const contact = { text: texts.customers.buttons.contact, data: CUSTOMERS.contact.data({ id }) }
  const first = [change('adjust'), contact]
  if (role === 'agent') return [first, [change('logOut')]]
  return [
    first,
    [...(status === 'active' ? [change('link')] : []), change('logOut')],
    [change(status === 'active' ? 'disable' : 'enable'), change('move')],
    [change('delete')],
  ]
}

export const askNewScreen = (texts: Texts): Screen =>
  promptScreen(texts, texts.customers.askNew, CUSTOMERS.find.data())

export function confirmNewPrompt({ customers, buttons }: Texts, typed: string): Prompt {
  return {
    text: customers.confirmNew(typed),
    buttons: [
      [{ text: customers.buttons.createNow, answer: 'create', style: 'success' }],
      [{ text: buttons.cancel, data: CUSTOMERS.find.data() }],
    ],
  }
}

export function askContactScreen(texts: Texts, { id, email, phone, remark }: Customer): Screen {
  const { labels, askContact } = texts.customers
  const filled = [
    `${labels.email}: ${email}`,
    `${labels.phone}: ${phone}`,
    `${labels.remark}: ${remark}`,
  ].join('\n')
  return promptScreen(texts, askContact(filled), CUSTOMERS.customer.data({ id }))
}

/** Says that the subject of a button is gone. */
export const goneScreen = (texts: Texts): Screen => ({
  text: html`⚠️ ${texts.customers.gone}`,
  buttons: [lastRow(texts)],
})
