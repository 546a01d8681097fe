import type { FoundPayment } from '../../../core/top-ups/find-payment.ts'
import type { OfferedTransfer } from '../../../core/top-ups/offered-transfers.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import { supportButtons } from '../../actions/support.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import { homeButton } from '../../kit/buttons.ts'
import { usdt } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

/** Outcome for a payment that does not belong to a top-up of whoever asks, or not yet. */
type Unclear = Exclude<FoundPayment['kind'], 'top_up' | 'offered'> | 'too_often'

export function paymentScreen(view: View, txid: string, kind: Unclear): Screen {
  const { texts } = view
  return {
    text: lines(texts.topUps.payment[kind], '', texts.topUps.transaction(txid)),
    buttons: [
      supportButtons(view),
      [{ text: texts.topUps.buttons.history, data: TOP_UP.history.data({ page: 1 }) }, homeButton(texts)],
    ],
  }
}

/** Is this transfer the payment for the top-up? */
export function offerScreen(view: View, topUp: TopUp, transfer: OfferedTransfer): Screen {
  const { texts } = view
  const { orderNo } = topUp
  return {
    text: lines(
      offerText(view, topUp, transfer),
      '',
      texts.topUps.number(orderNo),
      texts.topUps.transaction(transfer.txid),
    ),
    buttons: [
      claimButton(view, topUp, transfer),
      supportButtons(view, { subject: 'top_up', reference: orderNo }),
      [{ text: texts.topUps.buttons.open, data: TOP_UP.view.data({ orderNo }) }, homeButton(texts)],
    ],
  }
}

/** What has arrived, and what was expected; or that it is claimed already. */
export function offerText(
  { texts }: View,
  { payAmount }: Pick<TopUp, 'payAmount'>,
  { units, from, blockTime, claimedAt }: OfferedTransfer,
): Html {
  const { arrived, claimed } = texts.topUps.offer
  const facts = {
    amount: usdt(units),
    from,
    time: texts.dateTime(new Date(blockTime)),
    asked: usdt(payAmount),
  }
  return claimedAt === null ? arrived(facts) : claimed(facts)
}

/** Returns the button that claims a transfer; none once it is claimed. */
export function claimButton(
  { texts }: View,
  { orderNo }: Pick<TopUp, 'orderNo'>,
  { id, units, claimedAt }: OfferedTransfer,
): Button[] {
  if (claimedAt !== null) return []
  const data = TOP_UP.claim.data({ orderNo, transfer: id })
  return [{ text: texts.topUps.buttons.claim(usdt(units)), data, style: 'success' }]
}
