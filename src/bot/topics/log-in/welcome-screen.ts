import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { Texts } from '../../texts/index.ts'
import { GUIDE } from '../guide/actions.ts'
import { GENERAL } from '../home/actions.ts'
import { SETTINGS } from '../settings/actions.ts'
import { ACCESS } from './actions.ts'

/** For somebody who is not logged in. */
export function welcomeScreen(texts: Texts, note?: string): Screen {
  return {
    text: withNote(texts.welcome, note),
    buttons: [
      [{ text: texts.buttons.logIn, data: ACCESS.logIn.data(), style: 'primary' }],
      [{ text: texts.guide.button, data: GUIDE.home.data() }],
      [
        { text: texts.buttons.language, data: SETTINGS.language.data() },
        { text: texts.buttons.help, data: GENERAL.help.data() },
      ],
    ],
  }
}
