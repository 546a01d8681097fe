import { CHOICES } from '../../core/operator/choices.ts'
import { action } from '../kit/action.ts'
import { oneOf, optional, pageNumber, wholeNumber } from '../kit/parameters.ts'

const job = { id: wholeNumber }

/** The machine behind the shop, in the operator's chats. */
export const MACHINE = {
  health: action('oh'),
  jobs: action('ojl', { page: pageNumber }),
  job: action('ojv', job),
  retry: action('ojr', job, 'job.retry'),
  askDrop: action('ojd', job, 'job.drop'),
  drop: action('ojd!', job, 'job.drop'),
  books: action('obo'),
  checkBooks: action('obo!'),
  /** With a name, asks for that setting. */
  setup: action('oset', { name: optional(oneOf(CHOICES)) }, 'setup.change'),
} as const
