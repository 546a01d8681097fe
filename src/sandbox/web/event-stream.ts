import { PassThrough, type Readable } from 'node:stream'
import type { TelegramEmulator } from '../../emulators/telegram/types.ts'

const heartbeatMs = 15_000
const reconnectMs = 1_000

/**
 * Streams everything that happens in the chats as Server-Sent Events. The first event, `state`, carries the chats as they are
 * at that moment, so a page that connects or connects again misses nothing; plain events (`ChatEvent`) follow.
 */
export function eventStream(telegram: TelegramEmulator, state: unknown): Readable {
  const stream = new PassThrough()
  stream.write(`retry: ${reconnectMs}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`)
  const unsubscribe = telegram.subscribe((event) => stream.write(`data: ${JSON.stringify(event)}\n\n`))
  const heartbeat = setInterval(() => stream.write(':\n\n'), heartbeatMs)
  return stream.once('close', () => {
    unsubscribe()
    clearInterval(heartbeat)
  })
}
