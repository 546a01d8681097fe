import { createHash } from 'node:crypto'

/** Messages that are remembered, the latest ones; of others nothing is known. */
const REMEMBERED = 10_000

/** The body of a call: JSON, or a form when it carries a file. */
type Body = string | Buffer | undefined

interface Known {
  /** Digest of text and buttons; undefined: not known. */
  readonly shows?: string | undefined
  /** A picture or a file: it has no text that could be edited. */
  readonly media?: boolean
  readonly gone?: boolean
  /** Its buttons were taken away. */
  readonly bare?: boolean
  /** Edits that are under way. */
  readonly edits?: number
  /** Several edits overlapped: it is not known which came last. */
  readonly mixed?: boolean
}

const SENDS = new Set(['sendMessage', 'sendPhoto', 'sendDocument'])
const EDITS = new Set(['editMessageText', 'editMessageMedia', 'editMessageReplyMarkup'])

const OK = '{"ok":true,"result":true}'
const refusal = (description: string) =>
  JSON.stringify({ ok: false, error_code: 400, description: `Bad Request: ${description}` })
const NO_TEXT = refusal('there is no text in the message to edit')
const NO_MESSAGE = {
  edit: refusal('message to edit not found'),
  delete: refusal('message to delete not found'),
}

/**
 * What the messages of the bot look like, as far as this process has sent and changed them, so that Telegram is not asked what it
 * would certainly refuse: to show what is shown already, to put a text in the place of a picture, to change or delete what is gone.
 */
export class KnownMessages {
  readonly #known = new Map<string, Known>()

  /** Telegram's answer to a call where it is known in advance: its JSON. A repeated edit has succeeded already. */
  answerTo(method: string, body: Body): string | undefined {
    const edits = EDITS.has(method)
    if (!edits && method !== 'deleteMessage') return undefined
    const known = this.#known.get(nameOf(chatIn(body), messageIn(body)))
    if (!known) return undefined
    if (known.gone) return edits ? NO_MESSAGE.edit : NO_MESSAGE.delete
    if (takesButtonsAway(method, body)) return known.bare ? OK : undefined
    if (method !== 'editMessageText') return undefined
    if (known.media) return NO_TEXT
    return known.shows !== undefined && known.shows === contentOf(body) ? OK : undefined
  }

  /**
   * Notes that a call goes out.
   *
   * @returns takes the answer; undefined when none came, so that it is not known whether the call was carried out
   */
  follow(method: string, body: Body): (answer: string | undefined) => void {
    if (SENDS.has(method)) return (answer) => this.#sent(method, body, answer)
    const name = nameOf(chatIn(body), messageIn(body))
    if (method === 'deleteMessage')
      return (answer) => void (answer && isOk(answer) && this.#remember(name, { gone: true }))
    if (!EDITS.has(method)) return () => {}
    const { edits = 0, ...before } = this.#known.get(name) ?? {}
    this.#remember(name, { ...before, shows: undefined, edits: edits + 1, mixed: edits > 0 })
    return (answer) => this.#edited(name, method, body, answer)
  }

  /** Learns from a message in an update, of which nothing may be known since a restart. */
  see({
    chat,
    message_id,
    ...message
  }: {
    readonly chat: { id: number }
    readonly message_id: number
  }): void {
    const name = nameOf(String(chat.id), String(message_id))
    if (!this.#known.has(name)) this.#remember(name, { media: 'photo' in message || 'document' in message })
  }

  #sent(method: string, body: Body, answer: string | undefined): void {
    if (!answer || !isOk(answer)) return
    const name = nameOf(chatIn(body), /"message_id":(\d+)/.exec(answer)?.[1])
    const media = method !== 'sendMessage'
    this.#remember(name, media ? { media } : { shows: contentOf(body) })
  }

  #edited(name: string, method: string, body: Body, answer: string | undefined): void {
    const { edits = 1, mixed = false, media = false, gone = false } = this.#known.get(name) ?? {}
    const done = answer !== undefined && isOk(answer)
    this.#remember(name, {
      gone,
      media: media || (done && method === 'editMessageMedia'),
      shows: done && !mixed && method === 'editMessageText' ? contentOf(body) : undefined,
      bare: done && !mixed && takesButtonsAway(method, body),
      edits: edits - 1,
      mixed: mixed && edits > 1,
    })
  }

  #remember(name: string, known: Known): void {
    this.#known.delete(name)
    this.#known.set(name, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** The chat that a call is about; undefined when it is about none. */
export function chatIn(body: Body): string | undefined {
  return field(body, 'chat_id')
}

const messageIn = (body: Body) => field(body, 'message_id')

/** In JSON a quotation mark within a text is escaped, so what looks like a key is one. */
function field(body: Body, name: string): string | undefined {
  if (body === undefined) return undefined
  const found =
    typeof body === 'string'
      ? new RegExp(`"${name}":"?(-?\\d+)`).exec(body)
      : new RegExp(`name="${name}"[^]{0,100}?\r\n\r\n(-?\\d+)`).exec(body.toString('latin1', 0, 2000))
  return found?.[1]
}

function nameOf(chat: string | undefined, message: string | undefined): string {
  return `${chat} ${message}`
}

/** Text and buttons, which stand last in a call, whether it sends or edits. */
function contentOf(body: Body): string | undefined {
  if (typeof body !== 'string') return undefined
  const start = body.indexOf('"text":')
  return start < 0 ? undefined : createHash('sha1').update(body.slice(start)).digest('base64')
}

/** Whether a call removes the buttons of a message, and changes nothing else. */
function takesButtonsAway(method: string, body: Body): boolean {
  return method === 'editMessageReplyMarkup' && typeof body === 'string' && !body.includes('"reply_markup"')
}

function isOk(answer: string): boolean {
  return answer.startsWith('{"ok":true')
}
