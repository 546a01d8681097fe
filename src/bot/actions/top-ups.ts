import { action } from '../kit/action.ts'
import { money, optional, pageAsLeft, text, wholeNumber } from '../kit/parameters.ts'

/** Buttons of the top-ups. */
export const TOP_UP = {
  home: action('topup'),
  /** For a purchase. */
  short: action('tps', { missing: money }),
  /** For a renewal that is still to come: no purchase goes on afterwards. */
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
  /** Says that a transfer which is offered is the payment for it. */
  claim: action('tpm', { orderNo: text, transfer: wholeNumber }),
  history: action('tph', { page: pageAsLeft }),
} as const
