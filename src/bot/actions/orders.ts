import { z } from 'zod'
import { PROXY_FILTERS, type ProxyFilter } from '../../core/orders/list-proxies.ts'
import { ORDER_FILTERS } from '../../core/orders/list-static-orders.ts'
import { LINK_CONTENTS } from '../../core/orders/proxy-links.ts'
import { action, type Parameter } from '../kit/action.ts'
import { flag, money, oneOf, optional, pageNumber, restOfText, text, wholeNumber } from '../kit/parameters.ts'
import { steps } from '../kit/steps.ts'

/** What people say is wrong with a proxy; another reason is typed. */
export const REPLACEMENT_REASONS = ['dead', 'blocked', 'slow', 'place'] as const

export type OrderFilter = (typeof ORDER_FILTERS)[number]

const filter: Parameter<OrderFilter, OrderFilter | undefined> = {
  schema: z.enum(ORDER_FILTERS).default('all').catch('all'),
  write: String,
}
const fileKind = oneOf(['txt', 'csv'])
/** Position of a proxy in its order, from 0; -1, which no proxy has, for a forged one. */
const position: Parameter<number | undefined> = {
  schema: z
    .string()
    .transform((digits) => wholeNumber.schema.parse(digits) ?? -1)
    .optional(),
  write: String,
}

/** Buttons about orders of static proxies. */
export const ORDERS = {
  list: action('orders', { filter, page: pageNumber }),
  ofUser: action('ou', { user: wholeNumber, filter, page: pageNumber }),
  /** Orders of an agent and all of its sub-users. */
  ofAll: action('oa', { filter, page: pageNumber }),
  /** `user`: a sub-user, or 0 for all; undefined for oneself. */
  filters: action('oflt', { user: optional(wholeNumber), filter }),
  /** `list`: callback data of the list that is searched. */
  search: action('os', { list: restOfText }),
  found: action('of', { page: pageNumber }),
  view: action('order', { id: wholeNumber, page: pageNumber }),
  file: action('ofile', { id: wholeNumber, kind: fileKind }),
  fileOfUser: action('ofiles', { user: wholeNumber, kind: fileKind }),
  fileOfAll: action('oafiles', { kind: fileKind }),
  autoRenew: action('oauto', { id: wholeNumber, on: flag }),
  proxies: action('oproxies', { id: wholeNumber, page: pageNumber }),
  proxy: action('oproxy', { id: wholeNumber, position }),
  /** Asks whether to give a proxy new credentials; `newPasswordYes` does it. */
  newPassword: action('oproxykey', { id: wholeNumber, position }),
  newPasswordYes: action('oproxykeyyes', { id: wholeNumber, position }),
  proxyAutoRenew: action('oproxyauto', { id: wholeNumber, position, on: flag }),
  test: action('otest', { id: wholeNumber, position }),
  /** Tests all proxies of an order, and shows what comes of it. */
  testAll: action('otestall', { id: wholeNumber }),
  tested: action('otested', { id: wholeNumber, page: pageNumber }),
} as const

const proxyFilter: Parameter<ProxyFilter, ProxyFilter | undefined> = {
  schema: z.enum(PROXY_FILTERS).default('active').catch('active'),
  write: String,
}
const country: Parameter<string | undefined> = {
  schema: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  write: String,
}
/** Filter of a list of proxies. */
const narrowed = {
  /** Owner: undefined for oneself, the id of a sub-user, or 0 for oneself and all sub-users. */
  user: optional(wholeNumber),
  filter: proxyFilter,
  /** Id of a product. */
  product: optional(wholeNumber),
  /** Code of a country. */
  country,
} as const

