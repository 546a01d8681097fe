import type { NetworkName } from '../../../core/network-name.ts'
import type { FoundPayment } from '../../../core/top-ups/find-payment.ts'
import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
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

/** @param networks those that may have the transaction */
export function paymentScreen(
  view: View,
  txid: string,
  kind: Unclear,
  networks: readonly NetworkName[],
): Screen {
  const { texts } = view
  const text = texts.topUps.payment[kind]
  return {
    text: lines(
      typeof text === 'function' ? text(namesOf(networks)) : text,
      '',
      texts.topUps.transaction(txid),
    ),
    buttons: [
      supportButtons(view),
      [{ text: texts.topUps.buttons.history, data: TOP_UP.history.data({ page: 1 }) }, homeButton(texts)],
    ],
  }
}

/** Joins the names of several networks. */
function namesOf(networks: readonly NetworkName[]): NetworkName {
  const joined = (name: keyof NetworkName) => networks.map((network) => network[name]).join(' / ')
  return { full: joined('full'), short: joined('short'), chain: joined('chain'), coin: joined('coin') }
}

/** Returns the button that leads to a transaction in the explorer of its network; none where there is no transaction yet. */
export function explorerButton(
  { texts }: Pick<View, 'texts'>,
  network: NetworkTraits,
  txid: string | null,
): Button[] {
  return txid === null ? [] : [{ text: texts.topUps.buttons.explorer, url: network.transactionUrl(txid) }]
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
