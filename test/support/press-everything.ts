import { expect } from 'vitest'
import { unmarked } from '../../src/bot/kit/mark.ts'
import type { EmulatedBot, EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import type { Product } from './product.ts'

/** Typed wherever something can be typed: nonsense, numbers, something long, and what Telegram's HTML could trip over. */
export const TYPED: readonly string[] = ['</b>', '-1', '3', '&'.repeat(4000)]

/** What ends the walk of who is logged in: without an account there is not much to press. */
const LOGS_OUT = /^logouta?!$/

/** Buttons of one kind differ in what they are about, and in short flags. */
function kindOf(data: string): string {
  const [action, ...parameters] = data.split(':')
  return [action, ...parameters.filter((parameter) => /^[a-z]{3,}$/.test(parameter))].join(':')
}

/**
 * Presses what can be pressed, and types where something can be typed, until nothing new turns up.
 *
 * @param shop.typed what is typed; {@link TYPED} without it
 * @param shop.left the buttons that are not pressed; without it, those that log out
 * @param shop.sessionId of the chat here; in the shop's bot, it is the id at Telegram
 * @param first the buttons that lead to all others
 * @returns the kinds of buttons that were pressed, the screens to which they led, and what presses were answered at the top of the
 *   chat
 */
export async function pressEverything(
  {
    core,
    telegram,
    typed = TYPED,
    left = LOGS_OUT,
    sessionId,
  }: Pick<Product, 'core'> & {
    readonly telegram: EmulatedBot
    readonly typed?: readonly string[]
    readonly left?: RegExp
    readonly sessionId?: number
  },
  chatId: number,
  ...first: readonly string[]
): Promise<{ kinds: Set<string>; screens: Map<string, EmulatedMessage>; answers: Map<string, string> }> {
  const pressed = new Set<string>()
  const screens = new Map<string, EmulatedMessage>()
  const answers = new Map<string, string>()
  const waiting = [...first]

  const session = () => core.chats.session(sessionId ?? chatId, 'en')
  /** The live one, or the one that stays and was shown in its place. */
  async function screen() {
    const { screenMessage, follows } = await session()
    const shown = screenMessage ?? Number(/^stays:(\d+):/.exec(follows ?? '')?.[1])
    return telegram.messages(chatId).find(({ messageId }) => messageId === shown)
  }

  const has = (message: EmulatedMessage | undefined, data: string) =>
    message?.keyboard.flat().some(({ kind, value }) => kind === 'callback' && unmarked(value).data === data)

  /** One button of a kind is enough. */
  const isNew = (data: string) => pressed.size < pressed.add(kindOf(data)).size

  async function press(data: string): Promise<void> {
    const live = await screen()
    // What ends a message beside the screen is pressed there.
    const pressedOn = has(live, data)
      ? live
      : (telegram.messages(chatId).find((message) => has(message, data)) ?? live)
    const { text } = await telegram.pressStale(chatId, pressedOn?.messageId ?? 0, data)
    if (text) answers.set(data, text)
    const shown = await screen()
    expect(shown?.keyboard.flat() ?? [], `${data} leads into a dead end`).not.toEqual([])
    if (shown && !screens.has(kindOf(data))) screens.set(kindOf(data), shown)
    for (const button of telegram.messages(chatId).flatMap((message) => message.keyboard.flat()))
      if (button.kind === 'callback' && !waiting.includes(unmarked(button.value).data))
        waiting.push(unmarked(button.value).data)
  }

  async function answer(text: string): Promise<void> {
    telegram.send(chatId, text)
    // The updates of a chat are handled in order: when a press is answered, the message was handled, too.
    await press('answer:none:0')
    const { keyboard = [] } = (await screen()) ?? {}
    const choices = keyboard.flat().filter(({ value }) => value.startsWith('answer:'))
    for (const { value } of choices) if (isNew(unmarked(value).data.replace(/:\w+/, ''))) await press(value)
  }

  for (const data of waiting) {
    if (data.startsWith('answer:') || left.test(data) || !isNew(data)) continue
    await press(data)
    for (const text of typed) if ((await session()).dialogue !== null) await answer(text)
  }
  return { kinds: pressed, screens, answers }
}
