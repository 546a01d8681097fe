import { z } from 'zod'
import { USER_STATUSES, type UserStatus } from '../../core/accounts/sub-user.ts'
import type { Parameter } from '../kit/action.ts'
import { pageNumber } from '../kit/parameters.ts'

/** Position in the list of sub-users, to which Back leads. The search is kept in the chat's draft. */
export interface ListPosition {
  readonly page: number
  /** Undefined for all that are not deleted. */
  readonly status: UserStatus | undefined
}

export const START: ListPosition = { page: 1, status: undefined }

/** Value in a button that stands for the chat's last position in the list. */
export const AS_LEFT = 'left'

const LETTERS: Readonly<Record<UserStatus, string>> = { active: 'a', disabled: 'd', deleted: 'x' }

/** `2`, or `2a` with a letter for the status. */
export function packPosition({ page, status }: ListPosition): string {
  return `${page}${status ? LETTERS[status] : ''}`
}

/** The position of a button; the start of the list for a forged one. */
export function unpackPosition(parameter = ''): ListPosition {
  const [, page, letter] = /^(\d+)([a-z]?)$/.exec(parameter) ?? []
  return {
    page: pageNumber.schema.parse(page),
    status: USER_STATUSES.find((status) => LETTERS[status] === letter),
  }
}

/** A position in a button, which may be made without one. */
export type ButtonPosition = ListPosition | typeof AS_LEFT | undefined

export const position: Parameter<ButtonPosition> = {
  schema: z
    .string()
    .transform((text) => (text === AS_LEFT ? text : unpackPosition(text)))
    .optional(),
  write: (given) => (given === AS_LEFT ? given : packPosition(given)),
}
