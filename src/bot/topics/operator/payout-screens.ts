import type { Payout, PayoutWithOrigin } from '../../../core/earnings/payout.ts'
import type { Micros } from '../../../core/money.ts'
import type { Page } from '../../../core/page.ts'
import { usdtText } from '../../../core/usdt.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { backButton } from '../../kit/buttons.ts'
import { amount, usdt } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const PAYOUTS_PER_PAGE = 8
type Words = Pick<View, 'texts' | 'currency'>

/** Payouts that wait to be paid, the oldest first. */
export function payoutsScreen({ texts }: Words, { items, total, page, pageSize }: Page<Payout>): Screen {
  const { payouts: words } = texts.operator
  return {
    text: total === 0 ? words.none : words.title(total),
    buttons: [
      ...items.map((payout): Button[] => [
        {
          text: words.button(payout.username, usdt(payout.usdtUnits)),
          name: payout.username,
          data: OPERATOR.payout.data(payout),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => OPERATOR.payouts.data({ page: to })),
      [operatorButton(texts)],
    ],
  }
}

/** Says whom to pay, how much and to which address, and where the money came from. */
export function payoutText({ texts, currency }: Words, payout: PayoutWithOrigin): Html {
  const { payouts: words } = texts.operator
  const { toppedUp, creditedAsPaid, paidOut, payable, payableByAgent } = payout
  const show = (micros: Micros) => amount(micros, currency)
  return lines(
    words.wanted(payout.username, amount(payout.amount, currency)),
    words.number(payout.payoutNo),
    '',
    words.send(usdtText(payout.usdtUnits), payout.address),
    '',
    words.requestedAt(texts.dateTime(new Date(payout.createdAt))),
    '',
    words.origin,
    words.toppedUp(show(toppedUp)),
    creditedAsPaid === 0 ? undefined : words.creditedAsPaid(show(creditedAsPaid)),
    paidOut === 0 ? undefined : words.paidOut(show(paidOut)),
    payableByAgent === 0 ? undefined : words.byAgent(show(payableByAgent), show(payable)),
  )
}

export function payoutButtons({ operator: { buttons } }: Texts, payout: Payout): Button[][] {
  return [
    [
      { text: buttons.copyAmount, copy: usdtText(payout.usdtUnits) },
      { text: buttons.copyAddress, copy: payout.address },
    ],
    [
      { text: buttons.payoutPaid, data: OPERATOR.payPayout.data(payout), style: 'success' },
      { text: buttons.refusePayout, data: OPERATOR.refusePayout.data(payout), style: 'danger' },
    ],
  ]
}

export function payoutScreen(view: Words, payout: PayoutWithOrigin): Screen {
  const { texts } = view
  return {
    text: payoutText(view, payout),
    buttons: [...payoutButtons(texts, payout), [back(texts), operatorButton(texts)]],
  }
}

/**
 * Asks for what a decision needs.
 *
 * @param question the transaction of the payment, or the reason of a refusal
 */
export function decisionPrompt(view: Words, payout: PayoutWithOrigin, question: Html): Screen {
  return promptScreen(view.texts, lines(payoutText(view, payout), '', question), OPERATOR.payout.data(payout))
}

/** Says what became of a payout, with the way to the next one. */
export function decidedPayoutScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [[back(texts), operatorButton(texts)]] }
}

function back(texts: Texts): Button {
  return backButton(texts, OPERATOR.payouts.data({ page: undefined }))
}
