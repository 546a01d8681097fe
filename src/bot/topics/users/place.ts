import { USER_STATUSES, type UserStatus } from '../../../core/accounts/sub-user.ts'
import { pack, pageNumber } from '../../kit/callback-data.ts'

/** Actions around sub-users; all but the first four carry the user's id. */
export const USERS = {
  list: 'users',
  search: 'usearch',
  create: 'ucreate',
  createMany: 'umany',
  view: 'user',
  adjust: 'umoney',
  rename: 'uname',
  password: 'upass',
  status: 'ustatus',
  remove: 'udelete',
  invite: 'uinvite',
  /** Those of other features. */
  orders: 'ou',
  records: 'ru',
  buyFor: 'bf',
  buyTrafficFor: 'dbf',
} as const

/** Where in the list of sub-users somebody is: Back leads there. What is searched for is kept by the chat. */
export interface Place {
  readonly page: number
  /** Undefined for all that are not deleted. */
  readonly status: UserStatus | undefined
}

export const START: Place = { page: 1, status: undefined }

/** In a button: where the chat last was in the list. */
export const AS_LEFT = 'left'
/** Callback data that leads to the list as it was left. */
export const LIST_AS_LEFT = pack(USERS.list, AS_LEFT)

const LETTERS: Readonly<Record<UserStatus, string>> = { active: 'a', disabled: 'd', deleted: 'x' }

/** `2`, or `2a` with a letter for the status. */
export function packPlace({ page, status }: Place): string {
  return `${page}${status ? LETTERS[status] : ''}`
}

/** The place of a button; the start of the list for a forged one. */
export function unpackPlace(parameter = ''): Place {
  const [, page, letter] = /^(\d+)([a-z]?)$/.exec(parameter) ?? []
  return {
    page: pageNumber(page),
    status: USER_STATUSES.find((status) => LETTERS[status] === letter),
  }
}

/** Callback data that leads to a place in the list. */
export function toList(place: Place): string {
  return pack(USERS.list, packPlace(place))
}

/** Callback data about one user. */
export function toUser(action: string, id: number, place: Place): string {
  return pack(action, id, packPlace(place))
}
