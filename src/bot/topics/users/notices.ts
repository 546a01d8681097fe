import type { Core } from '../../../core/core.ts'
import type { Notice } from '../../../core/notices/messenger.ts'
import { AS_LEFT } from '../../actions/list-position.ts'
import { TOP_UP, resumeButton } from '../../actions/top-ups.ts'
import { USERS } from '../../actions/users.ts'
import { amount, balanceText } from '../../kit/format.ts'
import type { Button } from '../../kit/screen.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'

/** An agent or the operator has changed the balance; a purchase that waits for money is offered. */
export async function adjustedMessage(
  core: Core,
  { recipient, facts, ...chat }: Extract<Notice, { kind: 'balance_adjusted' }>,
): Promise<Message> {
  const texts = textsOf(chat)
  const { amount: change, balance, remark, by, agent, cause } = facts
  const { adjusted } = texts.notices
  const who = by === 'agent' ? adjusted.agent(agent ?? '') : adjusted.shop
  const show = (micros: number) => amount(micros, core.currency)
  const text = lines(
    change > 0 ? adjusted.added(who, show(change)) : adjusted.taken(who, show(-change)),
    cause && adjusted.cause[cause.kind](cause.orderNo),
    remark === null ? undefined : texts.users.remark(remark),
    texts.notices.balance(balanceText(balance, core.currency)),
  )
  const { resume = null, resumeFor } = await core.chats.readDraft(chat.chatId)
  const goesOn = change > 0 && resumeFor === recipient.id
  return noticeMessage(texts, text, ...(goesOn ? resumeButton({ texts }, { reference: resume }) : []))
}

/** The balance of a sub-user that was deleted is the agent's again. */
export function returnedMessage(
  currency: string,
  { facts, ...chat }: Extract<Notice, { kind: 'balance_returned' }>,
): Message {
  const texts = textsOf(chat)
  const { returned, balance } = texts.notices
  return noticeMessage(
    texts,
    lines(
      returned(facts.username, amount(facts.amount, currency)),
      balance(balanceText(facts.balance, currency)),
    ),
  )
}

/** A sub-user asks its agent for money: one press gives what is missing, or declines. */
export function moneyWantedMessage(
  currency: string,
  { facts, ...chat }: Extract<Notice, { kind: 'money_wanted' }>,
): Message {
  const texts = textsOf(chat)
  const { userId, username, missing, requestId } = facts
  const sum = amount(missing, currency)
  const other: Button = {
    text: texts.buy.giveBalance(username),
    data: USERS.adjust.data({ id: userId, position: AS_LEFT, missing }),
  }
  const text = texts.notices.moneyWanted(username, sum)
  if (requestId === undefined) return noticeMessage(texts, text, other)
  const { give, decline } = texts.users.asked
  return noticeMessage(
    texts,
    text,
    { text: give(sum), data: USERS.giveAsked.data({ id: requestId }), style: 'success' },
    other,
    { text: decline, data: USERS.declineAsked.data({ id: requestId }), style: 'danger' },
  )
}

/** The agent has declined a request for money; where USDT is taken, a top-up is offered instead. */
export function declinedMessage(
  { currency, topUps }: Core,
  { facts, ...chat }: Extract<Notice, { kind: 'money_declined' }>,
): Message {
  const texts = textsOf(chat)
  const { agent, missing } = facts
  const sum = amount(missing, currency)
  const topUp: Button = { text: texts.buy.topUp(sum), data: TOP_UP.short.data({ missing }), style: 'primary' }
  return noticeMessage(texts, texts.notices.moneyDeclined(agent, sum), ...(topUps.terms ? [topUp] : []))
}
