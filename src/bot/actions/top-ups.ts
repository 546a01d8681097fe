import type { Micros } from '../../core/money.ts'
import type { TopUp } from '../../core/top-ups/top-up.ts'
import { action } from '../kit/action.ts'
import { money, optional, pageAsLeft, text, wholeNumber } from '../kit/parameters.ts'
import type { Button } from '../kit/screen.ts'
import type { View } from '../kit/view.ts'
import type { Texts } from '../texts/index.ts'

/** Buttons of the top-ups. */
export const TOP_UP = {
  home: action('topup'),
  /** Begins a top-up for a purchase. */
  short: action('tps', { missing: money }),
  /** Begins a top-up for a renewal that is still to come: no purchase is resumed afterwards. */
  shortOfRenewal: action('tpr', { missing: money }),
  /** Asks whoever can give money. */
  ask: action('tpk', { missing: money }),
  type: action('tpt', { missing: optional(money) }),
  /** The key names it: pressing twice opens one top-up. */
  open: action('tpo', { amount: text, confirmationKey: text }),
  view: action('tp', { orderNo: text }),
  check: action('tpc', { orderNo: text }),
  cancel: action('tpx', { orderNo: text }),
  cancelNow: action('tpx!', { orderNo: text }),
  /** Claims an offered transfer as the payment. */
  claim: action('tpm', { orderNo: text, transfer: wholeNumber }),
  history: action('tph', { page: pageAsLeft }),
} as const

/** Leads back to the purchase for which the money was missing. */
export function resumeButton(
  { texts }: Pick<View, 'texts'>,
  { reference }: Pick<TopUp, 'reference'>,
): Button[] {
  return reference === null ? [] : [{ text: texts.topUps.buttons.resume, data: reference, style: 'success' }]
}

/** @param missing what the balance lacks for renewals: the amount that is offered first */
export function topUpButton(texts: Texts, missing?: Micros): Button {
  const data = missing === undefined ? TOP_UP.home.data() : TOP_UP.shortOfRenewal.data({ missing })
  return { text: texts.notices.buttons.topUp, data, style: 'primary' }
}
