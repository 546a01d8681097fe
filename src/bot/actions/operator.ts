import { AUDIENCES } from '../../core/broadcasts/audience.ts'
import { LANGUAGES } from '../../core/languages.ts'
import { action } from '../kit/action.ts'
import { oneOf, optional, pageAsLeft, pageNumber, restOfText, text, wholeNumber } from '../kit/parameters.ts'
import type { Button } from '../kit/screen.ts'
import type { Texts } from '../texts/index.ts'

/** See `paymentKey`. */
const payment = { key: text }
/** Number of a replacement. */
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
  /** What waits for a decision. */
  decide: action('opd'),
  /** How the shop and this chat are set up. */
  setUp: action('opset'),
  figures: action('opf'),
  /** Language of a group. */
  language: action('opl', { language: oneOf(LANGUAGES) }),
  payments: action('opp', { page: pageAsLeft }),
  payment: action('opv', payment),
  assign: action('opa', payment, 'payment.assign'),
  ignore: action('opi', payment, 'payment.ignore'),
  ignoreNow: action('opi!', payment, 'payment.ignore'),
  /** Reopens a payment that was ignored. */
  reopen: action('opu', payment, 'payment.reopen'),
  refund: action('opr', payment, 'payment.refund'),
  suppliers: action('ops', { page: pageNumber }),
  supplier: action('osv', supplier),
  pauseSupplier: action('osp', supplier, 'supplier.pause'),
  resumeSupplier: action('osr', supplier, 'supplier.resume'),
  syncSupplier: action('oss', supplier, 'supplier.sync'),
  testSupplier: action('ost', supplier),
  reconcileSupplier: action('osm', supplier, 'supplier.reconcile'),
  supplierCallback: action('osb', supplier, 'suppliers'),
  addSupplier: action('osn', {}, 'supplier.add'),
  editSupplier: action('ose', supplier, 'supplier.edit'),
  askRemoveSupplier: action('osx', supplier, 'supplier.remove'),
  removeSupplier: action('osx!', supplier, 'supplier.remove'),
  offers: action('oso', { name: text, page: pageNumber }),
  offer: action('oof', offer),
  pauseOffer: action('oop', offer, 'offer.pause'),
  resumeOffer: action('oor', offer, 'offer.resume'),
  doubtful: action('osd', { name: optional(text), page: pageNumber }),
  call: action('osc', call),
  callFound: action('osf', call, 'call.resolve'),
  callAbsent: action('osa', call, 'call.resolve'),
  callAbsentNow: action('osa!', call, 'call.resolve'),
  profit: action('opm', { period: oneOf(PROFIT_PERIODS) }, 'profit'),
  exits: action('oex', { page: pageNumber }),
  exit: action('oev', exit),
  testExit: action('oet', exit),
  pauseExit: action('oep', exit, 'exit.pause'),
  resumeExit: action('oer', exit, 'exit.resume'),
  askRemoveExit: action('oed', exit, 'exit.remove'),
  removeExit: action('oed!', exit, 'exit.remove'),
  editExit: action('oee', exit, 'exit.edit'),
  addExit: action('oen', {}, 'exit.add'),
  gateway: action('ogw'),
  whiteLists: action('owl'),
  usageFile: action('ouf', {}, 'usage.import'),
  askFree: action('owf', { cidr: restOfText }, 'address.free'),
  freeAddress: action('owf!', { cidr: restOfText }, 'address.free'),
  backups: action('obk'),
  backUp: action('obn', {}, 'backup.request'),
  replacements: action('orl', { page: pageNumber }),
  replacement: action('orv', number),
  allow: action('ora', number, 'replacement.decide'),
  /** Allows a replacement, with a refund where there is no equal proxy. */
  refundRest: action('orf', number, 'replacement.decide', 'money'),
  decline: action('ord', number, 'replacement.decide'),
  payouts: action('oyl', { page: pageAsLeft }),
  payout: action('oyv', payout),
  payPayout: action('oyp', payout, 'payout.pay'),
  refusePayout: action('oyr', payout, 'payout.refuse'),
  broadcast: action('obc', { language: optional(oneOf(LANGUAGES)) }, 'broadcast.draft'),
  broadcasts: action('obl'),
  typeBroadcast: action(
    'obt',
    { audience: oneOf(AUDIENCES), language: optional(oneOf(LANGUAGES)) },
    'broadcast.draft',
  ),
  startBroadcast: action('obs', { id: wholeNumber }, 'broadcast.start'),
  scheduleBroadcast: action('obw', { id: wholeNumber, when: oneOf(['hour', 'morning']) }, 'broadcast.start'),
  timeOfBroadcast: action('obat', { id: wholeNumber }, 'broadcast.start'),
  progress: action('obp', { id: wholeNumber }),
  stopBroadcast: action('obx', { id: wholeNumber }, 'broadcast.cancel'),
} as const

/** Leads to the operator's menu. */
export const operatorButton = ({ operator }: Texts): Button => ({
  text: operator.buttons.operator,
  data: OPERATOR.home.data(),
})
