import { ALL_CONCERNS } from '../../core/notices/concerns.ts'
import { SALES_MODES } from '../../core/notices/sales.ts'
import { ACTION_GROUPS, SHOP_ROLES } from '../../core/people/permissions.ts'
import { action } from '../kit/action.ts'
import { flag, oneOf, optional, pageNumber, wholeNumber } from '../kit/parameters.ts'

const person = { id: wholeNumber }

/** Those who run the shop, in the operator's chats. */
export const PEOPLE = {
  list: action('hl', { page: pageNumber }),
  person: action('hv', person),
  add: action('hn', {}, 'person.add'),
  /** Without a role, asks for it. */
  role: action('hr', { ...person, role: optional(oneOf(SHOP_ROLES)) }, 'person.edit'),
  rename: action('hm', person, 'person.edit'),
  telegram: action('ht', person, 'person.edit'),
  askRemove: action('hd', person, 'person.remove'),
  remove: action('hd!', person, 'person.remove'),
  /** A link that nobody has opened yet. */
  invite: action('hi', person, 'person.invite'),
  revokeInvite: action('hi!', person, 'person.uninvite'),
  /** Makes a link by which the person logs in outside of Telegram. */
  web: action('hb'),
  endWeb: action('hb!'),
  /** How the chat is told of sales. */
  sales: action('hw', { mode: optional(oneOf(SALES_MODES)) }, 'profit'),
  /** What a person's own chat is told. */
  notices: action('hs', { what: optional(oneOf(ALL_CONCERNS)), off: optional(flag) }),
} as const

/** Buttons of the trail: what those who run the shop did. Its filter is kept in the chat's draft. */
export const TRAIL = {
  /** Shows everything, without a filter. */
  all: action('hta'),
  /** Entries older than the id `before`; without it, the newest. */
  page: action('htp', { before: optional(wholeNumber) }),
  ofPerson: action('hto', person),
  chooseGroup: action('htg'),
  ofGroup: action('htk', { group: optional(oneOf(ACTION_GROUPS)) }),
  choosePerson: action('htw'),
  askSubject: action('hts'),
  file: action('htf'),
} as const
