import { shortLabel } from '../../src/bot/kit/columns.ts'
import type {
  CallbackAnswer,
  ChatEvent,
  EmulatedBot,
  EmulatedButton,
  EmulatedMessage,
  EmulatedUser,
} from '../../src/emulators/telegram/types.ts'
import { HANG_MS } from './patience.ts'

/** What a message must be like: its text contains the string, matches the expression, or the function says so. */
export type MessageMatch = string | RegExp | ((message: EmulatedMessage) => boolean)

export interface WaitOptions {
  /** Also accept a message that was on the phone before the last `send` or `press`. */
  readonly evenOld?: boolean
  readonly timeoutMs?: number
}

/** The newest message of the bot as a person reads it. */
export interface Screen {
  readonly message: EmulatedMessage
  readonly text: string
  /** Labels of the buttons, row by row. */
  readonly keyboard: readonly (readonly string[])[]
}

export type Phone = ReturnType<typeof createPhone>

/**
 * A person with a phone, for tests of conversations with one bot. Nothing here sleeps or polls: everything waits for
 * the events of the emulator, and gives up after a deadline with the whole chat in the error.
 *
 * @param bot the emulator of Telegram stands for its first bot
 * @param user is added to Telegram when it is not there yet
 */
export function createPhone(bot: EmulatedBot, user: EmulatedUser) {
  const chatId = user.id
  /** When each message arrived or changed for the last time, counted in events. */
  const changedAt = new Map<number, number>()
  let events = 0
  let mark = 0

  if (!bot.users().some(({ id }) => id === chatId)) bot.addUser(user)
  bot.subscribe((event) => {
    if (event.chatId === chatId && (event.type === 'message' || event.type === 'edit')) {
      changedAt.set(event.message.messageId, ++events)
    }
  })

  const fromBot = () => bot.messages(chatId).filter(({ from }) => from === 'bot')

  /** Resolves with the first result of `look`, which is asked now and after every event of this chat. */
  function when<T>(
    wanted: string,
    timeoutMs: number,
    look: (event?: ChatEvent) => T | undefined,
  ): Promise<T> {
    const present = look()
    if (present !== undefined) return Promise.resolve(present)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unsubscribe()
        reject(new Error(`${user.firstName} waited ${timeoutMs} ms for ${wanted}.\n${dump()}`))
      }, timeoutMs)
      const unsubscribe = bot.subscribe((event) => {
        const found = event.chatId === chatId ? look(event) : undefined
        if (found === undefined) return
        clearTimeout(timer)
        unsubscribe()
        resolve(found)
      })
    })
  }

  /** Resolves with the newest message of the bot that matches and that arrived or changed since the last act. */
  function waitFor(match: MessageMatch, options: WaitOptions = {}): Promise<EmulatedMessage> {
    const since = options.evenOld ? -1 : mark
    return when(`a message like ${String(match)}`, options.timeoutMs ?? HANG_MS, () =>
      fromBot().findLast(
        (message) => (changedAt.get(message.messageId) ?? 0) > since && matches(message, match),
      ),
    )
  }

  /** Resolves with the newest message of the bot that has the button, and the button. */
  function waitForButton(label: string | RegExp, timeoutMs = HANG_MS) {
    return when(`a button ${String(label)}`, timeoutMs, () => {
      const message = fromBot().findLast(({ keyboard }) => findButton(keyboard, label))
      const button = message && findButton(message.keyboard, label)
      return button && { message, button }
    })
  }

  /** Types a message; returns its id. */
  function send(text: string): number {
    const messageId = bot.send(chatId, text)
    mark = events
    return messageId
  }

  function sendFile(file: Parameters<EmulatedBot['sendFile']>[1]): number {
    const messageId = bot.sendFile(chatId, file)
    mark = events
    return messageId
  }

  /** Presses the button with this label on the newest message that has it; resolves with the bot's answer. */
  async function press(label: string | RegExp, timeoutMs?: number): Promise<CallbackAnswer> {
    const { message, button } = await waitForButton(label, timeoutMs)
    if (button.kind !== 'callback')
      throw new Error(`the button "${button.text}" is of the kind ${button.kind}`)
    mark = events
    return bot.press(chatId, message.messageId, button.value, timeoutMs ?? HANG_MS)
  }

  /** The newest message of the bot. */
  function screen(): Screen {
    const message = fromBot().at(-1)
    if (!message) throw new Error(`the bot has sent nothing to ${user.firstName}.\n${dump()}`)
    return {
      message,
      text: message.text,
      keyboard: message.keyboard.map((row) => row.map(({ text }) => text)),
    }
  }

  /** The bytes of the file in a message, with its name and type. */
  async function file(message: EmulatedMessage) {
    const content = message.file && (await bot.file(message.file.fileId))
    if (!content) throw new Error(`message ${message.messageId} has no file.\n${dump()}`)
    return content
  }

  /** The whole chat, and what the emulator refused: what one wants to see when a test fails. */
  function dump(): string {
    const refused = bot.calls().filter((call) => call.refused !== undefined)
    return [
      'The chat:',
      ...bot.messages(chatId).map(describe),
      ...refused.slice(-5).map((call) => `Refused: ${call.method}: ${call.refused}`),
    ].join('\n')
  }

  return {
    user,
    chatId,
    send,
    sendFile,
    press,
    waitFor,
    waitForButton,
    screen,
    /** Labels of all buttons of the newest message of the bot. */
    buttons: () => screen().keyboard.flat(),
    file,
    dump,
    /** Waits as `waitFor` does and returns the text only. */
    read: async (match: MessageMatch, options?: WaitOptions) => (await waitFor(match, options)).text,
  }
}

function matches(message: EmulatedMessage, match: MessageMatch): boolean {
  if (typeof match === 'function') return match(message)
  return typeof match === 'string' ? message.text.includes(match) : match.test(message.text)
}

function findButton(
  keyboard: EmulatedMessage['keyboard'],
  label: string | RegExp,
): EmulatedButton | undefined {
  const matches = (text: string) =>
    typeof label === 'string' ? text === shortLabel({ text: label }) : label.test(text)
  return keyboard.flat().find(({ text }) => matches(text))
}

function describe({ messageId, from, edited, text, file, keyboard }: EmulatedMessage): string {
  const attached = file ? ` <${file.kind} ${file.fileName}, ${file.size} bytes>` : ''
  const rows = keyboard.map((row) => `\n    ${row.map((button) => `[${button.text}]`).join(' ')}`)
  return `  ${from} ${messageId}${edited ? ' (edited)' : ''}:${attached} ${text.replaceAll('\n', '\n    ')}${rows.join('')}`
}
