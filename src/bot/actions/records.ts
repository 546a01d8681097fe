import { action } from '../kit/action.ts'
import { pageNumber, wholeNumber } from '../kit/parameters.ts'
import { FILTER } from './records-filter.ts'

/** Buttons of the records. */
export const RECORDS = {
  /** The way in: everything that the person may see. */
  all: action('rec'),
  /** Records of one account: a sub-user, or an agent alone. */
  ofUser: action('ru', { userId: wholeNumber }),
  /** A page of what a filter finds. */
  list: action('rl', { ...FILTER, page: pageNumber }),
  askDates: action('rdate', FILTER),
  file: action('rcsv', FILTER),
  /** `page`: the page of the records to which Back leads. */
  chart: action('rpic', { ...FILTER, page: pageNumber }),
  dashboard: action('dash'),
} as const
