import type { AgentBot } from '../../../core/bots/agent-bot.ts'
import { LANGUAGES } from '../../../core/languages.ts'
import { OWN_BOTS } from '../../actions/own-bots.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'

/** The signs of the states. */
export const SIGNS = {
  pending: '🟡',
  active: '🟢',
  paused: '⏸',
  halted: '⛔',
  suspended: '🔴',
  unauthorized: '🔴',
  conflict: '🔴',
  removed: '⚪',
} as const satisfies Record<AgentBot['state'], string>

/**
 * The agent's bots, and the ways to one more.
 *
 * @param making.link opens Telegram's own dialog; undefined where the shop's bot may not make bots
 * @param making.most how many the agent may have
 */
export function ownBotsScreen(
  { texts }: View,
  bots: readonly AgentBot[],
  { link, most }: { readonly link: string | undefined; readonly most: number },
): Screen {
  const words = texts.ownBots
  const room = bots.length < most
  const ways: Button[][] = [
    link === undefined ? [] : [{ text: words.buttons.make, url: link, style: 'primary' }],
    [{ text: words.buttons.paste, data: OWN_BOTS.paste.data() }],
  ]
  return {
    text: lines(
      words.title,
      '',
      words.about,
      room ? (link === undefined ? words.howToPaste : words.howToMake) : words.full(most),
    ),
    buttons: [
      ...bots.map((bot) => [
        {
          text: `${SIGNS[bot.state]} ${bot.name}`,
          name: bot.name,
          data: OWN_BOTS.view.data({ id: bot.botId }),
        },
      ]),
      ...(room ? ways : []),
      [homeButton(texts)],
    ],
  }
}

/** One of the agent's bots. */
export function ownBotScreen({ texts }: View, bot: AgentBot, note?: Html): Screen {
  const words = texts.ownBots
  const { botId: id, username, name, welcome, support, languages, state } = bot
  const isStopped = ['paused', 'suspended', 'unauthorized', 'conflict'].includes(state)
  const shown = languages.length === 0 ? LANGUAGES : languages
  return {
    text: lines(
      note,
      html`🤖 <b>${name}</b> · @${username}`,
      stateText(texts, bot),
      '',
      words.welcome(welcome),
      words.support(support),
      words.languages(shown.map((each) => LOCALES[each].languageName).join(', ')),
    ),
    buttons: [
      [{ text: words.buttons.open, url: `https://t.me/${username}` }],
      [
        { text: words.buttons.name, data: OWN_BOTS.name.data({ id }) },
        { text: words.buttons.picture, data: OWN_BOTS.picture.data({ id }) },
      ],
      [
        { text: words.buttons.welcome, data: OWN_BOTS.welcome.data({ id }) },
        { text: words.buttons.support, data: OWN_BOTS.support.data({ id }) },
      ],
      [
        { text: words.buttons.languages, data: OWN_BOTS.languages.data({ id }) },
        { text: texts.users.buttons.joinLinks, data: USERS.links.data() },
      ],
      // What the shop has stopped, its agent neither resumes nor removes.
      state === 'halted'
        ? []
        : [
            isStopped
              ? { text: words.buttons.resume, data: OWN_BOTS.resume.data({ id }) }
              : { text: words.buttons.pause, data: OWN_BOTS.pause.data({ id }) },
            { text: words.buttons.remove, data: OWN_BOTS.askRemove.data({ id }) },
          ],
      [backButton(texts, OWN_BOTS.home.data()), homeButton(texts)],
    ],
  }
}

/** Returns what a bot does now, and what its agent can do about it. */
export function stateText({ ownBots }: Texts, { state, reason }: Pick<AgentBot, 'state' | 'reason'>): Html {
  const text = `${SIGNS[state]} ${ownBots.states[state]}`
  return reason === '' ? html`${text}` : html`${text} (${reason})`
}

/** The languages that customers can choose. */
export function ownBotLanguagesScreen({ texts }: View, { botId: id, languages }: AgentBot): Screen {
  return {
    text: texts.ownBots.askLanguages,
    buttons: [
      ...LANGUAGES.map((language) => [
        choiceButton(
          LOCALES[language].languageName,
          languages.length === 0 || languages.includes(language),
          OWN_BOTS.language.data({ id, language }),
        ),
      ]),
      [backButton(texts, OWN_BOTS.view.data({ id }))],
    ],
  }
}

export function removeOwnBotScreen({ texts }: View, { botId: id, username }: AgentBot): Screen {
  const { ownBots } = texts
  return {
    text: ownBots.askRemove(username),
    buttons: [
      [{ text: ownBots.buttons.remove, data: OWN_BOTS.remove.data({ id }), style: 'danger' }],
      [backButton(texts, OWN_BOTS.view.data({ id }))],
    ],
  }
}

/** The last step with a bot whose token was pasted: the owner opens it. */
export function openOwnBotScreen({ texts }: View, username: string, link: string): Screen {
  const { ownBots } = texts
  return {
    text: ownBots.openIt(username),
    buttons: [[{ text: ownBots.buttons.confirm, url: link, style: 'primary' }], [homeButton(texts)]],
  }
}
