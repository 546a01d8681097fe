import type { Core } from '../../../core/core.ts'
import type { Notice, OperatorNotice } from '../../../core/notices/messenger.ts'
import { DESK, SUPPORT } from '../../actions/support.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { html, lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'
import { matterButton, topicText } from './screens.ts'

type Told = 'support_question' | 'support_answer' | 'support_closed'

/** Returns the message about a ticket to its customer or answering agent; a reply to it is written into the ticket. */
export function supportMessage({ currency }: Core, notice: Extract<Notice, { kind: Told }>): Message {
  const texts = textsOf(notice)
  const { support } = texts
  const { ticketNo, topic } = notice.facts
  const about = topic ? support.about(topicText({ texts, currency }, topic)) : undefined
  const open = { text: support.buttons.open, data: SUPPORT.view.data({ ticketNo }) }
  const write = (text: string) => ({
    text,
    data: SUPPORT.write.data({ ticketNo }),
    style: 'primary' as const,
  })
  if (notice.kind === 'support_closed')
    return noticeMessage(texts, lines(support.closed, about), write(support.buttons.write))
  const { username, text, file } = notice.facts
  const question = notice.kind === 'support_question'
  const message = noticeMessage(
    texts,
    lines(question ? support.question(username) : support.answered, about, '', html`${text}`),
    write(question ? support.buttons.answer : support.buttons.write),
    open,
  )
  return file ? { ...message, sent: file } : message
}

/** What a customer has written, for the shop. */
export function questionMessage(
  { currency }: Core,
  { facts, ...chat }: Extract<OperatorNotice, { kind: 'support_question' }>,
): Message {
  const texts = textsOf(chat)
  const { support } = texts
  const { ticketNo, username, topic, text, file } = facts
  return {
    text: lines(
      support.question(username),
      topic ? support.about(topicText({ texts, currency }, topic)) : undefined,
      '',
      html`${text}`,
      '',
      support.replyHint,
    ),
    buttons: [
      [
        { text: support.buttons.answer, data: DESK.write.data({ ticketNo }), style: 'primary' },
        { text: support.buttons.open, data: DESK.view.data({ ticketNo }) },
      ],
      topic ? matterButton(texts, topic) : [],
    ],
    ...(file && { sent: file }),
  }
}
