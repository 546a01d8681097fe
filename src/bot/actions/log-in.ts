import { action } from '../kit/action.ts'
import { text } from '../kit/parameters.ts'

/** Buttons that lead into an account and out of it. */
export const ACCESS = {
  logIn: action('login'),
  logOut: action('logout'),
  logOutConfirmed: action('logout!'),
  logOutOfAll: action('logouta!'),
  /** Logs in by an invitation although another account is logged in. */
  switchAccount: action('inv!', { token: text }),
  /** Registers by an agent's link although an account is logged in. */
  register: action('join!', { token: text }),
  /** What strangers could buy. */
  prices: action('prices'),
} as const
