import { pack } from '../callback-data.ts'
import { INVITE } from '../invite-link.ts'
import type { Texts } from '../locales/index.ts'
import type { Screen } from '../screen.ts'
import { homeButton } from './general.ts'

/** Somebody is logged in where an invitation was opened. */
export function switchAccountScreen(texts: Texts, current: string, invited: string, token: string): Screen {
  const { invite } = texts
  return {
    text: invite.otherAccount(current, invited),
    buttons: [
      [{ text: invite.switch, data: pack(INVITE.switch, token), style: 'primary' }],
      [homeButton(texts)],
    ],
  }
}
