import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const gzip = promisify(gzipWithCallback)

/** A file that is the same for everybody, prepared with the first request for it. */
export type ServedFile = () => Promise<Prepared>

interface Prepared {
  readonly type: string
  readonly plain: Buffer
  /** The file in gzip; undefined where that is not smaller. */
  readonly zipped: Buffer | undefined
  readonly hash: string
}

/**
 * Makes a file for {@link sendFile}.
 *
 * @param mediaType without the charset, which is UTF-8 for texts
 * @param content the file, or what makes it, which is called once
 */
export function serveFile(mediaType: string, content: Buffer | string | (() => Promise<string>)): ServedFile {
  let prepared: Promise<Prepared> | undefined
  return () => (prepared ??= prepare(mediaType, content))
}

async function prepare(mediaType: string, content: Parameters<typeof serveFile>[1]): Promise<Prepared> {
  const plain = Buffer.from(typeof content === 'function' ? await content() : content)
  const zipped = await gzip(plain, { level: 9 })
  return {
    type: mediaType.startsWith('image/png') ? mediaType : `${mediaType}; charset=utf-8`,
    plain,
    zipped: zipped.length < plain.length ? zipped : undefined,
    hash: createHash('sha256').update(plain).digest('base64url'),
  }
}

/**
 * Answers with a file: compressed for clients that take gzip, 304 to those that have it already, 412 to those that want another
 * version of it. Nothing is copied: however many answers wait for slow readers, the file is in memory once. Ranges are not offered,
 * so `Range` is ignored (RFC 9110, 14.2).
 */
export async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const { type, plain, zipped, hash } = await file()
  const compressed = zipped !== undefined && takesGzip(headers['accept-encoding'])
  // A strong tag: other bytes have another one.
  const etag = `"${hash}${compressed ? '-gzip' : ''}"`
  if (headers['if-match'] !== undefined && !lists(headers['if-match'], etag)) return reply.code(412).send()
  void reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
  if (headers['if-none-match'] !== undefined && lists(headers['if-none-match'], etag))
    return reply.code(304).send()
  if (compressed) void reply.header('content-encoding', 'gzip')
  return reply.header('content-type', type).send(compressed ? zipped : plain)
}

/** Whether a condition holds (RFC 9110, 13.1): it lists the tag, weak or not, or any. */
export function lists(condition: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return condition.split(',').some((part) => ['*', bare(etag)].includes(bare(part)))
}

/** Whether `Accept-Encoding` takes gzip (RFC 9110, 12.5.3). */
export function takesGzip(accepted = ''): boolean {
  const qualities = new Map(
    accepted.split(',').map((part) => {
      const [coding = '', quality = ''] = part.split(';')
      return [coding.trim().toLowerCase(), Number(/q=([\d.]+)/i.exec(quality)?.[1] ?? 1)]
    }),
  )
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0
}
