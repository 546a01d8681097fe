import type { Notice } from '../../core/notices/messenger.ts'
import { EARNINGS } from '../actions/earnings.ts'
import { amount, usdt } from '../kit/format.ts'
import { type Message, noticeMessage } from '../kit/message.ts'
import { lines } from '../texts/html.ts'
import { textsOf } from '../texts/index.ts'

type AboutPayout = Extract<Notice, { kind: 'payout_paid' | 'payout_refused' }>

/** What has become of a payout. */
export function payoutMessage(currency: string, notice: AboutPayout): Message {
  const texts = textsOf(notice)
  const { kind, subject, facts } = notice
  const { payout: words } = texts.notices
  const { usdtUnits, address, txid, reason } = facts
  const sum = amount(facts.amount, currency)
  const [heading, details] =
    kind === 'payout_paid'
      ? [words.paid(sum), words.sent(usdt(usdtUnits), address, txid)]
      : [words.refused(sum), words.reason(reason)]
  return noticeMessage(texts, lines(heading, '', words.number(subject), details), {
    text: texts.earnings.buttons.openPayout,
    data: EARNINGS.payout.data({ payoutNo: subject }),
  })
}
