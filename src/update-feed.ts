import http from 'node:http'
import https from 'node:https'
import { z } from 'zod'
import { checkedAddresses } from './checked-addresses.ts'

const LIMIT_MS = 10_000
const MOST_BYTES = 2 * 1024 * 1024

const Release = z.object({
  version: z.string().nullish(),
  tag_name: z.string().nullish(),
  name: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
})
/** One release, or a list of them. */
const Feed = z.union([z.array(Release), Release.transform((release) => [release])])

interface FeedOptions {
  readonly url: string
  /** Loopback addresses are allowed, too: for tests. */
  readonly loopback: boolean
  /** Aborts the request at the shutdown. */
  readonly closing: AbortSignal
}

/**
 * Reads the released versions (rules 9.12) from `{"version": "1.2.0"}`, or from releases or tags as git servers list them. Nothing of the
 * shop is sent along; redirections are not followed.
 *
 * @returns the names of the versions
 * @throws when it cannot be read, or has another format
 */
export async function readUpdateFeed({ url: text, loopback, closing }: FeedOptions): Promise<string[]> {
  const url = new URL(text)
  const { lookup, checkUrl } = checkedAddresses(loopback)
  checkUrl(url)
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(LIMIT_MS)])
    const headers = { accept: 'application/json', 'user-agent': 'proxy-reseller' }
    const { get } = url.protocol === 'https:' ? https : http
    get(url, { agent: false, headers, lookup, signal }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) {
    answer.destroy()
    throw new Error(`the status is ${answer.statusCode}`)
  }
  const releases = Feed.parse(JSON.parse(await textOf(answer)))
  return releases
    .filter(({ draft, prerelease }) => !draft && !prerelease)
    .flatMap(({ version, tag_name, name }) => version ?? tag_name ?? name ?? [])
}

/** Reads the whole answer; leaving the loop early ends the connection. */
async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
