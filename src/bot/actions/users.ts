import { action } from '../kit/action.ts'
import { flag, money, oneOf, optional, pageAsLeft, pageNumber, wholeNumber } from '../kit/parameters.ts'
import { position } from './list-position.ts'

/** What an agent writes about a sub-user. */
export const CONTACT_FIELDS = ['email', 'phone', 'remark'] as const

export { AS_LEFT } from './list-position.ts'

/** A sub-user, and where in the list Back leads. */
export const USER = { id: wholeNumber, position } as const

/** Buttons about sub-users. */
export const USERS = {
  /** Without a position, the list begins anew. */
  list: action('users', { position }),
  search: action('usearch', { position }),
  filters: action('uflt', { position }),
  /** What is done with many of them. */
  more: action('umore', { position }),
  create: action('ucreate'),
  createMany: action('umany'),
  view: action('user', USER),
  /** `missing`: what the purchase behind the change lacks. */
  adjust: action('umoney', { ...USER, missing: optional(money) }),
  /** Gives an amount: asks for confirmation at once. */
  give: action('ugive', { ...USER, change: money }),
  rename: action('uname', USER),
  password: action('upass', USER),
  contact: action('ucontact', { ...USER, field: oneOf(CONTACT_FIELDS) }),
  /** The list as a file. */
  file: action('ufile', { position }),
  /** Picking several sub-users: shows a page of the list; picks or unpicks one, or all; takes pasted names. */
  select: action('usel', { page: pageAsLeft }),
  pick: action('upick', { id: wholeNumber, on: flag, page: pageNumber }),
  pickAll: action('upickall', { on: flag, page: pageNumber }),
  pickNames: action('upicknames'),
  adjustPicked: action('upickmoney'),
  renewPicked: action('upickrenew', { days: wholeNumber }),
  statusOfPicked: action('upickstatus', { status: oneOf(['active', 'disabled']) }),
  /** Answers to a request for money. */
  giveAsked: action('uask!', { id: wholeNumber }),
  declineAsked: action('uaskno!', { id: wholeNumber }),
  /** Writes to all sub-users, or to those that are picked. */
  message: action('umsg', { picked: flag }),
  viewMessage: action('umsgview', { id: wholeNumber }),
  sendMessage: action('umsgsend', { id: wholeNumber }),
  stopMessage: action('umsgstop', { id: wholeNumber }),
  status: action('ustatus', { ...USER, status: oneOf(['active', 'disabled']) }),
  remove: action('udelete', USER),
  invite: action('uinvite', USER),
  /** Registration links. */
  links: action('ulinks', { page: optional(pageNumber) }),
  link: action('ulink', { id: wholeNumber }),
  newLink: action('unewlink'),
  /** Makes one without a start balance and without limits. */
  makeLink: action('umakelink'),
  askRevoke: action('ulinkend', { id: wholeNumber }),
  revokeLink: action('ulinkend!', { id: wholeNumber }),
} as const
