import { z } from 'zod'
import { action, type Parameter } from '../kit/action.ts'
import {
  day,
  flag,
  money,
  oneOf,
  optional,
  pageAsLeft,
  pageNumber,
  restOfText,
  text,
  wholeNumber,
} from '../kit/parameters.ts'
import { FORM } from './extraction-form.ts'
import { CHOICE, PROMO, WANTED } from './traffic-choice.ts'

/** Buttons about dynamic traffic, and the orders of it. */
export const TRAFFIC = {
  list: action('dyn', { page: pageNumber }),
  product: action('dp', { product: wholeNumber }),
  orders: action('do', { page: pageNumber, user: optional(wholeNumber) }),
  order: action('dov', { id: wholeNumber, page: pageNumber, user: optional(wholeNumber) }),
} as const

/** Buttons of buying traffic, step by step; each carries all that was chosen before it. */
export const BUY_TRAFFIC = {
  /** Asks for the product; with a product, for the amount. */
  amounts: action('db', { ...WANTED, productId: optional(wholeNumber), promo: PROMO }),
  /** The same for a sub-user. */
  forUser: action('dbf', { user: wholeNumber }),
  typeAmount: action('dbi', { ...WANTED, promo: PROMO }),
  confirm: action('dbq', { ...CHOICE, promo: PROMO }),
  typePromo: action('dbc', { ...CHOICE, promo: PROMO }),
  /** The key becomes the order's number: pressing twice buys once. */
  pay: action('db!', { ...CHOICE, confirmationKey: text, ceiling: money, promo: PROMO }),
} as const

/** Buttons of an extraction; each carries the whole form, so that it works from an old message too. */
export const EXTRACT = {
  form: action('dx', FORM),
  countries: action('dxc', FORM),
  typeCountry: action('dxt', FORM),
  minutes: action('dxm', FORM),
  typeMinutes: action('dxo', FORM),
  quantities: action('dxn', FORM),
  typeQuantity: action('dxq', FORM),
  formats: action('dxa', FORM),
  /** These extract: into the chat, as a file, or as a link, which the secret names: pressing twice makes one. */
  show: action('dx!', FORM),
  file: action('dxf', FORM),
  link: action('dxl', { ...FORM, linkSecret: text }),
  /** `product`: the product from which the list was opened, if any. */
  links: action('dxk', { page: pageNumber, product: optional(wholeNumber) }),
  askRevoke: action('dxr', { id: wholeNumber, page: pageNumber, product: optional(wholeNumber) }),
  revoke: action('dxr!', { id: wholeNumber, page: pageNumber, product: optional(wholeNumber) }),
} as const

/** Direction of a move: to a sub-account, or back from it. */
const direction: Parameter<'give' | 'take'> = {
  schema: z.enum(['give', 'take']).default('give').catch('give'),
  write: String,
}
const move = { id: wholeNumber, direction, megabytes: wholeNumber }

/** Buttons about sub-accounts of one's own traffic. */
export const SUB_ACCOUNT = {
  list: action('ds', { product: wholeNumber, page: pageAsLeft }),
  view: action('dsa', { id: wholeNumber }),
  create: action('dsn', { product: wholeNumber }),
  amounts: action('dsg', { id: wholeNumber, direction }),
  typeAmount: action('dsi', { id: wholeNumber, direction }),
  confirmMove: action('dsq', move),
  /** The key names the move: pressing twice moves once. */
  move: action('ds!', { ...move, confirmationKey: text }),
  setStatus: action('dse', { id: wholeNumber, status: oneOf(['active', 'disabled']) }),
  askPassword: action('dsp', { id: wholeNumber }),
  setPassword: action('dsp!', { id: wholeNumber }),
  askDelete: action('dsd', { id: wholeNumber }),
  remove: action('dsd!', { id: wholeNumber }),
} as const

/** Traffic of a product: one's own, or that of a sub-user. */
export const ACCOUNT = { product: wholeNumber, user: optional(wholeNumber) }

/** Buttons about what traffic is used for. */
export const USAGE = {
  /** Products of which a sub-user has traffic. */
  products: action('dup', { user: wholeNumber, page: pageNumber }),
  days: action('du', ACCOUNT),
  chart: action('duc', ACCOUNT),
  /** Hosts of one day; without a day, of the last 7. */
  hosts: action('dut', { ...ACCOUNT, day: optional(day) }),
  askForget: action('duf', { ...ACCOUNT, day: optional(day) }),
  keepHosts: action('duk', { ...ACCOUNT, keep: flag, day: optional(day) }),
} as const

/** Buttons about the addresses from which traffic is used without a password. */
export const ALLOWED = {
  list: action('dal', { ...ACCOUNT, page: pageNumber }),
  add: action('dan', ACCOUNT),
  /** Lets the traffic of all these addresses exit in any country. */
  anywhere: action('daw', ACCOUNT),
  remove: action('dad', { ...ACCOUNT, address: restOfText }),
} as const
