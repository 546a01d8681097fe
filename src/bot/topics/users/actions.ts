import { action } from '../../kit/action.ts'
import { money, oneOf, optional, wholeNumber } from '../../kit/parameters.ts'
import { position } from './list-position.ts'

/** What an agent writes about a sub-user. */
export const CONTACT_FIELDS = ['email', 'phone', 'remark'] as const

export { AS_LEFT } from './list-position.ts'

/** A sub-user, and where in the list Back leads. */
export const USER = { id: wholeNumber, position } as const

/** Buttons about sub-users. */
export const USERS = {
  /** Without a position, from the beginning. */
  list: action('users', { position }),
  search: action('usearch', { position }),
  create: action('ucreate'),
  createMany: action('umany'),
  view: action('user', USER),
  /** With what a purchase lacks for which it is done. */
  adjust: action('umoney', { ...USER, missing: optional(money) }),
  rename: action('uname', USER),
  password: action('upass', USER),
  contact: action('ucontact', { ...USER, field: oneOf(CONTACT_FIELDS) }),
  /** The list as a file. */
  file: action('ufile', { position }),
  status: action('ustatus', { ...USER, status: oneOf(['active', 'disabled']) }),
  remove: action('udelete', USER),
  invite: action('uinvite', USER),
} as const
