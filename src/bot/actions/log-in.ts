import { action } from '../kit/action.ts'
import { optional, text, wholeNumber } from '../kit/parameters.ts'

/** Buttons that lead into an account and out of it. */
export const ACCESS = {
  logIn: action('login'),
  logOut: action('logout'),
  logOutConfirmed: action('logout!'),
  logOutOfAll: action('logouta!'),
  /** Logs in by an invitation although another account is logged in. */
  switchAccount: action('inv!', { token: text }),
  /** Shows what an agent's link offers, although an account is logged in. */
  register: action('join!', { token: text }),
  /** Registers by an agent's link under the name that its screen has suggested. */
  registerNow: action('joinu!', { token: text }),
  /** Asks under which other name to register. */
  otherName: action('joinn', { token: text }),
  /** Logs in to an account without a password that was registered in this chat. */
  logInTo: action('loginto!', { account: wholeNumber }),
  /** What could be bought after a registration by an agent's link; without one, by the link of the shop. */
  prices: action('prices', { token: optional(text) }),
} as const
