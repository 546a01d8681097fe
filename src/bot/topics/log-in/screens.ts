import { ACCESS } from '../../actions/log-in.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { backButton, HOME, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import type { Texts } from '../../texts/index.ts'

/** @param accounts how many are logged in here */
export function logOutScreen(texts: Texts, username: string, accounts: number): Screen {
  return {
    text: texts.logOut.ask(username),
    buttons: [
      [{ text: texts.buttons.logOut, data: ACCESS.logOutConfirmed.data(), style: 'danger' }],
      accounts > 1
        ? [{ text: texts.logOut.all(accounts), data: ACCESS.logOutOfAll.data(), style: 'danger' }]
        : [],
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** Asks whether to register although somebody is logged in here. */
export function otherAccountScreen(texts: Texts, current: string, agent: string, token: string): Screen {
  const { join } = texts
  return {
    text: join.loggedIn(current, agent),
    buttons: [
      [{ text: join.keep(current), data: HOME.data(), style: 'primary' }],
      [{ text: join.register, data: ACCESS.register.data({ token }) }],
    ],
  }
}

/** Asks whether to use an invitation although somebody is logged in here. */
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
