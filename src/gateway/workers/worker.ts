import type { Logger } from 'pino'
import type { GatewayConfig } from '../config.ts'
import { type Choice, ExitChoice } from '../exits/choose-exit.ts'
import type { ExitObserver } from '../exits/health.ts'
import { startFront } from '../front.ts'
import { Leases } from './leases.ts'
import type { Answer, ExitEvent, FromWorker, Question, ToWorker } from './messages.ts'

/** How often a worker reports; what it used since its last report is not counted when it dies. */
const REPORT_MS = 200

/** Serves clients in a process of its own, on behalf of the primary. It ends when the primary says so, or is gone. */
export async function runWorker(config: GatewayConfig, logger: Logger): Promise<void> {
  try {
    await serve(config, logger)
  } catch (error) {
    sendLast({ kind: 'failed', reason: (error as Error).message })
  }
}

async function serve(config: GatewayConfig, logger: Logger): Promise<void> {
  // A signal to all processes of a terminal is for the primary, which tells the others.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  const ask = (question: Question): Promise<Answer> =>
    new Promise((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      send({ kind: 'ask', id: asked, question })
    })

  let unhealthy: ReadonlySet<number> = new Set()
  const choice = new ExitChoice((id) => !unhealthy.has(id))
  const leases = new Leases(async (username) => (await ask({ lease: username })) as number)
  const events: ExitEvent[] = []
  const front = await startFront({
    config,
    // The system spreads clients evenly.
    maxConnections: Math.ceil(config.maxConnections / config.workers),
    quotas: leases,
    logger,
    choose: (wish, failed) =>
      wish.session === null
        ? choice.choose(wish, failed)
        : (ask({ wish, failed }) as Promise<Choice | undefined>),
    observer: observerOf(events),
  })

  const report = (recalled?: string) => {
    const { used, returned } = recalled === undefined ? leases.drain() : leases.recall(recalled)
    const exits = events.splice(0)
    const figures = front.figures()
    send({
      kind: 'report',
      report: { used, returned, exits, figures, ...(recalled !== undefined && { recalled }) },
    })
  }
  const timer = setInterval(() => report(), REPORT_MS)

  async function hear(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'page':
        if (message.page.exits) choice.set(message.page.exits)
        return front.page(message.page)
      case 'unhealthy':
        unhealthy = new Set(message.exits)
        return choice.healthChanged()
      case 'refuse':
        return front.refuse(message.reason)
      case 'end_tunnels':
        return front.endTunnels()
      case 'recall':
        return report(message.username)
      case 'answer':
        waiting.get(message.id)?.(message.answer)
        return void waiting.delete(message.id)
      case 'drain':
        await front.drain(message.limitMs)
        report()
        return send({ kind: 'drained' })
      case 'close':
        clearInterval(timer)
        await front.close()
        report()
        return sendLast({ kind: 'closed' })
    }
  }
  process.on('message', (message: ToWorker) => void hear(message))
  send({ kind: 'listening', port: front.port })
}

function observerOf(events: ExitEvent[]): ExitObserver {
  return {
    opened: (exit, openedMs) => void events.push({ exit, openedMs }),
    failed: (exit, { refusal, blame, detail }) =>
      void events.push({ exit, fault: { refusal, blame, detail } }),
    carried: (exit, bytes) => void events.push({ exit, bytes }),
  }
}

function send(message: FromWorker): void {
  process.send?.(message, () => {})
}

/** Ends the process, which nothing else keeps alive, when the primary has the message. */
function sendLast(message: FromWorker): void {
  process.send?.(message, () => process.disconnect())
}
