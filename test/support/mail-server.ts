import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished, vi } from 'vitest'
import { PATIENCE } from './patience.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The text, decoded. */
  readonly text: string
}

/** What the server does with the mails that come next. */
export type Mood = 'accept' | 'busy' | 'reject recipient' | 'reject content' | 'accept and hang up'

/** A real SMTP server on this machine, which wants a password; it ends with the test. */
export async function startMailServer() {
  const password = randomBytes(12).toString('hex')
  const received: ReceivedMail[] = []
  const state: { mood: Mood; attempts: number } = { mood: 'accept', attempts: 0 }
  const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.username === 'shop' && auth.password === password
        ? done(null, { user: 'shop' })
        : done(refusal(535, 'Wrong password')),
    onRcptTo: (_address, _session, done) => {
      state.attempts += 1
      if (state.mood === 'busy') return done(refusal(451, 'Try again later'))
      if (state.mood === 'reject recipient') return done(refusal(550, 'No such mailbox'))
      return done()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (state.mood === 'reject content') return done(refusal(554, 'Looks like spam'))
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...parseMail(Buffer.concat(chunks).toString('utf8')),
        })
        // The mail is there, but the sender never learns it.
        if (state.mood === 'accept and hang up') return done(refusal(421, 'Gone'))
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo

  return {
    url: `smtp://shop:${password}@127.0.0.1:${port}`,
    received,
    state,
    /** The nth mail, once it is there. */
    mail: (n: number) => vi.waitUntil(() => received[n - 1], PATIENCE),
  }
}

/** Header fields and text of a mail without parts (RFC 5322). */
function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const split = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, split)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { headers, text: decode(raw.slice(split + 4), headers['content-transfer-encoding'] ?? '') }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
