import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from 'pino'
import { Loop } from './loop.ts'

interface GatewayProcessOptions {
  /** The module that is run. */
  readonly entry: URL
  /** Its whole environment. */
  readonly environment: NodeJS.ProcessEnv
  readonly logger: Logger
  /** Called each time that it listens, and each time that it has ended. */
  readonly listens: (port: number) => unknown
  readonly ended: () => unknown
}

/** The message of the gateway to the process that started it, once it listens. */
interface Listening {
  readonly port: number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** The running time in ms after which it counts as healthy: the pause after its end is the first one again. */
const HEALTHY_MS = 30_000
/** How long its tunnels may go on, and how long it may take in all to report what they used. */
const DRAIN_MS = 3_000
const STOP_MS = 8_000

/**
 * The gateway as a process of its own: started again when it dies, ended with the service (rules 12.1). A round is the life of one
 * process.
 */
export class GatewayProcess extends Loop {
  readonly #options: GatewayProcessOptions
  #child: ChildProcess | undefined
  #listening = false
  #pauseMs = FIRST_PAUSE_MS

  constructor(options: GatewayProcessOptions) {
    const { logger } = options
    super({ logger, failure: 'the gateway was not started', pauseMs: LONGEST_PAUSE_MS })
    this.#options = options
  }

  /** Whether it listens. */
  override get alive(): boolean {
    return this.#listening
  }

  /** Settles when the process has ended. */
  override async stop(): Promise<void> {
    this.#child?.kill('SIGTERM')
    const timers = [
      // After a second SIGTERM it breaks off what is open.
      setTimeout(() => this.#child?.kill('SIGTERM'), DRAIN_MS),
      setTimeout(() => this.#child?.kill('SIGKILL'), STOP_MS),
    ]
    await super.stop()
    for (const timer of timers) clearTimeout(timer)
  }

  protected async round(stopping: AbortSignal): Promise<number> {
    const { logger, ended } = this.#options
    const began = performance.now()
    const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      this.#fork().once('close', (...end) => resolve(end)),
    )
    this.#listening = false
    ended()
    if (stopping.aborted) return 0
    if (performance.now() - began > HEALTHY_MS) this.#pauseMs = FIRST_PAUSE_MS
    const againInMs = this.#pauseMs
    logger.error({ status, signal, againInMs }, 'the gateway has ended')
    this.#pauseMs = Math.min(2 * againInMs, LONGEST_PAUSE_MS)
    return againInMs
  }

  #fork(): ChildProcess {
    const { entry, environment, logger, listens } = this.#options
    this.#child = fork(entry, [], {
      env: environment,
      execArgv: process.execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message) => {
      this.#listening = true
      listens((message as Listening).port)
    })
    this.#child.once('error', (error) => logger.error({ err: error }, 'the gateway was not started'))
    return this.#child
  }
}
