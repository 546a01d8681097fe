import type { LoggedIn } from '../../../core/chats/log-ins.ts'
import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { Texts } from '../../texts/index.ts'
import { switchButtons } from '../accounts/buttons.ts'
import { GUIDE } from '../guide/actions.ts'
import { GENERAL } from '../home/actions.ts'
import { SETTINGS } from '../settings/actions.ts'
import { ACCESS } from './actions.ts'

/**
 * For somebody who is not logged in.
 *
 * @param others accounts that are logged in at the chat, where the one that acted is not any more
 */
export function welcomeScreen(texts: Texts, note?: string, others: readonly LoggedIn[] = []): Screen {
  return {
    text: withNote(texts.welcome, note),
    buttons: [
      switchButtons(texts, others),
      [{ text: texts.buttons.logIn, data: ACCESS.logIn.data(), style: 'primary' }],
      [{ text: texts.guide.button, data: GUIDE.home.data() }],
      [
        { text: texts.buttons.language, data: SETTINGS.language.data() },
        { text: texts.buttons.help, data: GENERAL.help.data() },
      ],
    ],
  }
}
