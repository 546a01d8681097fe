import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { OperatorError } from '../core/operator-error.ts'

/** Returns the extension of the file of a packed database. */
export function ending(key: string | undefined): string {
  return key === undefined ? '.db.gz' : '.db.gz.age'
}

/** Compresses the copy of a database, and encrypts it with a passphrase in the format of age (age-encryption.org/v1). */
export async function pack(from: string, to: string, key: string | undefined): Promise<void> {
  const zipped = streamOf(from).pipeThrough(new CompressionStream('gzip'))
  await write(key === undefined ? zipped : await encrypted(zipped, key), to)
}

/**
 * Unpacks a database, or copies one that is not packed; they are told apart by their first bytes.
 *
 * @throws OperatorError when the passphrase is missing or wrong, or the file is neither
 */
export async function unpack(from: string, to: string, key: string | undefined): Promise<void> {
  const head = await firstBytes(from)
  if (head.startsWith('SQLite format 3\0')) return write(streamOf(from), to)
  if (head.startsWith('\x1f\x8b')) return write(unzipped(streamOf(from)), to)
  if (!head.startsWith('age-encryption.org/v1')) throw new OperatorError(`${from} is no backup`)
  if (key === undefined) throw new OperatorError(`${from} is encrypted: set BACKUP_KEY`)
  await write(unzipped(await decrypted(streamOf(from), key, from)), to)
}

type Bytes = globalThis.ReadableStream<Uint8Array<ArrayBuffer>>

function encrypted(stream: Bytes, key: string): Promise<globalThis.ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(key)
  return encrypter.encrypt(stream)
}

async function decrypted(stream: Bytes, key: string, file: string): Promise<Bytes> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(key)
  try {
    return (await decrypter.decrypt(stream)) as Bytes
  } catch (cause) {
    throw new OperatorError(`${file} cannot be decrypted: is it another BACKUP_KEY?`, { cause })
  }
}

const unzipped = (stream: Bytes): Bytes => stream.pipeThrough(new DecompressionStream('gzip'))

const streamOf = (file: string) => Readable.toWeb(createReadStream(file)) as Bytes

async function write(stream: globalThis.ReadableStream<Uint8Array>, to: string): Promise<void> {
  const file = createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(Readable.fromWeb(stream as ReadableStream), file)
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
