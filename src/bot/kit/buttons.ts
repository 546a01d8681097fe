import type { Texts } from '../texts/index.ts'
import type { Button } from './screen.ts'

/** Actions of the buttons that every screen may have. */
export const ACTION = {
  home: 'home',
  logIn: 'login',
  logOut: 'logout',
  logOutConfirmed: 'logout!',
  balance: 'balance',
  language: 'lang',
  help: 'help',
  buy: 'buy',
  traffic: 'dyn',
  proxies: 'orders',
  topUp: 'topup',
  records: 'rec',
  dashboard: 'dash',
  subUsers: 'users',
  settings: 'set',
} as const

export const homeButton = (texts: Texts): Button => ({ text: texts.buttons.home, data: ACTION.home })
export const backButton = (texts: Texts, data: string): Button => ({ text: texts.buttons.back, data })

/** One of several choices; the one that holds is marked. */
export function choiceButton(text: string, isChosen: boolean, data: string): Button {
  return { text: isChosen ? `✓ ${text}` : text, data }
}
