import type { Page } from '../../../core/page.ts'
import type { TicketThread } from '../../../core/support/read-tickets.ts'
import type { Ticket, TicketMessage } from '../../../core/support/ticket.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { operatorButton } from '../../actions/operator.ts'
import { DESK, SUPPORT, supportButtons } from '../../actions/support.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { messageScreen, promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import type { TicketTopic } from '../../../core/facts/support-message.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Name of the question for a message to support. */
export const WRITE = 'support.write'
/** Characters shown of each of the last messages; all fit into one Telegram message (4096). */
const SHOWN_CHARACTERS = 300

/** What a ticket is about, in words. */
export function topicText({ texts, currency }: Pick<View, 'texts' | 'currency'>, topic: TicketTopic): string {
  const { subject, reference, address = reference } = topic
  return texts.support.topic[subject](subject === 'money' ? amount(Number(reference), currency) : address)
}

/** Shows the other way to support where there are no tickets, if there is any. */
export function otherSupportScreen(view: View): Screen {
  const { texts } = view
  const { contact, nobody } = texts.support
  const { text, buttons } = messageScreen(texts, view.support ? contact : nobody)
  return { text, buttons: [supportButtons(view), ...buttons] }
}

type Tickets = Page<Ticket> & { readonly open: number }

/**
 * The tickets of a customer, or of an agent; what is typed there is a new one.
 *
 * @param takes whether the agent answers its sub-users; undefined for customers
 */
export function ticketsScreen(
  view: View,
  tickets: Tickets,
  actorId: number,
  takes: boolean | undefined,
): Screen {
  const { texts } = view
  const { buttons, empty, list, hint } = texts.support
  return {
    takes: { question: WRITE, state: {} },
    text: lines(tickets.total === 0 ? empty : list(tickets.open), '', hint),
    buttons: [
      [{ text: buttons.ask, data: SUPPORT.ask.data(), style: 'primary' }],
      ...entries(view, tickets, SUPPORT, actorId),
      takes === undefined ? [] : [{ text: buttons.takes(takes), data: SUPPORT.takes.data({ on: !takes }) }],
      [homeButton(texts)],
    ],
  }
}

/** The tickets that the shop answers. */
export function deskScreen(view: View, tickets: Tickets): Screen {
  const { texts } = view
  return {
    text: tickets.total === 0 ? texts.support.none : texts.support.list(tickets.open),
    buttons: [...entries(view, tickets, DESK), [operatorButton(texts)]],
  }
}

/** @param actorId whose own tickets need not name the customer */
function entries(
  view: View,
  { items, total, page, pageSize }: Tickets,
  to: typeof DESK | typeof SUPPORT,
  actorId?: number,
): Button[][] {
  const { texts } = view
  const { entry, icon, general } = texts.support
  return [
    ...items.map(({ ticketNo, status, accountId, username, topic }): Button[] => {
      const name = accountId === actorId ? '' : username
      const text = entry(icon[status], topic ? topicText(view, topic) : general, name)
      return [{ text, name: name || undefined, data: to.view.data({ ticketNo }) }]
    }),
    ...pager(texts, page, Math.ceil(total / pageSize), (number) => to.list.data({ page: number })),
  ]
}

/** A ticket of the customer who reads it, or one that this agent answers. */
export function ticketScreen(view: View, ticket: TicketThread, actorId: number): Screen {
  const { texts } = view
  const { buttons, hint } = texts.support
  const { ticketNo, status, accountId } = ticket
  const own = accountId === actorId
  return {
    takes: { question: WRITE, state: { ticketNo } },
    text: lines(...threadLines(view, ticket, own), '', hint),
    buttons: [
      [
        {
          text: own ? buttons.write : buttons.answer,
          data: SUPPORT.write.data({ ticketNo }),
          style: 'primary',
        },
        ...(status === 'closed' ? [] : [{ text: buttons.close, data: SUPPORT.close.data({ ticketNo }) }]),
      ],
      own ? [] : [{ text: buttons.subUser, data: USERS.view.data({ id: accountId }) }],
      own ? [] : [{ text: buttons.passOn, data: SUPPORT.passOn.data({ ticketNo }) }],
      [backButton(texts, SUPPORT.list.data()), homeButton(texts)],
    ],
  }
}

