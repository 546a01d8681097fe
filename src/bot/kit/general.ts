import type { Balance } from '../../core/accounts/balance.ts'
import type { Language } from '../../core/catalog/places.ts'
import { pack } from './callback-data.ts'
import { amount } from './format.ts'
import { html, type Html, lines } from './html.ts'
import { LOCALES, type Texts } from '../texts/index.ts'
import type { Button, Screen } from './screen.ts'

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

/** For somebody who is not logged in. */
export function welcomeScreen(texts: Texts, note?: string): Screen {
  return {
    text: withNote(texts.welcome, note),
    buttons: [
      [{ text: texts.buttons.logIn, data: ACTION.logIn, style: 'primary' }],
      [
        { text: texts.buttons.language, data: ACTION.language },
        { text: texts.buttons.help, data: ACTION.help },
      ],
    ],
  }
}

export function balanceScreen(
  texts: Texts,
  { balance, totalRecharge, totalConsumption, currency }: Balance,
): Screen {
  const show = (micros: number) => amount(micros, currency)
  return {
    text: texts.home.balanceScreen(show(balance), show(totalRecharge), show(totalConsumption)),
    buttons: [
      [
        { text: texts.home.buttons.topUp, data: ACTION.topUp },
        { text: texts.home.buttons.records, data: ACTION.records },
      ],
      [{ text: texts.buttons.refresh, data: ACTION.balance }, homeButton(texts)],
    ],
  }
}

/** @param isMember whether somebody is logged in, who finds the choice among the settings */
export function languageScreen(texts: Texts, current: Language, isMember: boolean): Screen {
  const choice = (language: Language) =>
    choiceButton(LOCALES[language].languageName, language === current, pack(ACTION.language, language))
  const back = isMember ? [backButton(texts, ACTION.settings)] : []
  return {
    text: texts.language,
    buttons: [
      [choice('en'), choice('zh')],
      [...back, homeButton(texts)],
    ],
  }
}

export function helpScreen(texts: Texts): Screen {
  return messageScreen(texts, texts.home.help)
}

export function logOutScreen(texts: Texts, username: string): Screen {
  return {
    text: texts.logOut.ask(username),
    buttons: [
      [{ text: texts.buttons.logOut, data: ACTION.logOutConfirmed, style: 'danger' }],
      [backButton(texts, ACTION.settings), homeButton(texts)],
    ],
  }
}

/** A dialogue waits for a message; Cancel leads back to where the person was. */
export function promptScreen(texts: Texts, text: Html, cancel: string = ACTION.home): Screen {
  return { text, buttons: [[{ text: texts.buttons.cancel, data: cancel }]] }
}

/** Something to read, and the way back to the menu. */
export function messageScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [[homeButton(texts)]] }
}

/** A screen's text below something that the person should know first. */
export function withNote(text: Html, note: string | undefined): Html {
  return note === undefined ? text : lines(html`⚠️ ${note}`, '', text)
}
