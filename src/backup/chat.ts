import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Api, GrammyError, InputFile } from 'grammy'
import { fileBelow } from '../core/file-below.ts'
import { fileParts } from './file-parts.ts'
import type { Place } from './place.ts'
import type { ChatSettings } from './settings.ts'

/** Bytes of a part: a bot can download files of up to 20 MB only, although it may send 50 MB. */
const PART_BYTES = 19_000_000
const MOST_PARTS = 50
const MOST_ATTEMPTS = 5

/** A part that stands in the chat. */
interface Part {
  readonly messageId: number
  readonly fileId: string
}

/** A chat of Telegram, in which a large file stands in parts. Only what this process has sent can be read again. */
export function chat({ chatId, token, apiRoot, files }: ChatSettings): Place {
  const api = new Api(token, { apiRoot })
  // Not stored: with each backup Telegram names the supergroup again that the group has become.
  let current = chatId
  const sent: Part[] = []
  return {
    name: 'chat',
    store: async (path, name) => {
      const { size } = await stat(path)
      const parts = Math.ceil(size / PART_BYTES)
      if (parts > MOST_PARTS)
        throw new Error(`the backup has ${size} bytes; a chat takes ${MOST_PARTS * PART_BYTES}`)
      for await (const content of fileParts(path, PART_BYTES)) {
        const document = new InputFile(content, parts === 1 ? name : `${name}.${numbered(sent.length + 1)}`)
        const { message_id: messageId, document: stored } = await patiently(() =>
          api.sendDocument(current, document, { disable_notification: true }),
        )
        sent.push({ messageId, fileId: stored.file_id })
      }
    },
    open: async () => Readable.from(contents()),
    remove: async () => {
      for (const { messageId } of sent.splice(0)) await patiently(() => api.deleteMessage(current, messageId))
    },
  }

  /** Retries a call that Telegram refuses for its rate limit, after the pause that it asks for, or because the chat has moved. */
  async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof GrammyError) || attempt === MOST_ATTEMPTS) throw error
        const { retry_after: pause, migrate_to_chat_id: moved } = error.parameters
        if (pause === undefined && moved === undefined) throw error
        current = moved ?? current
        if (pause !== undefined) await delay(pause * 1000)
      }
    }
  }

  async function* contents(): AsyncGenerator<Uint8Array> {
    for (const { fileId } of sent) {
      const { file_path: path = '' } = await patiently(() => api.getFile(fileId))
      if (isAbsolute(path)) {
        const file = files === undefined ? undefined : await fileBelow(files, path)
        if (file === undefined)
          throw new Error('the Bot API server has the file elsewhere than below TELEGRAM_FILES')
        yield* createReadStream(file)
        continue
      }
      const answer = await fetch(`${apiRoot}/file/bot${token}/${path}`)
      if (!answer.ok) throw new Error(`Telegram answers ${answer.status} for a part of the backup`)
      yield new Uint8Array(await answer.arrayBuffer())
    }
  }
}

/** Returns the ending of a part's name; parts sort by their names. */
function numbered(part: number): string {
  return `part${String(part).padStart(2, '0')}`
}
