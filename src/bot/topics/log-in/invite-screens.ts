import { pack } from '../../kit/callback-data.ts'
import { INVITE } from '../../kit/invite-link.ts'
import type { Texts } from '../../texts/index.ts'
import type { Screen } from '../../kit/screen.ts'
import { homeButton } from '../../kit/buttons.ts'

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
