import type { Payout } from '../../../core/earnings/payout.ts'
import type { PayoutTerms } from '../../../core/earnings/payout-terms.ts'
import type { Micros } from '../../../core/money.ts'
import type { Page } from '../../../core/page.ts'
import { worthOf } from '../../../core/usdt.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { bothEnds, LINE } from '../../kit/columns.ts'
import { amount, balanceText, usdt } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { amountPrompt } from './screens.ts'

export const PAYOUTS_PER_PAGE = 6

/** @param last address of the last payout */
export function addressPrompt({ texts }: View, last: string | undefined): Prompt {
  const { payout } = texts.earnings
  const { text, buttons } = promptScreen(texts, payout.askAddress(last), EARNINGS.home.data())
  const again = last !== undefined && { text: bothEnds(last, LINE), answer: last, style: 'primary' as const }
  return { text, buttons: [again ? [again] : [], ...buttons] }
}

/** Asks how much of the payable amount to pay out. */
export function payoutAmountPrompt(view: View, payable: Micros, { min, rate }: PayoutTerms): Prompt {
  const { payout } = view.texts.earnings
  const show = (micros: Micros) => amount(micros, view.currency)
  return amountPrompt(
    view,
    payout.askAmount(balanceText(payable, view.currency), show(min), show(rate)),
    payable,
  )
}

/** Shows the whole request for confirmation, with one button. */
export function confirmPayoutPrompt(
  { texts, currency }: View,
  micros: Micros,
  address: string,
  { rate }: PayoutTerms,
): Prompt {
  const { payout, buttons: words } = texts.earnings
  const worth = usdt(worthOf(micros, rate))
  const { text, buttons } = promptScreen(
    texts,
    payout.confirm(amount(micros, currency), worth, address),
    EARNINGS.home.data(),
  )
  return { text, buttons: [[{ text: words.askFor(worth), answer: 'payout', style: 'success' }], ...buttons] }
}

/** The payouts of an agent, newest first. */
export function payoutsScreen(
  { texts, currency, now }: View,
  { items, total, page, pageSize }: Page<Payout>,
): Screen {
  const { payout: words } = texts.earnings
  return {
    text: total === 0 ? words.none : words.list(total),
    buttons: [
      ...items.map((payout): Button[] => [
        {
          text: words.button(
            words.icons[payout.status],
            amount(payout.amount, currency),
            texts.shortDate(new Date(payout.createdAt), now),
          ),
          data: EARNINGS.payout.data(payout),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => EARNINGS.payouts.data({ page: to })),
      [backButton(texts, EARNINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** @param note what has just been done */
export function payoutScreen(view: View, payout: Payout, note?: Html): Screen {
  const { texts } = view
  const { buttons } = texts.earnings
  const { status, txid } = payout
  return {
    text: lines(...payoutLines(view, payout), ...(note ? ['' as const, note] : [])),
    buttons: [
      status === 'requested'
        ? [{ text: buttons.cancelPayout, data: EARNINGS.askCancel.data(payout), style: 'danger' }]
        : [],
      txid === null ? [] : [{ text: buttons.copyTxid, copy: txid }],
      [backButton(texts, EARNINGS.payouts.data({ page: undefined })), homeButton(texts)],
    ],
  }
}

export function cancelPayoutScreen(view: View, payout: Payout): Screen {
  const { texts } = view
  const { buttons, payout: words } = texts.earnings
  return {
    text: lines(...payoutLines(view, payout), '', words.askCancel),
    buttons: [
      [{ text: buttons.cancelPayout, data: EARNINGS.cancel.data(payout), style: 'danger' }],
      [backButton(texts, EARNINGS.payout.data(payout)), homeButton(texts)],
    ],
  }
}

function payoutLines({ texts, currency }: View, payout: Payout): (Html | '' | undefined)[] {
  const { payout: words } = texts.earnings
  const { payoutNo, status, amount: micros, usdtUnits, address, txid, reason, createdAt, endedAt } = payout
  const time = (iso: string) => texts.dateTime(new Date(iso))
  return [
    words.title(payoutNo),
    '',
    words.state(words.icons[status], words.states[status]),
    words.worth(amount(micros, currency), usdt(usdtUnits)),
    words.address(address),
    words.requestedAt(time(createdAt)),
    endedAt === null ? undefined : words.endedAt(time(endedAt)),
    txid === null ? undefined : words.txid(txid),
    reason === '' ? undefined : words.reason(reason),
  ]
}
