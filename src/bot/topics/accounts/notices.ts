import type { Notice } from '../../../core/notices/messenger.ts'
import { type Message, noticeMessage } from '../../notices/message.ts'
import { textsOf } from '../../texts/index.ts'
import { DEVICES } from './actions.ts'

/** The account was logged in at another chat. */
export function newLogInMessage(notice: Extract<Notice, { kind: 'new_log_in' }>): Message {
  const { facts, recipient } = notice
  const texts = textsOf(notice)
  const { personName, telegramName, at } = facts
  const person = [personName, telegramName === null ? undefined : `@${telegramName}`].filter(Boolean)
  const text = texts.devices.newLogIn(
    recipient.username,
    person.join(' ') || 'Telegram',
    texts.dateTime(new Date(at)),
  )
  return noticeMessage(texts, text, {
    text: texts.devices.buttons.settings,
    data: DEVICES.list.data(),
  })
}
