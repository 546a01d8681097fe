import { ACTION, backButton, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { Texts } from '../../texts/index.ts'

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

export function logOutScreen(texts: Texts, username: string): Screen {
  return {
    text: texts.logOut.ask(username),
    buttons: [
      [{ text: texts.buttons.logOut, data: ACTION.logOutConfirmed, style: 'danger' }],
      [backButton(texts, ACTION.settings), homeButton(texts)],
    ],
  }
}
