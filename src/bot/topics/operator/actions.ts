import { AUDIENCES } from '../../../core/broadcasts/broadcast.ts'
import { LANGUAGES } from '../../../core/catalog/places.ts'
import { action } from '../../kit/action.ts'
import { oneOf, optional, pageAsLeft, pageNumber, text, wholeNumber } from '../../kit/parameters.ts'

/** See `paymentKey`. */
const payment = { key: text }
/** Of a replacement. */
const number = { number: text }
const payout = { payoutNo: text }

const supplier = { name: text }
const offer = { id: wholeNumber, page: pageNumber }
const call = { callNo: text }
const exit = { id: wholeNumber }
export const PROFIT_PERIODS = ['today', 'week', 'month'] as const

/** Buttons in the operator's chats. */
export const OPERATOR = {
  home: action('op'),
  figures: action('opf'),
  /** That of a group. */
  language: action('opl', { language: oneOf(LANGUAGES) }),
  payments: action('opp', { page: pageAsLeft }),
  payment: action('opv', payment),
  assign: action('opa', payment),
  ignore: action('opi', payment),
  ignoreNow: action('opi!', payment),
  refund: action('opr', payment),
  suppliers: action('ops', { page: pageNumber }),
  supplier: action('osv', supplier),
  pauseSupplier: action('osp', supplier),
  resumeSupplier: action('osr', supplier),
  syncSupplier: action('oss', supplier),
  testSupplier: action('ost', supplier),
  offers: action('oso', { name: text, page: pageNumber }),
  offer: action('oof', offer),
  pauseOffer: action('oop', offer),
  resumeOffer: action('oor', offer),
  doubtful: action('osd', { name: optional(text), page: pageNumber }),
  call: action('osc', call),
  callFound: action('osf', call),
  callAbsent: action('osa', call),
  callAbsentNow: action('osa!', call),
  profit: action('opm', { period: oneOf(PROFIT_PERIODS) }),
  exits: action('oex', { page: pageNumber }),
  exit: action('oev', exit),
  testExit: action('oet', exit),
  pauseExit: action('oep', exit),
  resumeExit: action('oer', exit),
  askRemoveExit: action('oed', exit),
  removeExit: action('oed!', exit),
  addExit: action('oen'),
  gateway: action('ogw'),
  backups: action('obk'),
  backUp: action('obn'),
  replacements: action('orl', { page: pageNumber }),
  replacement: action('orv', number),
  allow: action('ora', number),
  /** Allowed, with the money back where there is no equal proxy. */
  refundRest: action('orf', number),
  decline: action('ord', number),
  payouts: action('oyl', { page: pageAsLeft }),
  payout: action('oyv', payout),
  payPayout: action('oyp', payout),
  refusePayout: action('oyr', payout),
  broadcast: action('obc'),
  typeBroadcast: action('obt', { audience: oneOf(AUDIENCES) }),
  progress: action('obp', { id: wholeNumber }),
  stopBroadcast: action('obx', { id: wholeNumber }),
} as const
