import type { Actor } from '../../../core/access/actor.ts'
import type { Language } from '../../../core/languages.ts'
import { PROXY_FORMATS, type ProxyFormat } from '../../../core/proxy-formats.ts'
import { ACCOUNTS, DEVICES } from '../../actions/accounts.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { PROGRAMS } from '../../actions/programs.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import { MUTABLE, type Mutable, type Muted, SUB_USERS } from '../../../core/notices/muted.ts'

/** Settings of a chat that the screen shows, and whether the account has a password. */
interface ChatSettings {
  readonly hasPassword: boolean
  readonly proxyFormat: ProxyFormat
  readonly muted: ReadonlySet<Muted>
}

export function settingsScreen(
  { texts, now }: View,
  { username, role }: Actor,
  { hasPassword, proxyFormat, muted }: ChatSettings,
): Screen {
  const { buttons, formats, of, title } = texts.settings
  const off = switchesFor(role).filter((what) => muted.has(what)).length
  return {
    text: lines(title, '', of(username)),
    buttons: [
      [{ text: buttons.language(texts.languageName), data: SETTINGS.language.data() }],
      [
        {
          text: buttons.zone(texts.zoneName(now)),
          data: SETTINGS.zone.data({ zone: '' }),
        },
      ],
      [{ text: buttons.format(formats[proxyFormat]), data: SETTINGS.format.data() }],
      [{ text: buttons.notices(off), data: SETTINGS.notices.data() }],
      [{ text: texts.programs.buttons.programs, data: PROGRAMS.home.data() }],
      [
        { text: texts.accounts.buttons.settings, data: ACCOUNTS.list.data() },
        { text: texts.devices.buttons.settings, data: DEVICES.list.data() },
      ],
      [
        { text: buttons.password(hasPassword), data: SETTINGS.password.data() },
        { text: texts.buttons.logOut, data: ACCESS.logOut.data() },
      ],
      [homeButton(texts)],
    ],
  }
}

export function formatScreen(texts: Texts, chosen: ProxyFormat): Screen {
  const { format, formats } = texts.settings
  return {
    text: format,
    buttons: [
      ...PROXY_FORMATS.map((each) => [
        choiceButton(formats[each], each === chosen, SETTINGS.format.data({ format: each })),
      ]),
      [backButton(texts, SETTINGS.home.data()), homeButton(texts)],
    ],
  }
}

export function noticesScreen(texts: Texts, { role }: Actor, muted: ReadonlySet<Muted>): Screen {
  const switches = switchesFor(role).map((what): Button => ({
    text: `${muted.has(what) ? '🔕' : '🔔'} ${texts.settings.kinds[what]}`,
    data: SETTINGS.notices.data({ what, off: !muted.has(what) }),
  }))
  return {
    text: texts.settings.notices,
    buttons: [...grid(switches, 2), [backButton(texts, SETTINGS.home.data()), homeButton(texts)]],
  }
}

/** Only agents have sub-users to hear about. */
function switchesFor(role: Actor['role']): readonly Mutable[] {
  return MUTABLE.filter((what) => role === 'agent' || what !== SUB_USERS)
}

/**
 * @param languages those that can be chosen
 * @param isMember whether somebody is logged in: Back then leads to the settings
 */
export function languageScreen(
  texts: Texts,
  current: Language,
  languages: readonly Language[],
  isMember: boolean,
): Screen {
  const choice = (language: Language) =>
    choiceButton(LOCALES[language].languageName, language === current, SETTINGS.language.data({ language }))
  const back = isMember ? [backButton(texts, SETTINGS.home.data())] : []
  return {
    text: texts.language,
    buttons: [languages.map(choice), [...back, homeButton(texts)]],
  }
}
