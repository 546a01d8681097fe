import { action } from '../../kit/action.ts'
import { oneOf, pageNumber, text, wholeNumber } from '../../kit/parameters.ts'

/** What a customer has more than fits on its page. */
export const LISTS = ['orders', 'proxies', 'entries', 'traffic', 'topUps', 'chats'] as const
export type ListName = (typeof LISTS)[number]

/** What can be changed, each after a preview and with a reason. */
export const CHANGES = [
  'adjust',
  'link',
  'logOut',
  'disable',
  'enable',
  'move',
  'delete',
  'refundOrder',
  'refund',
  'replace',
  'credentials',
] as const
export type ChangeName = (typeof CHANGES)[number]

/** A request for money: its subject. */
const asked = { id: wholeNumber }

/** Customers in the operator's chats. */
export const CUSTOMERS = {
  find: action('cu'),
  create: action('cun', {}, 'customer.create'),
  customer: action('cuv', { id: wholeNumber }),
  contact: action('cue', { id: wholeNumber }, 'account.edit'),
  list: action('cul', { id: wholeNumber, list: oneOf(LISTS), page: pageNumber }),
  order: action('cuo', { orderNo: text, page: pageNumber }),
  proxy: action('cup', { instanceNo: text }),
  topUp: action('cut', { orderNo: text }),
  giveAsked: action('cuq!', asked, 'balance.adjust'),
  declineAsked: action('cuqn!', asked, 'balance.decline'),
  /** Of a customer's id, or the number of an order or a proxy. */
  change: action('cuc', { change: oneOf(CHANGES), subject: text }),
} as const
