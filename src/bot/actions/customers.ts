import type { OperatorAction } from '../../core/people/permissions.ts'
import { TOP_UP_STATUSES } from '../../core/top-ups/top-up.ts'
import { action } from '../kit/action.ts'
import { oneOf, optional, pageNumber, text, wholeNumber } from '../kit/parameters.ts'

/** Lists of a customer that may be too long for its page. */
export const LISTS = ['orders', 'proxies', 'entries', 'traffic', 'topUps', 'chats'] as const
export type ListName = (typeof LISTS)[number]

/** Changes, each made after a preview and with a reason, by the operator action that each performs. */
const CHANGES = {
  adjust: 'balance.adjust',
  link: 'customer.link',
  logOut: 'customer.logout',
  disable: 'customer.disable',
  enable: 'customer.enable',
  move: 'customer.move',
  delete: 'customer.delete',
  /** Takes back what deleted sub-users of an agent have left. */
  clear: 'agent.clear',
  refundOrder: 'order.refund',
  endOrder: 'proxy.end',
  refund: 'order.refund',
  replace: 'proxy.replace',
  credentials: 'proxy.credentials',
  end: 'proxy.end',
} as const satisfies Readonly<Record<string, OperatorAction>>
export type ChangeName = keyof typeof CHANGES

/** Id of a request for money. */
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
  testProxy: action('cuh', { instanceNo: text }, 'proxy.check'),
  topUp: action('cut', { orderNo: text }),
  /** Top-ups of all customers; without a status, all of them. */
  allTopUps: action('cua', { status: optional(oneOf(TOP_UP_STATUSES)), page: pageNumber }),
  giveAsked: action('cuq!', asked, 'balance.adjust'),
  declineAsked: action('cuqn!', asked, 'balance.decline'),
  /** Begins a change; `subject` is a customer's id, or the number of an order or a proxy. */
  change: action(
    'cuc',
    { change: oneOf(Object.keys(CHANGES) as ChangeName[]), subject: text },
    ({ change }) => (change ? [CHANGES[change]] : []),
  ),
} as const
