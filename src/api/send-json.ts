import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextTurn } from '../core/turns.ts'
import { lists, takesGzip } from '../served-file.ts'

const gzip = promisify(gzipWithCallback)

/** Characters of the shortest text that is compressed; shorter ones fit into a packet as they are. */
export const LEAST_COMPRESSED = 1_400
/** Most answers compressed at a time, on the threads that also check passwords; any more are sent as they are. */
const COMPRESSED_AT_ONCE = 2
/** Characters that are hashed before other work gets a turn. */
const HASHED_AT_ONCE = 256 * 1024

let compressing = 0

/**
 * Answers with JSON (rules 1.20): reads get an ETag, and 304 without a body when the client has it already; compressed for
 * clients that take gzip.
 *
 * @returns the reply
 */
export async function sendJson(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  void reply.header('vary', 'Accept-Encoding, Accept-Language')
  if (method === 'GET' || method === 'HEAD') {
    const etag = await tagOf(text)
    void reply.header('etag', etag)
    const known = headers['if-none-match']
    if (known !== undefined && lists(known, etag)) return reply.code(304).send()
  }
  void reply.header('content-type', 'application/json; charset=utf-8')
  const zipped =
    text.length >= LEAST_COMPRESSED && takesGzip(headers['accept-encoding'])
      ? await compressed(text)
      : undefined
  if (zipped) void reply.header('content-encoding', 'gzip')
  return reply.send(zipped ?? text)
}

/** Returns a weak ETag: the same content, whether it is compressed or not. */
async function tagOf(text: string): Promise<string> {
  const hash = createHash('sha1')
  for (let at = 0; at < text.length; at += HASHED_AT_ONCE) {
    if (at > 0) await nextTurn()
    hash.update(text.slice(at, at + HASHED_AT_ONCE))
  }
  return `W/"${hash.digest('base64url')}"`
}

/** Compresses a text; undefined while too many others are being compressed. The lowest level makes lists a tenth of their size. */
async function compressed(text: string): Promise<Buffer | undefined> {
  if (compressing >= COMPRESSED_AT_ONCE) return undefined
  compressing += 1
  try {
    return await gzip(text, { level: 1 })
  } finally {
    compressing -= 1
  }
}
