import type { Notice } from '../../../core/notices/messenger.ts'
import { amount } from '../../kit/format.ts'
import { lines } from '../../kit/html.ts'
import { type Message, noticeMessage } from '../../notices/message.ts'
import { LOCALES } from '../../texts/index.ts'
import { USERS } from './actions.ts'
import { AS_LEFT } from './list-position.ts'

/** An agent or the operator has changed the balance. */
export function adjustedMessage(
  currency: string,
  { language, facts }: Extract<Notice, { kind: 'balance_adjusted' }>,
): Message {
  const texts = LOCALES[language]
  const { amount: change, balance, remark, by } = facts
  const { adjusted } = texts.notices
  const text = lines(
    change > 0 ? adjusted.added(by, amount(change, currency)) : adjusted.taken(by, amount(-change, currency)),
    remark === null ? undefined : texts.users.remark(remark),
    texts.notices.balance(amount(balance, currency)),
  )
  return noticeMessage(texts, text)
}

/** A sub-user asks its agent for money. */
export function moneyWantedMessage(
  currency: string,
  { language, facts }: Extract<Notice, { kind: 'money_wanted' }>,
): Message {
  const texts = LOCALES[language]
  const { userId, username, missing } = facts
  return noticeMessage(texts, texts.notices.moneyWanted(username, amount(missing, currency)), {
    text: texts.buy.giveBalance(username),
    data: USERS.adjust.data({ id: userId, position: AS_LEFT, missing }),
    style: 'primary',
  })
}
