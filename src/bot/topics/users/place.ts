import { z } from 'zod'
import { USER_STATUSES, type UserStatus } from '../../../core/accounts/sub-user.ts'
import type { Parameter } from '../../kit/action.ts'
import { pageNumber } from '../../kit/parameters.ts'

/** Where in the list of sub-users somebody is: Back leads there. What is searched for is kept by the chat. */
export interface Place {
  readonly page: number
  /** Undefined for all that are not deleted. */
  readonly status: UserStatus | undefined
}

export const START: Place = { page: 1, status: undefined }

/** In a button: where the chat last was in the list. */
export const AS_LEFT = 'left'

const LETTERS: Readonly<Record<UserStatus, string>> = { active: 'a', disabled: 'd', deleted: 'x' }

/** `2`, or `2a` with a letter for the status. */
export function packPlace({ page, status }: Place): string {
  return `${page}${status ? LETTERS[status] : ''}`
}

/** The place of a button; the start of the list for a forged one. */
export function unpackPlace(parameter = ''): Place {
  const [, page, letter] = /^(\d+)([a-z]?)$/.exec(parameter) ?? []
  return {
    page: pageNumber.schema.parse(page),
    status: USER_STATUSES.find((status) => LETTERS[status] === letter),
  }
}

/** A place in a button, which may be made without one. */
export type ButtonPlace = Place | typeof AS_LEFT | undefined

export const place: Parameter<ButtonPlace> = {
  schema: z
    .string()
    .transform((text) => (text === AS_LEFT ? text : unpackPlace(text)))
    .optional(),
  write: (given) => (given === AS_LEFT ? given : packPlace(given)),
}
