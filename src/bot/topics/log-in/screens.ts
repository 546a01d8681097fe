import { backButton, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import type { Texts } from '../../texts/index.ts'
import { SETTINGS } from '../settings/actions.ts'
import { ACCESS } from './actions.ts'

export function logOutScreen(texts: Texts, username: string): Screen {
  return {
    text: texts.logOut.ask(username),
    buttons: [
      [{ text: texts.buttons.logOut, data: ACCESS.logOutConfirmed.data(), style: 'danger' }],
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** Somebody is logged in where an invitation was opened. */
export function switchAccountScreen(texts: Texts, current: string, invited: string, token: string): Screen {
  const { invite } = texts
  return {
    text: invite.otherAccount(current, invited),
    buttons: [
      [{ text: invite.switch, data: ACCESS.switchAccount.data({ token }), style: 'primary' }],
      [homeButton(texts)],
    ],
  }
}
