import type { Notice } from '../../../core/notices/messenger.ts'
import { translationIn } from '../../../core/translations.ts'
import { BUY_TRAFFIC } from '../../actions/traffic.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { lines } from '../../texts/html.ts'
import { textsOf } from '../../texts/index.ts'

/** How much of the traffic is used. */
export function trafficMessage(notice: Extract<Notice, { kind: 'traffic_80' | 'traffic_100' }>): Message {
  const texts = textsOf(notice)
  const { used, total } = notice.facts
  const text = lines(
    texts.notices[notice.kind],
    '',
    texts.buy.chosen.product(translationIn(notice.facts.names, notice.language)),
    texts.notices.traffic(gigabytes(used, texts), gigabytes(total, texts)),
  )
  const buy = { text: texts.notices.buttons.buyTraffic, data: BUY_TRAFFIC.amounts.data() }
  return noticeMessage(texts, text, buy)
}

/** An address is no longer on the white list. */
export function freedMessage({ facts, ...chat }: Extract<Notice, { kind: 'address_freed' }>): Message {
  const texts = textsOf(chat)
  return noticeMessage(
    texts,
    texts.notices.addressFreed(facts.cidr, translationIn(facts.names, chat.language)),
  )
}
