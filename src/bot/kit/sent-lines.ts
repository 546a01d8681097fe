import type { Broadcast } from '../../core/notices/content.ts'
import type { Html } from '../texts/html.ts'
import type { Texts } from '../texts/index.ts'
import { progressLine } from './progress.ts'

/** How many chats have got a message to many; while it is sent, how far that is. */
export function sentLines(texts: Texts, broadcast: Broadcast, now: Date): Html[] {
  const { status, sent, blocked, left, begunAt } = broadcast
  const done = sent + blocked
  const since = begunAt === null ? undefined : new Date(begunAt)
  return [
    ...(status === 'sending' ? [progressLine(texts, { done, total: done + left, since }, now)] : []),
    texts.operator.broadcast.progress(broadcast),
  ]
}
