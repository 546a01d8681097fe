import {
  AUDIENCES,
  type Audience,
  type Broadcast,
  MAX_BROADCAST,
  screenOf,
} from '../../../core/broadcasts/broadcast.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { lines } from '../../kit/html.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { Texts } from '../../texts/index.ts'
import { OPERATOR } from './actions.ts'
import { operatorButton } from './menu-screen.ts'

/** @param chats how many each audience has */
export function audiencesScreen(texts: Texts, chats: Readonly<Record<Audience, number>>): Screen {
  const { broadcast } = texts.operator
  return {
    text: lines(broadcast.title, '', broadcast.toWhom),
    buttons: [
      ...AUDIENCES.map((audience) => [
        {
          text: broadcast.audiences[audience](chats[audience]),
          data: OPERATOR.typeBroadcast.data({ audience }),
        },
      ]),
      [operatorButton(texts)],
    ],
  }
}

export function typeBroadcastScreen(texts: Texts): Screen {
  const { broadcast } = texts.operator
  return promptScreen(
    texts,
    lines(broadcast.title, '', broadcast.type(MAX_BROADCAST)),
    OPERATOR.broadcast.data(),
  )
}

/** @param chats how many would get it now */
export function broadcastPreview(texts: Texts, audience: Audience, text: string, chats: number): Prompt {
  const { broadcast, buttons } = texts.operator
  return {
    text: lines(broadcast.preview(broadcast.audience[audience], chats), '', broadcast.message(text)),
    buttons: [
      chats > 0 ? [{ text: buttons.send(chats), answer: 'send', style: 'success' }] : [],
      [{ text: texts.buttons.cancel, data: OPERATOR.broadcast.data() }],
    ],
  }
}

/** How far it is. */
export function broadcastScreen(texts: Texts, broadcast: Broadcast): Screen {
  const { broadcast: words, buttons } = texts.operator
  const { id, status, audience } = broadcast
  return {
    text: lines(
      words.states[status],
      words.to(words.audience[audience]),
      words.progress(broadcast),
      '',
      words.message(broadcast.text),
    ),
    buttons: [
      status === 'sending'
        ? [
            { text: texts.buttons.refresh, data: OPERATOR.progress.data({ id }) },
            { text: buttons.stop, data: OPERATOR.stopBroadcast.data({ id }), style: 'danger' },
          ]
        : [],
      [operatorButton(texts)],
    ],
    follows: screenOf(id),
  }
}
