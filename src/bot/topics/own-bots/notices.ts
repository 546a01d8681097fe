import type { Notice } from '../../../core/notices/messenger.ts'
import { OWN_BOTS } from '../../actions/own-bots.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { html, lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'
import { stateText } from './screens.ts'

/** An agent's bot has stopped, or works again. */
export function ownBotMessage({ facts, ...chat }: Extract<Notice, { kind: 'own_bot' }>): Message {
  const texts = textsOf(chat)
  const { ownBots } = texts
  const text = lines(
    html`🤖 <b>@${facts.username}</b>`,
    stateText(texts, facts),
    facts.byOperator && facts.state === 'removed' ? ownBots.byOperator : undefined,
  )
  return noticeMessage(texts, text, { text: ownBots.button, data: OWN_BOTS.home.data() })
}
