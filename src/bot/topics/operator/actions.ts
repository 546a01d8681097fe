import { AUDIENCES } from '../../../core/broadcasts/broadcast.ts'
import { LANGUAGES } from '../../../core/catalog/places.ts'
import { action } from '../../kit/action.ts'
import { oneOf, pageAsLeft, pageNumber, text, wholeNumber } from '../../kit/parameters.ts'

/** See `paymentKey`. */
const payment = { key: text }
/** Of a replacement. */
const number = { number: text }

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
  replacements: action('orl', { page: pageNumber }),
  replacement: action('orv', number),
  allow: action('ora', number),
  /** Allowed, with the money back where there is no equal proxy. */
  refundRest: action('orf', number),
  decline: action('ord', number),
  broadcast: action('obc'),
  typeBroadcast: action('obt', { audience: oneOf(AUDIENCES) }),
  progress: action('obp', { id: wholeNumber }),
  stopBroadcast: action('obx', { id: wholeNumber }),
} as const
