import type { LoggedIn } from '../../core/accounts/chat-log-ins.ts'
import { action } from '../kit/action.ts'
import { wholeNumber } from '../kit/parameters.ts'
import type { Button } from '../kit/screen.ts'
import type { Texts } from '../texts/index.ts'

/** Buttons of the accounts that are logged in at this chat. */
export const ACCOUNTS = {
  list: action('acc'),
  /** The account acts here from now on. */
  switch: action('acs', { account: wholeNumber }),
  /** Asks whether to switch to the account that the pressed button was made for; the chat's draft holds that button's data. */
  ask: action('aca', { account: wholeNumber }),
} as const

/** Buttons of the chats in which the account is logged in. */
export const DEVICES = {
  list: action('dev'),
  logOut: action('devx', { chat: wholeNumber }),
  /** Asks whether to log out the account's other chats. */
  others: action('devo'),
  othersConfirmed: action('devo!'),
} as const

/** Most accounts that have a button each; more are listed on a screen. */
const MOST = 2

/** A row that leads to the other accounts of a chat. */
export function switchButtons({ accounts }: Texts, others: readonly LoggedIn[]): Button[] {
  return others.length > MOST
    ? [{ text: accounts.buttons.all, data: ACCOUNTS.list.data() }]
    : others.map(({ id, username }) => ({
        text: accounts.buttons.switch(username),
        data: ACCOUNTS.switch.data({ account: id }),
      }))
}
