import { type Audience, AUDIENCES } from '../../../core/broadcasts/audience.ts'
import { MAX_CAPTION, MAX_TEXT, type Target, type Broadcast } from '../../../core/notices/content.ts'
import { type Language, LANGUAGES } from '../../../core/languages.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { backButton, choiceButton } from '../../kit/buttons.ts'
import { LINE } from '../../kit/columns.ts'
import { excerpt } from '../../kit/content.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { sentLines } from '../../kit/sent-lines.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'

/** Most characters of a broadcast that a screen about it shows. */
const SHOWN = 300

/**
 * @param chats number of chats of each audience; for an agent's sub-users, the agent is asked for later by its name
 * @param language of the chats; undefined: all
 */
export function audiencesScreen(
  texts: Texts,
  chats: Readonly<Partial<Record<Audience, number>>>,
  language: Language | undefined,
): Screen {
  const { broadcast, buttons } = texts.operator
  return {
    text: lines(broadcast.title, '', broadcast.toWhom),
    buttons: [
      [undefined, ...LANGUAGES].map((each) =>
        choiceButton(
          each === undefined ? broadcast.anyLanguage : LOCALES[each].languageName,
          each === language,
          OPERATOR.broadcast.data({ language: each }),
        ),
      ),
      ...AUDIENCES.map((audience) => [
        {
          text: broadcast.audiences[audience](chats[audience] ?? 0),
          data: OPERATOR.typeBroadcast.data({ audience, language }),
        },
      ]),
      [{ text: buttons.broadcasts, data: OPERATOR.broadcasts.data() }],
      [operatorButton(texts)],
    ],
  }
}

/** The latest broadcasts, and those on the schedule. */
export function broadcastsScreen(texts: Texts, broadcasts: readonly Broadcast[]): Screen {
  const { broadcast, buttons } = texts.operator
  const entries = broadcasts.map(({ id, status, startAt, ...content }): Button[] => {
    const name = excerpt(content, LINE)
    const begin = startAt ? `${beginning(texts, new Date(startAt))} ` : ''
    return [
      { text: `${broadcast.icons[status]} ${begin}${name}`, name, data: OPERATOR.progress.data({ id }) },
    ]
  })
  return {
    text: lines(broadcast.list, ...(broadcasts.length === 0 ? ['' as const, broadcast.none] : [])),
    buttons: [
      ...entries,
      [{ text: buttons.newBroadcast, data: OPERATOR.broadcast.data() }],
      [operatorButton(texts)],
    ],
  }
}

/** The start of a broadcast on a label: `24 Nov 09:30` */
function beginning(texts: Texts, at: Date): string {
  return `${texts.shortDate(at, at)} ${texts.time(at)}`
}

export function whichAgentScreen(texts: Texts): Screen {
  const { broadcast } = texts.operator
  return promptScreen(texts, lines(broadcast.title, '', broadcast.whichAgent), OPERATOR.broadcast.data())
}

export function typeBroadcastScreen(texts: Texts): Screen {
  const { broadcast } = texts.operator
  return promptScreen(
    texts,
    lines(broadcast.title, '', broadcast.type(MAX_TEXT, MAX_CAPTION)),
    OPERATOR.broadcast.data(),
  )
}

export function typeTimeScreen(texts: Texts, id: number, now: Date): Screen {
  const { broadcast } = texts.operator
  return promptScreen(
    texts,
    lines(broadcast.title, '', broadcast.when(texts.zonedTime(now))),
    OPERATOR.progress.data({ id }),
  )
}

/**
 * Shows a draft, to be sent now or later; the message above this screen is the broadcast as its readers will see it.
 *
 * @param chats number of chats that would get it now
 */
export function broadcastDraftScreen(texts: Texts, broadcast: Broadcast, chats: number): Screen {
  const { broadcast: words, buttons } = texts.operator
  const { id } = broadcast
  const later = (text: string, when: 'hour' | 'morning'): Button => ({
    text,
    data: OPERATOR.scheduleBroadcast.data({ id, when }),
  })
  return {
    text: lines(words.preview(chats), addressed(texts, broadcast), '', html`${excerpt(broadcast, SHOWN)}`),
    buttons: [
      chats > 0
        ? [{ text: buttons.send(chats), data: OPERATOR.startBroadcast.data({ id }), style: 'success' }]
        : [],
      [later(buttons.inAnHour, 'hour'), later(buttons.tomorrow, 'morning')],
      [{ text: buttons.otherTime, data: OPERATOR.timeOfBroadcast.data({ id }) }],
      [{ text: texts.buttons.cancel, data: OPERATOR.broadcast.data() }],
    ],
  }
}

/** Shows how far a broadcast is. */
export function broadcastScreen(texts: Texts, broadcast: Broadcast, now: Date): Screen {
  const { broadcast: words, buttons } = texts.operator
  const { id, status, startAt } = broadcast
  const scheduled = status === 'scheduled' && startAt !== null
  const sending: Button[] = [
    { text: texts.buttons.refresh, data: OPERATOR.progress.data({ id }) },
    { text: buttons.stop, data: OPERATOR.stopBroadcast.data({ id }), style: 'danger' },
  ]
  return {
    text: lines(
      words.states[status],
      addressed(texts, broadcast),
      ...(scheduled ? [words.startsAt(texts.dateTime(new Date(startAt)))] : sentLines(texts, broadcast, now)),
      '',
      html`${excerpt(broadcast, SHOWN)}`,
    ),
    buttons: [
      scheduled
        ? [{ text: buttons.doNotSend, data: OPERATOR.stopBroadcast.data({ id }), style: 'danger' }]
        : [],
      status === 'sending' ? sending : [],
      [backButton(texts, OPERATOR.broadcasts.data()), operatorButton(texts)],
    ],
    follows: { kind: 'broadcast', id },
  }
}

function addressed(
  texts: Texts,
  { audience, language, agent }: Pick<Target, 'audience' | 'language'> & Pick<Broadcast, 'agent'>,
): Html {
  const { broadcast } = texts.operator
  return broadcast.to(
    broadcast.audience[audience](agent ?? ''),
    language === null ? undefined : LOCALES[language].languageName,
  )
}
