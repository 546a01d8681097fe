import { action } from '../../kit/action.ts'
import { pageNumber, wholeNumber } from '../../kit/parameters.ts'

/** What an account has for programs. */
export const PROGRAMS = { home: action('prg') } as const

const key = { id: wholeNumber }

/** API keys of an account. */
export const KEYS = {
  list: action('prk', { page: pageNumber }),
  key: action('prkv', key),
  create: action('prkn'),
  askRevoke: action('prkr', key),
  revoke: action('prkr!', key),
} as const
