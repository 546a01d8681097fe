import type { Notice } from '../../../core/notices/messenger.ts'
import { DEVICES } from '../../actions/accounts.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'

/** Words the notice that the account was logged in at another chat. */
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

/** Words the notice that the account has another agent, with the secrets that have ended and must be made anew. */
export function agentChangedMessage(notice: Extract<Notice, { kind: 'agent_changed' }>): Message {
  const { facts, recipient } = notice
  const texts = textsOf(notice)
  const { title, ended, kinds } = texts.accounts.agentChanged
  const gone = Object.entries(kinds).flatMap(([kind, line]) => {
    const count = facts.ended[kind as keyof typeof kinds] ?? 0
    return count > 0 ? [line(count)] : []
  })
  const text = lines(
    title(recipient.username, facts.agent),
    ...(gone.length > 0 ? (['', ended, ...gone] as const) : []),
  )
  return noticeMessage(texts, text, { text: texts.devices.buttons.settings, data: DEVICES.list.data() })
}
