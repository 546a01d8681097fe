import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { ServiceError } from '../core/errors.ts'
import { networkOf } from '../core/ip-address.ts'
import { limitOfEach } from '../core/limit-of-each.ts'
import { Windows } from '../core/windows.ts'
import type { Endpoint } from './endpoint.ts'
import type { RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Takes the request out of the count of its limit; null where none has counted it. */
    uncount: (() => void) | null
  }
}

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
 * Creates the limits on requests (rules 1.13). Counted in memory and for all base addresses together; reset by a restart.
 *
 * @param servers number of servers that share the limits
 */
export function createLimiter(limits: RateLimits, servers: () => number): Limiter {
  const perAccount = (most: number): Check | undefined =>
    most === 0
      ? undefined
      : limitOf(
          () => limitOfEach(most, servers()),
          ({ actor, operatorCall }) => String(actor?.id ?? `operator ${operatorCall?.session.person ?? ''}`),
        )
  const perAddress =
    limits.strangers === 0 ? undefined : limitPerAddress(() => limitOfEach(limits.strangers, servers()))
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

/** Limits the requests a minute from the network of an address. */
export function limitPerAddress(most: () => number): Check {
  return limitOf(most, ({ clientAddress }) => networkOf(clientAddress))
}

/**
 * Counts a request, tells the state of the window by the headers `RateLimit-Limit`, `-Remaining` and `-Reset`, and refuses with
 * `rate_limited` what is beyond the limit.
 */
function limitOf(most: () => number, keyOf: (request: FastifyRequest) => string): Check {
  const windows = new Windows(WINDOW_MS, REMEMBERED)
  return async (request, reply) => {
    const key = keyOf(request)
    const limit = most()
    const { count, begun, msLeft } = windows.count(key, Date.now())
    const seconds = Math.ceil(msLeft / 1000)
    const tell = (counted: number) =>
      reply.headers({
        'ratelimit-limit': limit,
        'ratelimit-remaining': Math.max(0, limit - counted),
        'ratelimit-reset': seconds,
      })
    tell(count)
    if (count > limit) throw new ServiceError('rate_limited', { retryAfter: seconds })
    request.uncount = () => {
      windows.uncount(key, begun)
      tell(count - 1)
    }
  }
}

/** Counts a refused token against the address, so that nobody can try tokens without end. */
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
