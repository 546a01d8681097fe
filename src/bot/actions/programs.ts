import { action } from '../kit/action.ts'
import { ALL_EVENTS } from '../../core/webhooks/events.ts'
import { flag, oneOf, pageNumber, wholeNumber } from '../kit/parameters.ts'

/** Leads to what an account has for programs: API keys and webhooks. */
export const PROGRAMS = { home: action('prg') } as const

const key = { id: wholeNumber }

const webhook = { id: wholeNumber }

/** Webhooks of an account. */
export const WEBHOOKS = {
  list: action('pwh'),
  create: action('pwhn'),
  webhook: action('pwhv', webhook),
  turn: action('pwht', { ...webhook, on: flag }),
  events: action('pwhe', webhook),
  hear: action('pwhe!', { ...webhook, event: oneOf(ALL_EVENTS), on: flag }),
  test: action('pwhs', webhook),
  log: action('pwhl', { ...webhook, page: pageNumber }),
  askSecret: action('pwhk', webhook),
  secret: action('pwhk!', webhook),
  askDelete: action('pwhd', webhook),
  delete: action('pwhd!', webhook),
} as const

/** API keys of an account. */
export const KEYS = {
  list: action('prk', { page: pageNumber }),
  key: action('prkv', key),
  create: action('prkn'),
  askRevoke: action('prkr', key),
  revoke: action('prkr!', key),
} as const
