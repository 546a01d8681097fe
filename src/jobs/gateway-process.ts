import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from 'pino'

interface GatewayProcessOptions {
  /** The module that is run. */
  readonly entry: URL
  /** Its whole environment. */
  readonly environment: NodeJS.ProcessEnv
  readonly logger: Logger
  /** Called each time that it listens. */
  readonly onListening?: (port: number) => void
}

/** What the process of the gateway says to the one that started it. */
interface Listening {
  readonly listening: number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** After so long it counts as healthy, and the next end as the first one. */
const HEALTHY_MS = 30_000
/** How long it may take to end its tunnels and to report what they used. */
const STOP_MS = 8_000

/** The gateway as a process of its own: started again when it dies, ended with the service (rules 12.1). */
export class GatewayProcess {
  readonly #options: GatewayProcessOptions
  #child: ChildProcess | undefined
  #listening = false
  #stopping = false
  #pauseMs = FIRST_PAUSE_MS
  #next: NodeJS.Timeout | undefined

  constructor(options: GatewayProcessOptions) {
    this.#options = options
  }

  /** Whether it listens. */
  get alive(): boolean {
    return this.#listening
  }

  start(): void {
    const { entry, environment, logger, onListening } = this.#options
    const began = performance.now()
    const child = fork(entry, [], {
      env: environment,
      execArgv: process.execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (message) => {
      const { listening } = message as Listening
      this.#listening = true
      onListening?.(listening)
    })
    child.once('error', (error) => logger.error({ err: error }, 'the gateway was not started'))
    child.once('close', (status, signal) => {
      this.#listening = false
      if (this.#stopping) return
      if (performance.now() - began > HEALTHY_MS) this.#pauseMs = FIRST_PAUSE_MS
      logger.error({ status, signal, againInMs: this.#pauseMs }, 'the gateway has ended')
      this.#next = setTimeout(() => this.start(), this.#pauseMs)
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS)
    })
  }

  /** Settles when the process has ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#next)
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(impatience)
  }
}
