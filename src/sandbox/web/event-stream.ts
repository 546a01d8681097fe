import { PassThrough, type Readable } from 'node:stream'
import type { TelegramEmulator } from '../../emulators/telegram/types.ts'

const heartbeatMs = 15_000
const reconnectMs = 1_000

/**
 * Streams everything that happens in the chats as Server-Sent Events. The first event, `state`, carries the chats as they are
 * at that moment, so a page that connects or connects again misses nothing; plain events (`NetworkEvent`) follow.
 *
 * @param bots what an event about the list of the bots tells
 */
export function eventStream(telegram: TelegramEmulator, state: unknown, bots: () => unknown): Readable {
  const stream = new PassThrough()
  stream.write(`retry: ${reconnectMs}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`)
  const unsubscribe = telegram.subscribeToAll((event) => {
    const told = event.type === 'bots' ? { ...event, bots: bots() } : event
    stream.write(`data: ${JSON.stringify(told)}\n\n`)
  })
  const heartbeat = setInterval(() => stream.write(':\n\n'), heartbeatMs)
  return stream.once('close', () => {
    unsubscribe()
    clearInterval(heartbeat)
  })
}
