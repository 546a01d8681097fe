import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { ServiceError } from '../core/errors.ts'
import { networkOf } from '../core/ip-address.ts'
import { shareOf } from '../core/share.ts'
import { Windows } from '../core/windows.ts'
import type { Endpoint } from './endpoint.ts'
import type { RateLimits } from './rate-limits.ts'

const WINDOW_MS = 60_000
/** Accounts or addresses remembered per limit. */
const REMEMBERED = 20_000

export interface Limiter {
  /** Hooks that every request without an account passes, by its address. */
  readonly strangers: readonly onRequestAsyncHookHandler[]
  /** Hooks that let an endpoint's request through, or refuse it with `rate_limited`; in this order. */
  readonly hooks: (
    endpoint: Endpoint,
    authenticate: onRequestAsyncHookHandler,
  ) => readonly onRequestAsyncHookHandler[]
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Limits on requests (rules 1.13), with the headers `RateLimit-Limit`, `-Remaining`, `-Reset` and
 * `Retry-After`. Counted in memory and for all base addresses together; reset by a restart.
 *
 * @param servers how many share the limits
 */
export async function createLimiter(
  server: FastifyInstance,
  limits: RateLimits,
  servers: () => number,
): Promise<Limiter> {
  await server.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    store: Store,
    errorResponseBuilder: (_request, { ttl }) =>
      new ServiceError('rate_limited', { retryAfter: Math.ceil(ttl / 1000) }) as never,
  })
  const options = (max: number) => ({ max: () => shareOf(max, servers()), timeWindow: WINDOW_MS })
  const perAccount = (max: number): Check | undefined =>
    max === 0
      ? undefined
      : (server.rateLimit({
          ...options(max),
          keyGenerator: ({ actor }) => String(actor?.id),
        }) as unknown as Check)
  const perAddress =
    limits.strangers === 0
      ? undefined
      : (server.rateLimit({
          ...options(limits.strangers),
          keyGenerator: ({ clientAddress }) => networkOf(clientAddress),
        }) as unknown as Check)
  const reads = perAccount(limits.reads)
  const writes = perAccount(limits.writes)

  const strangers = perAddress ? [perAddress] : []
  return {
    strangers,
    hooks: (endpoint, authenticate) => {
      if (endpoint.public) return strangers
      const isRead = endpoint.method === 'GET' || endpoint.changesNothing
      const check = endpoint.gateway ? undefined : isRead ? reads : writes
      return [perAddress ? countRefused(authenticate, perAddress) : authenticate, ...(check ? [check] : [])]
    },
  }
}

/** Counts like the plugin's own store, whose result is an object that the next request changes before this one has read it. */
class Store {
  #windows: Windows | undefined

  incr(
    key: string,
    answer: (error: Error | null, result: { current: number; ttl: number }) => void,
    lengthMs: number,
  ): void {
    this.#windows ??= new Windows(lengthMs, REMEMBERED)
    const { count, msLeft } = this.#windows.count(key, Date.now())
    answer(null, { current: count, ttl: msLeft })
  }

  child(): Store {
    return new Store()
  }
}

/** A token that is refused counts against the address, so that nobody can try tokens without end. */
function countRefused(authenticate: onRequestAsyncHookHandler, check: Check): onRequestAsyncHookHandler {
  return async function authenticateOrCount(request, reply) {
    try {
      await authenticate.call(this, request, reply)
    } catch (error) {
      if (error instanceof ServiceError) await check(request, reply)
      throw error
    }
  }
}
