import { MUTABLE, type Muted, SUB_USERS } from '../../../core/chats/chat-settings.ts'
import { PROXY_FORMATS, type ProxyFormat } from '../../../core/orders/proxy-formats.ts'
import type { Language } from '../../../core/catalog/places.ts'
import type { Actor } from '../../../core/access.ts'
import { pack } from '../../kit/callback-data.ts'
import { lines } from '../../kit/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { ACTION, backButton, choiceButton, homeButton } from '../../kit/buttons.ts'

/** Actions of the settings. */
export const SETTINGS = {
  home: ACTION.settings,
  /** Followed by the format that is chosen. */
  format: 'setf',
  /** Followed by what is switched, and 1 for off. */
  notices: 'setn',
  password: 'pwd',
} as const

/** What a chat has decided. */
export interface ChatSettings {
  readonly proxyFormat: ProxyFormat
  readonly muted: ReadonlySet<Muted>
}

export function settingsScreen(
  texts: Texts,
  { username, role }: Actor,
  { proxyFormat, muted }: ChatSettings,
): Screen {
  const { buttons, formats, of, title } = texts.settings
  const off = switchesFor(role).filter((what) => muted.has(what)).length
  return {
    text: lines(title, '', of(username)),
    buttons: [
      [{ text: buttons.language(texts.languageName), data: ACTION.language }],
      [{ text: buttons.format(formats[proxyFormat]), data: SETTINGS.format }],
      [{ text: buttons.notices(off), data: SETTINGS.notices }],
      [
        { text: buttons.password, data: SETTINGS.password },
        { text: texts.buttons.logOut, data: ACTION.logOut },
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
        choiceButton(formats[each], each === chosen, pack(SETTINGS.format, each)),
      ]),
      [backButton(texts, SETTINGS.home), homeButton(texts)],
    ],
  }
}

export function noticesScreen(texts: Texts, { role }: Actor, muted: ReadonlySet<Muted>): Screen {
  const switches = switchesFor(role).map((what): Button => ({
    text: `${muted.has(what) ? '🔕' : '🔔'} ${texts.settings.kinds[what]}`,
    data: pack(SETTINGS.notices, what, muted.has(what) ? 0 : 1),
  }))
  return {
    text: texts.settings.notices,
    buttons: [...grid(switches, 2), [backButton(texts, SETTINGS.home), homeButton(texts)]],
  }
}

/** Only agents have sub-users to hear about. */
function switchesFor(role: Actor['role']): readonly Muted[] {
  return MUTABLE.filter((what) => role === 'agent' || what !== SUB_USERS)
}

/** @param isMember whether somebody is logged in, who finds the choice among the settings */
export function languageScreen(texts: Texts, current: Language, isMember: boolean): Screen {
  const choice = (language: Language) =>
    choiceButton(LOCALES[language].languageName, language === current, pack(ACTION.language, language))
  const back = isMember ? [backButton(texts, ACTION.settings)] : []
  return {
    text: texts.language,
    buttons: [
      [choice('en'), choice('zh')],
      [...back, homeButton(texts)],
    ],
  }
}
