import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type ApiOptions, createServer } from '../../src/api/server.ts'
import type { Core } from '../../src/core/core.ts'
import { atTheEnd } from './clean-up.ts'

/** Who has a server. */
interface Holder {
  readonly core: Core
  /** Takes a line of the log. */
  readonly write: (line: string) => void
}

interface Pooled {
  readonly server: FastifyInstance
  holder: Holder
  /** Whether it has neither listened nor been closed. */
  isFresh: boolean
}

const free: Pooled[] = []

/**
 * A {@link checkingServer} that serves a core until the test ends. To make one takes longer than most tests: who does not let it listen leaves it to the next. `/healthz` tells the id of the first service that had it.
 */
export async function pooledServer(holder: Holder): Promise<FastifyInstance> {
  const pooled = free.pop() ?? (await make(holder))
  pooled.holder = holder
  atTheEnd(async () => {
    if (pooled.isFresh) free.push(pooled)
    else await pooled.server.close()
  })
  return pooled.server
}

/** An HTTP server that holds every answer against its schema; whoever makes it closes it. */
export function checkingServer({ core, write }: Holder, options: Partial<ApiOptions> = {}) {
  const logger = pino({ level: 'info' }, { write })
  return createServer({ core, defaultVariant: 'A', logger, checks: {}, checkAnswers: true, ...options })
}

async function make(holder: Holder): Promise<Pooled> {
  const has = { holder, isFresh: true }
  const server = await checkingServer({ core: coreOf(has), write: (line) => has.holder.write(line) })
  const use = async () => void (has.isFresh = false)
  server.addHook('onListen', use)
  server.addHook('onClose', use)
  return Object.assign(has, { server })
}

/** The parts of the core that has the server now, whenever they are asked for. */
function coreOf(has: { readonly holder: Holder }): Core {
  type Part = Readonly<Record<string, unknown>>
  const nothing: Part = {}
  const partNow = (name: keyof Core) => has.holder.core[name] as unknown as Part
  const partOf = (name: keyof Core) =>
    new Proxy(nothing, {
      get: (_, key: string) => {
        const value = partNow(name)[key]
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => (partNow(name)[key] as (...args: unknown[]) => unknown)(...args)
      },
    })
  const get = (_: object, name: keyof Core) =>
    typeof has.holder.core[name] === 'object' ? partOf(name) : has.holder.core[name]
  return new Proxy<Core>(nothing as unknown as Core, { get })
}
