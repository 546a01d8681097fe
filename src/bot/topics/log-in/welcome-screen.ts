import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import { switchButtons } from '../../actions/accounts.ts'
import { GUIDE } from '../../actions/guide.ts'
import { GENERAL } from '../../actions/home.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { supportButtons } from '../../actions/support.ts'
import type { Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'

interface Welcome {
  readonly note?: string | undefined
  /** Accounts that are still logged in at the chat after the acting one is not any more. */
  readonly others?: readonly LoggedIn[]
  /** The token of the link by which everybody may register. */
  readonly publicLink?: string | undefined
}

/** The home screen of somebody who is not logged in. */
export function welcomeScreen(
  { texts, support }: Pick<View, 'texts' | 'support'>,
  { note, others = [], publicLink }: Welcome = {},
): Screen {
  return {
    text: withNote(lines(texts.welcome, publicLink === undefined ? texts.logInWith : texts.orRegister), note),
    buttons: [
      switchButtons(texts, others),
      [{ text: texts.buttons.logIn, data: ACCESS.logIn.data(), style: 'primary' }],
      ...(publicLink === undefined
        ? []
        : [
            [
              { text: texts.join.open, data: ACCESS.register.data({ token: publicLink }) },
              { text: texts.prices.button, data: ACCESS.prices.data() },
            ],
          ]),
      [{ text: texts.guide.button, data: GUIDE.home.data() }],
      [
        { text: texts.buttons.language, data: SETTINGS.language.data() },
        { text: texts.buttons.help, data: GENERAL.help.data() },
      ],
      // Tickets need a log-in; a contact outside of the bot does not.
      typeof support === 'object' ? supportButtons({ texts, support }) : [],
    ],
  }
}
