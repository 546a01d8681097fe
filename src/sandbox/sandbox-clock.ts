import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { keptValue } from './kept-value.ts'

/** The one time of the sandbox: of the shop, the chain and the chats. */
export interface SandboxClock extends Clock {
  /** Lets time pass at once; milliseconds. */
  advance(ms: number): void
  /** How far this clock is ahead of the real one, in milliseconds. */
  ahead(): number
  /** Goes on from another time, for this process only; without one from where it was. */
  moveTo(time?: Date): void
}

/**
 * Real time, plus what people let pass in order not to wait half an hour to see a top-up expire.
 *
 * @param directory where that is kept: with the same database, time must not go back after a restart
 */
export function createSandboxClock(directory: string, clock: Clock): SandboxClock {
  const ahead = keptValue(join(directory, 'sandbox-clock.json'), 0)
  let moved: number | undefined
  return {
    now: () => new Date(clock.now().getTime() + (moved ?? ahead.get())),
    advance: (ms) => ahead.set(ahead.get() + ms),
    ahead: () => ahead.get(),
    moveTo: (time) => (moved = time && time.getTime() - clock.now().getTime()),
  }
}
