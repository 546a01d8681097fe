import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { ApiError, badRequest, notImplemented } from './api-error.ts'
import { imageSize } from './image-size.ts'

/** A file as it came in: a part of a multipart body, or from the person's phone. */
export interface Upload {
  readonly fileName: string
  readonly mimeType: string
  readonly content: Buffer
}

export type Uploads = ReadonlyMap<string, Upload>

export interface StoredFile extends Upload {
  readonly kind: 'document' | 'photo'
  readonly fileId: string
  readonly fileUniqueId: string
  /** Where `/file/bot<token>/` serves it. */
  readonly path: string
  /** Pixels, of photos only. */
  readonly width?: number
  readonly height?: number
}

export type FileStore = ReturnType<typeof createFileStore>

/** Uploads above this size never reach a method: the server answers 413. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024
const MAX_PHOTO_BYTES = 10 * 1024 * 1024
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}

/**
 * Makes the store of the files that went through the chat, in memory.
 *
 * @param earlier files of an earlier process
 */
export function createFileStore(earlier: readonly StoredFile[] = []) {
  const files = new Map(earlier.map((file) => [file.fileId, file]))
  let localFolder: string | undefined
  // Paths of an earlier process are not given again.
  let nextPath = 1 + Math.max(-1, ...earlier.map(({ path }) => Number(/\d+/.exec(path)?.[0] ?? 0)))

  /**
   * Keeps an uploaded file.
   *
   * @throws ApiError when the file is empty, or is no photo that Telegram would take
   */
  function add(kind: StoredFile['kind'], upload: Upload): StoredFile {
    if (upload.content.length === 0) throw badRequest('file must be non-empty')
    const id = randomBytes(18).toString('base64url')
    const shared = {
      kind,
      fileId: `${kind === 'photo' ? 'AgAC' : 'BQAC'}${id}`,
      fileUniqueId: `AgAD${id.slice(0, 8)}`,
    }
    const image = kind === 'photo' ? checkPhoto(upload.content) : undefined
    const extension = image ? (image.type === 'image/png' ? '.png' : '.jpg') : extname(upload.fileName)
    const mimeType = image?.type ?? guessMimeType(upload)
    const path = `${kind}s/file_${nextPath++}${extension}`
    const size = image && { width: image.width, height: image.height }
    const file = { ...shared, ...upload, mimeType, path, ...size }
    files.set(file.fileId, file)
    return file
  }

  /**
   * Finds the file that a parameter of type InputFile means: an upload (`attach://name`) or the id of a file sent before.
   *
   * @throws ApiError with Telegram's text when there is no such file, or it is of the other kind
   */
  function resolve(kind: StoredFile['kind'], value: string, uploads: Uploads): StoredFile {
    if (value.startsWith('attach://')) {
      const upload = uploads.get(value.slice('attach://'.length))
      if (!upload) throw badRequest(`there is no ${kind} in the request`)
      return add(kind, upload)
    }
    if (/^https?:\/\//i.test(value)) throw notImplemented('sending a file by its URL')
    const file = files.get(value)
    if (!file) throw badRequest('wrong file identifier/HTTP URL specified')
    if (file.kind !== kind)
      throw badRequest(`can't use file of type ${capital(file.kind)} as ${capital(kind)}`)
    return file
  }

  /** @throws ApiError when the id is unknown or the file is above the 20 MB that bots may download */
  function download(fileId: string): StoredFile {
    const file = files.get(fileId)
    if (!file) throw badRequest('invalid file_id')
    if (file.content.length > MAX_DOWNLOAD_BYTES) throw badRequest('file is too big')
    return file
  }

  /** Returns the path that `getFile` names; for a server that runs locally, one on this machine, to which the file is copied. */
  function pathOf({ path, content }: StoredFile): string {
    if (localFolder === undefined) return path
    const local = join(localFolder, path)
    mkdirSync(dirname(local), { recursive: true })
    writeFileSync(local, content)
    return local
  }

  return {
    add,
    resolve,
    download,
    pathOf,
    serveLocally: (folder: string) => void (localFolder = folder),
    find: (fileId: string) => files.get(fileId),
    findByPath: (path: string) => [...files.values()].find((file) => file.path === path),
  }
}

function checkPhoto(content: Buffer) {
  if (content.length > MAX_PHOTO_BYTES) {
    throw badRequest(
      `file of size ${content.length} bytes is too big for a photo; the maximum size is ${MAX_PHOTO_BYTES} bytes`,
    )
  }
  const image = imageSize(content)
  if (!image || image.width === 0 || image.height === 0) throw badRequest('IMAGE_PROCESS_FAILED')
  const { width, height } = image
  if (width + height > 10_000 || Math.max(width / height, height / width) > 20) {
    throw badRequest('PHOTO_INVALID_DIMENSIONS')
  }
  return image
}

/** Whether Telegram's apps send a file as a picture, if they are not told otherwise. */
export function isPhoto(content: Buffer): boolean {
  try {
    return checkPhoto(content) !== undefined
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Guesses as Telegram does: clients that do not know the type send octet-stream, and then the name counts. */
function guessMimeType({ fileName, mimeType }: Upload): string {
  if (mimeType !== '' && mimeType !== 'application/octet-stream') return mimeType
  return MIME_TYPES[extname(fileName).toLowerCase()] ?? 'application/octet-stream'
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns the answer for an upload above `MAX_UPLOAD_BYTES`. */
export function uploadTooLarge(): ApiError {
  return new ApiError(413, 'Request Entity Too Large')
}
