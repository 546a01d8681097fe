import type { Logger } from 'pino'
import { Loop, type LoopOptions } from './loop.ts'

/** Commands of other processes are not heard on SQLite; what they change is seen after this time in ms. */
const LOOK_MS = 10_000

/** Keeps the bots of agents that run as the database has them (rules 20.9). */
export class AgentBotLoop extends Loop {
  readonly #bots: { refresh(): Promise<void> }

  constructor(
    bots: { refresh(): Promise<void> },
    logger: Logger,
    onWake: NonNullable<LoopOptions['onWake']>,
  ) {
    super({ logger, failure: 'the bots of agents could not be looked at', pauseMs: LOOK_MS, onWake })
    this.#bots = bots
  }

  protected round(): Promise<void> {
    return this.#bots.refresh()
  }
}
