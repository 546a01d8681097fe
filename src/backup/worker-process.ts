import { type ChildProcess, fork } from 'node:child_process'
import type { BackupMaker, MadeBackup, NoAttempt } from '../core/backups/backup-maker.ts'
import type { BackupSettings } from './settings.ts'

/** The limit of a backup in ms: longer than any takes. */
const LIMIT_MS = 6 * 60 * 60_000

interface WorkerOptions {
  /** The module that is run: worker.ts. */
  readonly entry: URL
  readonly settings: BackupSettings
  /** Removes secrets from the text of a problem. */
  readonly redact: (text: string) => string
}

/** Makes each backup in a process of its own, which ends with this one. */
export class BackupWorker implements BackupMaker {
  readonly #options: WorkerOptions
  readonly #children = new Set<ChildProcess>()
  #stopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  async make(name: string): Promise<MadeBackup | NoAttempt> {
    const { entry, settings, redact } = this.#options
    if (this.#stopped) return 'stopped'
    // Without the environment, which is full of secrets that it has no use for.
    const child = fork(entry, [], { env: { PATH: process.env['PATH'] }, execArgv: process.execArgv })
    this.#children.add(child)
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    const made = await new Promise<MadeBackup | NoAttempt>((resolve) => {
      const failed = (detail: string) =>
        resolve({ bytes: 0, places: [], problem: { code: 'failed', detail } })
      child.once('message', (message) => resolve(message as MadeBackup | NoAttempt))
      child.once('error', (error) => failed(error.message))
      child.once('close', (status, signal) => failed(`its process ended with ${signal ?? status}`))
      child.send({ settings, name }, (error) => error && failed(error.message))
    })
    clearTimeout(limit)
    this.#children.delete(child)
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- it may have been stopped meanwhile
    if (this.#stopped) return 'stopped'
    if (typeof made === 'string' || !made.problem) return made
    return { ...made, problem: { ...made.problem, detail: redact(made.problem.detail) } }
  }

  /** Ends what is under way; it is begun again after the next start. */
  stop(): void {
    this.#stopped = true
    for (const child of this.#children) child.kill('SIGKILL')
  }
}
