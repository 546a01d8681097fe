import { MAX_CAPTION, MAX_TEXT, type Broadcast } from '../../../core/notices/content.ts'
import { PER_DAY } from '../../../core/broadcasts/message-sub-users.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { excerpt } from '../../kit/content.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { sentLines } from '../../kit/sent-lines.ts'
import { html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Characters of a message on a screen about it. */
const SHOWN = 300

/**
 * @param chats how many would get it now
 * @param picked whether it is for those that are picked
 */
export function typeMessageScreen(texts: Texts, chats: number, picked: boolean): Screen {
  return promptScreen(
    texts,
    texts.users.message.type(chats, MAX_TEXT, MAX_CAPTION, PER_DAY),
    picked ? USERS.select.data() : USERS.list.data({ position: AS_LEFT }),
  )
}

/**
 * Shows a message that is written but not sent; above this screen it stands as its readers will see it.
 *
 * @param chats how many would get it now
 */
export function messageDraftScreen(texts: Texts, message: Broadcast, chats: number): Screen {
  const { message: words } = texts.users
  const { id } = message
  return {
    text: lines(words.preview(chats), '', html`${excerpt(message, SHOWN)}`),
    buttons: [
      chats > 0 ? [{ text: words.send(chats), data: USERS.sendMessage.data({ id }), style: 'success' }] : [],
      [{ text: texts.buttons.cancel, data: USERS.list.data({ position: AS_LEFT }) }],
    ],
  }
}

/** Shows how many chats have received a message. */
export function messageScreen(texts: Texts, message: Broadcast, now: Date): Screen {
  const { broadcast, buttons } = texts.operator
  const { id, status } = message
  const sending: Button[] = [
    { text: texts.buttons.refresh, data: USERS.viewMessage.data({ id }) },
    { text: buttons.stop, data: USERS.stopMessage.data({ id }), style: 'danger' },
  ]
  return {
    text: lines(
      broadcast.states[status],
      ...sentLines(texts, message, now),
      '',
      html`${excerpt(message, SHOWN)}`,
    ),
    buttons: [
      status === 'sending' ? sending : [],
      [backButton(texts, USERS.list.data({ position: AS_LEFT })), homeButton(texts)],
    ],
    follows: { kind: 'broadcast', id },
  }
}
