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

type Problem = { readonly problem: 'tooBig' | 'notDownloaded' }
type Download = { readonly text: string } | Problem | { readonly problem: 'notUtf8' }
/** Largest picture: Telegram makes photos smaller than that. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024

/** The text of a file that a person sent; see {@link downloadFile}. */
export async function downloadText(ctx: Downloading, path: string): Promise<Download> {
  const file = await downloadFile(ctx, path, MAX_FILE_BYTES)
  return 'problem' in file ? file : decoded(file.content)
}

type Downloading = Pick<BotContext, 'api' | 'files' | 'logger'>

/**
 * The content of a file that a person sent.
 *
 * @param path from `getFile`: of a Bot API server that runs with `--local`, an absolute one on this machine (Bot API)
 */
export async function downloadFile(
  { api, files, logger }: Downloading,
  path: string,
  mostBytes = MAX_PICTURE_BYTES,
): Promise<{ readonly content: Buffer } | Problem> {
  if (isAbsolute(path)) {
    const file = files === undefined ? undefined : await fileBelow(files, path)
    if (file === undefined) {
      logger.warn('a file of the Bot API server was not read: it is not below TELEGRAM_FILES')
      return { problem: 'notDownloaded' }
    }
    if ((await stat(file)).size > mostBytes) return { problem: 'tooBig' }
    return { content: await readFile(file) }
  }
  const url = `${api.options?.apiRoot ?? PUBLIC_API_ROOT}/file/bot${api.token}/${path}`
  const content = await read(url, mostBytes).catch((error: unknown) => {
    // A network error. Its text is dropped, because it may quote the address, which holds the token.
    if (error instanceof TypeError || error instanceof DOMException) return 'notDownloaded' as const
    throw error
  })
  if (typeof content === 'string') return { problem: content }
  return { content }
}

function decoded(content: Buffer): Download {
  const text = decodedText(content)
  return text === undefined ? { problem: 'notUtf8' } : { text }
}

async function read(url: string, mostBytes: number): Promise<Buffer | 'tooBig' | 'notDownloaded'> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) })
  if (!response.ok || !response.body) return 'notDownloaded'
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > mostBytes) return 'tooBig'
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
