import type { Texts } from '../../texts/index.ts'
import type { Screen } from '../../kit/screen.ts'
import { homeButton } from '../../kit/buttons.ts'
import { ACCESS } from './actions.ts'

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
