import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextTurn } from '../core/turns.ts'
import { lists, takesGzip } from '../served-file.ts'

const gzip = promisify(gzipWithCallback)

/** Shorter texts fit into a packet as they are. */
export const LEAST_COMPRESSED = 1_400
/** Answers that are compressed at the same time, on other threads, which check passwords as well; any more go out as they are. */
const COMPRESSED_AT_ONCE = 2
/** Characters that are hashed at once; in between others get their turn. */
const HASHED_AT_ONCE = 256 * 1024

let compressing = 0

/**
 * Answers with JSON (rules 1.20): what is read has a tag, and is 304 without a body for those that have it already; compressed for
 * clients that take gzip.
 *
 * @returns what is to be sent
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

/** Weak: the same content, whether it is compressed or not. */
async function tagOf(text: string): Promise<string> {
  const hash = createHash('sha1')
  for (let at = 0; at < text.length; at += HASHED_AT_ONCE) {
    if (at > 0) await nextTurn()
    hash.update(text.slice(at, at + HASHED_AT_ONCE))
  }
  return `W/"${hash.digest('base64url')}"`
}

/** Undefined while others are being compressed. The lowest level: lists are a tenth of their size even so. */
async function compressed(text: string): Promise<Buffer | undefined> {
  if (compressing >= COMPRESSED_AT_ONCE) return undefined
  compressing += 1
  try {
    return await gzip(text, { level: 1 })
  } finally {
    compressing -= 1
  }
}
