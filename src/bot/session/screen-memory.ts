import type { ScreenMemory } from '../../core/chats/chat-sessions.ts'
import type { Screen, Taken } from '../kit/screen.ts'
import { DIALOGUE_VERSION } from './dialogue-version.ts'

/** Stands before what is remembered; what another version wrote is ignored. */
const VERSION = `${DIALOGUE_VERSION} `

/** What a chat remembers of its live screen. */
export function memoryOf({ follows, takes }: Screen): ScreenMemory {
  return { follows: follows ?? null, takes: takes ? VERSION + JSON.stringify(takes) : null }
}

/** What the live screen {@link Screen.takes}, from what is remembered of it. */
export function takenBy({ takes }: ScreenMemory): Taken | undefined {
  return takes?.startsWith(VERSION) ? (JSON.parse(takes.slice(VERSION.length)) as Taken) : undefined
}
