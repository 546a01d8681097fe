import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { AccountsPage, GatewayAccount, GatewayExit, GatewayProduct } from '../../core/gateway/wire.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { Accounts } from '../accounts.ts'
import type { Refusal } from '../exit.ts'
import type { ExitChoice } from '../exits/choose-exit.ts'
import { ExitFault } from '../exits/exit-fault.ts'
import type { ExitHealth } from '../exits/health.ts'
import type { Front, FrontFigures } from '../front.ts'
import type { Meters } from '../meters.ts'
import { Lender } from './lender.ts'
import type { Answer, FromWorker, Question, ToWorker, WorkerReport } from './messages.ts'

/** How soon a worker that died is replaced. */
const RESTART_MS = 500

interface WorkersOptions {
  readonly count: number
  readonly meters: Meters
  readonly choice: ExitChoice
  readonly health: ExitHealth
  readonly logger: Logger
}

/**
 * Serves clients by several processes, which listen on one port. What is exact, quotas and sessions, stays here: workers borrow the
 * one and ask for the other.
 */
export class Workers implements Front {
  readonly #options: WorkersOptions
  readonly #lender: Lender
  readonly #workers = new Map<number, Worker>()
  readonly #connections = new Map<number, number>()
  #figures: Pick<FrontFigures, 'accepted' | 'refused'> = { accepted: 0, refused: {} }
  /** Tells the quotas what the shop knows. */
  readonly #directory: Accounts
  /** Accounts, products and exits for workers that begin later. */
  readonly #accounts = new Map<string, GatewayAccount>()
  #products: readonly GatewayProduct[] = []
  #exits: readonly GatewayExit[] = []
  #reason: Refusal | undefined = 'shop_unreachable'
  #isClosing = false
  port = 0

  private constructor(options: WorkersOptions) {
    this.#options = options
    this.#directory = new Accounts(options.meters)
    this.#lender = new Lender({
      meters: options.meters,
      workers: options.count,
      recall: (id, username) => {
        const worker = this.#workers.get(id)
        if (worker) send(worker, { kind: 'recall', username })
        else this.#lender.died(id)
      },
    })
  }

  /** @throws OperatorError when the port is taken */
  static async start(options: WorkersOptions): Promise<Workers> {
    const workers = new Workers(options)
    try {
      await Promise.all(Array.from({ length: options.count }, () => workers.#start()))
    } catch (error) {
      await workers.close()
      throw error
    }
    return workers
  }

  page(page: AccountsPage): void {
    this.#directory.apply(page)
    if (page.reset) this.#accounts.clear()
    for (const account of page.accounts) {
      if (account.status === 'deleted') this.#accounts.delete(account.username)
      else this.#accounts.set(account.username, account)
    }
    this.#products = page.products ?? this.#products
    this.#exits = page.exits ?? this.#exits
    this.#tell({ kind: 'page', page })
  }

  refuse(reason: Refusal | undefined): void {
    this.#reason = reason
    this.#tell({ kind: 'refuse', reason })
  }

  endTunnels(): void {
    this.#tell({ kind: 'end_tunnels' })
  }

  healthChanged(exits: readonly number[]): void {
    this.#tell({ kind: 'unhealthy', exits })
  }

  async settle(username: string): Promise<void> {
    await this.#lender.recallAll(username)
  }

  figures(): FrontFigures {
    const connections = [...this.#connections.values()].reduce((sum, count) => sum + count, 0)
    const figures = this.#figures
    this.#figures = { accepted: 0, refused: {} }
    return { connections, ...figures }
  }

  async drain(limitMs: number): Promise<void> {
    this.#isClosing = true
    await Promise.all(
      [...this.#workers.values()].map((worker) => {
        const drained = answered(worker, 'drained')
        send(worker, { kind: 'drain', limitMs })
        return drained
      }),
    )
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all(
      [...this.#workers.values()].map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        send(worker, { kind: 'close' })
        return ended
      }),
    )
  }

  #start(): Promise<void> {
    const worker = cluster.fork()
    this.#workers.set(worker.id, worker)
    worker.on('error', (error) => this.#options.logger.warn({ err: error }, 'a worker cannot be reached'))
    worker.on('exit', (code, signal) => this.#left(worker, code, signal))
    return new Promise((resolve, reject) => {
      worker.once('exit', () => reject(new Error('a worker ended before it listened')))
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'listening') {
          this.port = message.port
          this.#acquaint(worker)
          resolve()
        } else if (message.kind === 'failed') reject(new OperatorError(message.reason))
        else if (message.kind === 'report') this.#hear(worker.id, message.report)
        else if (message.kind === 'ask') void this.#answer(worker, message.id, message.question)
      })
    })
  }

  /** Tells a new worker what the others know already. */
  #acquaint(worker: Worker): void {
    const accounts = [...this.#accounts.values()]
    const page = { cursor: '', reset: true, more: false, sequence: 0, accounts }
    send(worker, { kind: 'page', page: { ...page, products: [...this.#products], exits: [...this.#exits] } })
    send(worker, { kind: 'unhealthy', exits: this.#options.health.unhealthy() })
    send(worker, { kind: 'refuse', reason: this.#reason })
  }

  #left(worker: Worker, code: number, signal: string): void {
    this.#workers.delete(worker.id)
    this.#connections.delete(worker.id)
    this.#lender.died(worker.id)
    if (this.#isClosing) return
    this.#options.logger.error({ worker: worker.id, code, signal }, 'a worker died and is replaced')
    setTimeout(() => {
      if (!this.#isClosing) this.#start().catch(() => {})
    }, RESTART_MS)
  }

  #hear(id: number, report: WorkerReport): void {
    this.#lender.report(id, report)
    const { connections, accepted, refused } = report.figures
    this.#connections.set(id, connections)
    this.#figures = {
      accepted: this.#figures.accepted + accepted,
      refused: added(this.#figures.refused, refused),
    }
    const { health } = this.#options
    for (const event of report.exits) {
      if ('openedMs' in event) health.opened(event.exit, event.openedMs)
      else if ('bytes' in event) health.carried(event.exit, event.bytes)
      else
        health.failed(event.exit, new ExitFault(event.fault.refusal, event.fault.blame, event.fault.detail))
    }
  }

  async #answer(worker: Worker, id: number, question: Question): Promise<void> {
    const answer = await this.#answerTo(worker, question)
    if (this.#workers.has(worker.id)) send(worker, { kind: 'answer', id, answer })
    // It died while it waited: what it was lent meanwhile is free again.
    else this.#lender.died(worker.id)
  }

  async #answerTo(worker: Worker, question: Question): Promise<Answer> {
    return 'lease' in question
      ? this.#lender.lend(worker.id, question.lease)
      : this.#options.choice.choose(question.wish, question.failed)
  }

  #tell(message: ToWorker): void {
    for (const worker of this.#workers.values()) send(worker, message)
  }
}

/** A worker that is just dying takes no message any more, and its end is noticed elsewhere. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

function answered(worker: Worker, kind: FromWorker['kind']): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.on('message', (message: FromWorker) => {
      if (message.kind === kind) resolve()
    })
  })
}

function added(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