/** Buttons of the list of proxies, whatever orders they came with. */
export const PROXIES = {
  list: action('px', { ...narrowed, page: pageNumber }),
  filters: action('pxf', narrowed),
  /** Files and links of what is in use. */
  export: action('pxm', narrowed),
  /** Tests all proxies of a user in use, and shows what comes of it. */
  testAll: action('pxt', { user: optional(wholeNumber) }),
  tested: action('pxd', { user: optional(wholeNumber), page: pageNumber }),
  /** `list`: callback data of the list that is searched. */
  search: action('pxs', { list: restOfText }),
  found: action('pxr', { page: pageNumber }),
  note: action('pxn', { id: wholeNumber, position }),
  noNote: action('pxnx', { id: wholeNumber, position }),
  formats: action('pxc', { id: wholeNumber, position }),
} as const

const whoseLinks = { user: wholeNumber } as const

/** Buttons of public links to the proxies of a user, or of one order. */
export const LINKS = {
  /** Asks for the content of the link. */
  begin: action('pl', { ...whoseLinks, order: optional(wholeNumber) }),
  /** The secret names the link: pressing twice makes one. */
  make: action('plm', {
    ...whoseLinks,
    order: optional(wholeNumber),
    content: oneOf(LINK_CONTENTS),
    secret: text,
  }),
  list: action('pll', { ...whoseLinks, page: pageNumber }),
  askRevoke: action('plr', { id: wholeNumber, ...whoseLinks, page: pageNumber }),
  revoke: action('plr!', { id: wholeNumber, ...whoseLinks, page: pageNumber }),
} as const

/** Buttons that begin a renewal or a release: of one proxy, or of all that there are. */
export const CHANGE = {
  renew: action('renew', { id: wholeNumber, position }),
  release: action('release', { id: wholeNumber, position }),
  /** Renews one proxy for the term it was bought for; `until`: its end in seconds, `limit`: the most that it may cost. */
  renewNow: action('renewn', { id: wholeNumber, position, until: wholeNumber, limit: money }),
  /** Releases one proxy; `limit`: the least that has to be refunded. */
  releaseNow: action('rlsn', { id: wholeNumber, position, limit: money }),
} as const

/** Begins with many proxies at once: those of a user, of a product, in a country. */
export const SELECT = {
  begin: action('rn', { user: optional(wholeNumber), product: optional(wholeNumber), country }),
} as const

/** Sets of proxies that one press chooses; `alive`: those chosen before, without the dead ones. */
export const CHOSEN_BY = ['soon', 'all', 'none', 'alive'] as const

/** What the buttons do to many proxies that are chosen. */
export const SELECTION_STEPS = steps('rs', {
  show: { page: pageNumber },
  /** Chooses one proxy (its id), or drops it from the choice. */
  set: { proxy: wholeNumber, on: flag, page: pageNumber },
  choose: { by: oneOf(CHOSEN_BY) },
  /** Term of the renewal; empty: each proxy for the term it was bought for. */
  term: { term: text },
  auto: { on: flag },
  note: {},
  /** Key of what the screen showed, the most that it may cost, and whether dead proxies are renewed, too. */
  renew: { confirmationKey: text, limit: money, dead: flag },
})

/** Buttons of the replacement of a proxy: what is wrong with it, and the confirmation of what was shown. */
export const REPLACE = {
  begin: action('rpl', { id: wholeNumber, position }),
  /** `key`: that of what the screen says will happen; without it, this is shown first. */
  reason: action('rplr', {
    id: wholeNumber,
    position,
    reason: oneOf(REPLACEMENT_REASONS),
    key: optional(text),
  }),
  ownReason: action('rplo', { id: wholeNumber, position }),
  /** `key` is that of the replacement in the chat's draft. */
  confirm: action('rplc', { key: text }),
} as const

/** What the buttons do to a renewal or release under way. */
export const CHANGE_STEPS = steps('life', {
  pick: { page: pageNumber },
  /** Picks one proxy, or unpicks it. */
  set: { position: wholeNumber, on: flag, page: pageNumber },
  /** All of them, or none. */
  all: { on: flag, page: pageNumber },
  next: {},
  /** Dead ones are renewed, too, or left out. */
  dead: { on: flag },
  terms: {},
  term: { term: text },
  confirm: {},
  /** Key of what the confirm screen showed, and the most that it may cost, or the least that it has to refund. */
  do: { confirmationKey: text, limit: money },
})