/** A ticket as the shop sees it. */
export function deskTicketScreen(view: View, ticket: TicketThread): Screen {
  const { texts } = view
  const { buttons } = texts.support
  const { ticketNo, status, accountId, username, topic } = ticket
  return {
    text: lines(...threadLines(view, ticket, false)),
    buttons: [
      topic ? matterButton(texts, topic) : [],
      [
        {
          text: texts.customers.buttons.customer(username),
          data: CUSTOMERS.customer.data({ id: accountId }),
        },
      ],
      [
        { text: buttons.answer, data: DESK.write.data({ ticketNo }), style: 'primary' },
        ...(status === 'closed' ? [] : [{ text: buttons.close, data: DESK.close.data({ ticketNo }) }]),
      ],
      [backButton(texts, DESK.list.data()), operatorButton(texts)],
    ],
  }
}

/** Leads to what a ticket is about, as the shop sees it. */
export function matterButton({ support }: Texts, { subject, reference }: TicketTopic): Button[] {
  const { matter } = support.buttons
  switch (subject) {
    case 'order':
    case 'traffic':
      return [{ text: matter[subject], data: CUSTOMERS.order.data({ orderNo: reference }) }]
    case 'proxy':
      return [{ text: matter.proxy, data: CUSTOMERS.proxy.data({ instanceNo: reference }) }]
    case 'top_up':
      return [{ text: matter.top_up, data: CUSTOMERS.topUp.data({ orderNo: reference }) }]
    case 'money':
      return []
  }
}

/** @param own whether the customer reads it: whoever answers is then called "Support" */
function threadLines(view: View, ticket: TicketThread, own: boolean): (Html | '' | undefined)[] {
  const { texts } = view
  const { support } = texts
  const { username, topic, status, earlier, messages } = ticket
  return [
    support.title(own ? texts.support.who.support : username),
    topic ? support.about(topicText(view, topic)) : undefined,
    support.state(support.status[status]),
    earlier > 0 ? support.earlier(earlier) : undefined,
    ...messages.flatMap((message) => ['' as const, messageText(texts, message, own ? undefined : username)]),
  ]
}

/** @param username the customer's; undefined where the customer reads it */
function messageText(
  texts: Texts,
  { author, text, file, createdAt }: TicketMessage,
  username: string | undefined,
): Html {
  const { who, file: files, message } = texts.support
  const name =
    author === 'customer' ? (username ?? who.you) : username === undefined ? who.support : who[author]
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  const shown = [...(file ? [files[file.kind]] : []), ...(cut === '' ? [] : [cut])].join('\n')
  return message(name, texts.dateTime(new Date(createdAt)), shown)
}

/**
 * Asks what to write into a ticket.
 *
 * @param ticket an existing ticket; undefined for a new one
 */
export function writeScreen(
  view: View,
  ticket: Pick<Ticket, 'ticketNo' | 'username' | 'accountId'> | undefined,
  topic: TicketTopic | undefined,
  actorId: number,
): Screen {
  const { ask, askAbout, answer } = view.texts.support
  const question = topic ? askAbout(topicText(view, topic)) : ask
  const text = ticket && ticket.accountId !== actorId ? answer(ticket.username) : question
  const { ticketNo } = ticket ?? {}
  return promptScreen(
    view.texts,
    text,
    ticketNo === undefined ? SUPPORT.list.data() : SUPPORT.view.data({ ticketNo }),
  )
}

/** Asks for the shop's answer. */
export function answerScreen({ texts }: View, { ticketNo, username }: Ticket): Screen {
  return promptScreen(texts, texts.support.answer(username), DESK.view.data({ ticketNo }))
}
