import type { Api } from 'grammy'
import type { Document } from 'grammy/types'
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { decodedText } from '../../core/decoded-text.ts'
import { fileBelow } from '../../core/file-below.ts'
import type { BotContext } from '../session/context.ts'
import { isTelegramError } from '../transport/telegram-error.ts'

/** Largest text file that is read. */
const MAX_FILE_BYTES = 256 * 1024
const PUBLIC_API_ROOT = 'https://api.telegram.org'
const LIMIT_MS = 15_000

type Download = { readonly text: string } | { readonly problem: 'tooBig' | 'notUtf8' | 'notDownloaded' }

/**
 * The text of a file that a person sent.
 *
 * @param path from `getFile`: of a Bot API server that runs with `--local`, an absolute one on this machine (Bot API)
 */
export async function downloadText(
  { api, files, logger }: Pick<BotContext, 'api' | 'files' | 'logger'>,
  path: string,
): Promise<Download> {
  if (isAbsolute(path)) {
    const file = files === undefined ? undefined : await fileBelow(files, path)
    if (file === undefined) {
      logger.warn('a file of the Bot API server was not read: it is not below TELEGRAM_FILES')
      return { problem: 'notDownloaded' }
    }
    if ((await stat(file)).size > MAX_FILE_BYTES) return { problem: 'tooBig' }
    return decoded(await readFile(file))
  }
  const url = `${api.options?.apiRoot ?? PUBLIC_API_ROOT}/file/bot${api.token}/${path}`
  const content = await read(url).catch((error: unknown) => {
    // A network error. Its text is dropped, because it may quote the address, which holds the token.
    if (error instanceof TypeError || error instanceof DOMException) return 'notDownloaded' as const
    throw error
  })
  if (typeof content === 'string') return { problem: content }
  return decoded(content)
}

function decoded(content: Buffer): Download {
  const text = decodedText(content)
  return text === undefined ? { problem: 'notUtf8' } : { text }
}

async function read(url: string): Promise<Buffer | 'tooBig' | 'notDownloaded'> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) })
  if (!response.ok || !response.body) return 'notDownloaded'
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > MAX_FILE_BYTES) return 'tooBig'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Where a file can be downloaded; Telegram keeps it after its message has been deleted. */
export async function fileOf(
  api: Pick<Api, 'getFile'>,
  { file_id, file_size = 0 }: Pick<Document, 'file_id' | 'file_size'>,
): Promise<{ file: string } | { problem: 'tooBig' | 'notDownloaded' }> {
  if (file_size > MAX_FILE_BYTES) return { problem: 'tooBig' }
  try {
    const { file_path } = await api.getFile(file_id)
    return file_path === undefined ? { problem: 'notDownloaded' } : { file: file_path }
  } catch (error) {
    if (!isTelegramError(error)) throw error
    return { problem: 'notDownloaded' }
  }
}
