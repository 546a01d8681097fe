import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { keptValue } from './kept-value.ts'

/** The clock that shop, chain and chats of the sandbox share. */
export interface SandboxClock extends Clock {
  /** Moves the clock forward by milliseconds; kept over a restart. */
  advance(ms: number): void
  /** Returns by how many milliseconds this clock is ahead of the real one. */
  ahead(): number
  /** Sets another time for this process only, from which the clock goes on; without one, returns to the kept offset. */
  moveTo(time?: Date): void
}

/**
 * Creates a clock of the real time plus an offset: nobody has to wait half an hour to see a top-up expire.
 *
 * @param directory where the offset is stored: with the same database, time must not go back after a restart
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
