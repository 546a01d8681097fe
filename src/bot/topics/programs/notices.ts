import type { Notice } from '../../../core/notices/messenger.ts'
import { WEBHOOKS } from '../../actions/programs.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'

/** A webhook was switched off (rules 19.7). */
export function webhookOffMessage({ facts, ...chat }: Extract<Notice, { kind: 'webhook_off' }>): Message {
  const texts = textsOf(chat)
  const { webhooks } = texts.programs
  return noticeMessage(texts, lines(webhooks.turnedOff(facts.host), '', webhooks.offBecause[facts.reason]), {
    text: webhooks.buttons.open,
    data: WEBHOOKS.webhook.data({ id: facts.webhookId }),
  })
}
