import { action } from '../kit/action.ts'
import { wholeNumber } from '../kit/parameters.ts'

/** Buttons of the accounts that are logged in at this chat. */
export const ACCOUNTS = {
  list: action('acc'),
  /** The account acts here from now on. */
  switch: action('acs', { account: wholeNumber }),
  /** Whether to switch to the account for which the pressed button was made; the chat's draft holds what it does. */
  ask: action('aca', { account: wholeNumber }),
} as const

/** Buttons of the chats in which the account is logged in. */
export const DEVICES = {
  list: action('dev'),
  logOut: action('devx', { chat: wholeNumber }),
  /** Asks first. */
  others: action('devo'),
  othersConfirmed: action('devo!'),
} as const
