import { type Api, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import type { Logger } from 'pino'
import { basename } from 'node:path'
import type { SentFile } from '../../core/facts/support-message.ts'
import { downloadFile, fileOf } from '../dialogue/download.ts'
import { placeOf } from '../kit/sent-file.ts'
import type { BotsOfAgents } from '../transport/agent-bots.ts'

/** Largest file that bots may download (Bot API: getFile). */
const MAX_FILE_BYTES = 20 * 1024 * 1024
/** Most files whose ids in other bots are remembered, the latest ones; all others are uploaded again. */
const REMEMBERED = 1_000

interface SentFilesOptions {
  readonly agentBots: BotsOfAgents
  /** The shop's bot. */
  readonly api: Api
  /** See {@link BotContext.files}. */
  readonly files: string | undefined
  readonly logger: Logger
}

/** A bot that sends a file: id 0 for the shop's. */
export interface Sender {
  readonly botId: number
  readonly api: Api
}

/**
 * Sends files that people have sent to one bot with another one. Telegram's id of a file works in the bot only that got it, so the file is
 * downloaded there and uploaded here, once: the id that it gets here is remembered.
 */
export class SentFiles {
  readonly #options: SentFilesOptions
  readonly #known = new Map<string, Promise<string>>()

  constructor(options: SentFilesOptions) {
    this.#options = options
  }

  /**
   * Sends a picture or a file.
   *
   * @param options caption and buttons
   * @returns whether it was sent; false when it cannot be had any more
   */
  async send(sender: Sender, chatId: number, file: SentFile, options: object): Promise<boolean> {
    const { botId, api } = sender
    const put = (content: string | InputFile) =>
      file.kind === 'photo'
        ? api.sendPhoto(chatId, content, options)
        : api.sendDocument(chatId, content, options)
    const place = placeOf(file)
    if (place.botId === botId) {
      await put(place.fileId)
      return true
    }
    const key = `${botId} ${file.id}`
    // Many chats may be told at once: one of them uploads the file, and the others wait for its id.
    const known = await this.#known.get(key)?.catch(() => undefined)
    if (known !== undefined) {
      await put(known)
      return true
    }
    const content = await this.#contentOf(place, file.kind)
    if (!content) return false
    const uploaded = put(content).then((message) => idIn(message))
    this.#remember(key, uploaded)
    await uploaded
    return true
  }

  async #contentOf(
    { botId, fileId }: ReturnType<typeof placeOf>,
    kind: SentFile['kind'],
  ): Promise<InputFile | undefined> {
    const { agentBots, files, logger } = this.#options
    const api = botId === 0 ? this.#options.api : agentBots.apiOfBot(botId)
    const found = api && (await fileOf(api, { file_id: fileId }))
    if (!api || !found || 'problem' in found) return undefined
    const content = await downloadFile({ api, files, logger }, found.file, MAX_FILE_BYTES)
    if ('problem' in content) return undefined
    return new InputFile(content.content, kind === 'photo' ? 'picture.jpg' : basename(found.file))
  }

  #remember(key: string, id: Promise<string>): void {
    this.#known.set(key, id)
    id.catch(() => this.#known.delete(key))
    if (this.#known.size <= REMEMBERED) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

function idIn({ photo, document }: Message): string {
  return photo?.at(-1)?.file_id ?? document?.file_id ?? ''
}
