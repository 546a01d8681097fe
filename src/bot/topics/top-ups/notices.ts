import type { Core } from '../../../core/core.ts'
import type { Micros } from '../../../core/money.ts'
import type { Notice } from '../../../core/notices/messenger.ts'
import { supportButtons } from '../../actions/support.ts'
import { TOP_UP, resumeButton, topUpButton } from '../../actions/top-ups.ts'
import { amount, balanceText, usdt } from '../../kit/format.ts'
import { type Message, noticeMessage } from '../../kit/message.ts'
import { lines } from '../../texts/html.ts'
import { type OfBrand, supportOf } from '../../session/view-of.ts'
import { textsOf } from '../../texts/index.ts'

type AboutTopUp = Extract<
  OfBrand<Notice>,
  { kind: 'top_up_paid' | 'top_up_late' | 'top_up_expired' | 'low_balance' }
>

/** What has become of a top-up; or that one is needed. */
export async function topUpMessage(core: Core, notice: AboutTopUp): Promise<Message> {
  const texts = textsOf(notice)
  const show = (micros: Micros) => amount(micros, core.currency)
  switch (notice.kind) {
    case 'top_up_paid':
    case 'top_up_late': {
      const { orderNo, payUnits, credited, balance, manual } = notice.facts
      const text = lines(
        texts.notices[notice.kind],
        '',
        texts.notices.topUpNo(orderNo),
        manual ? texts.notices.assigned : undefined,
        texts.notices.received(usdt(payUnits), show(credited)),
        texts.notices.balance(balanceText(balance, core.currency)),
      )
      const [resume] = resumeButton({ texts }, await core.topUps.get(notice.recipient, orderNo))
      const details = { text: texts.notices.buttons.topUpDetails, data: TOP_UP.view.data({ orderNo }) }
      return noticeMessage(texts, text, resume, details)
    }
    case 'top_up_expired': {
      const text = lines(texts.notices.top_up_expired, '', texts.notices.topUpNo(notice.subject))
      const [help] = supportButtons(
        { texts, support: await supportOf(core, notice.brand) },
        { subject: 'top_up', reference: notice.subject },
      )
      return noticeMessage(texts, text, topUpButton(texts), help)
    }
    case 'low_balance': {
      const { balance, needed, until } = notice.facts
      const text = texts.notices.low_balance(
        balanceText(balance, core.currency),
        show(needed),
        texts.dateTime(new Date(until)),
      )
      return noticeMessage(texts, text, topUpButton(texts))
    }
  }
}
