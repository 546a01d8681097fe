import type { Clock } from '../../core/clock.ts'
import { accountTransfers } from './account-transfers.ts'
import { badKey, failure, type Answer } from './answers.ts'
import type { ChainState } from './chain.ts'
import { createFaults } from './faults.ts'
import { tronHttp, type HttpRequest } from './http.ts'
import { nodeAnswer } from './node-api.ts'
import { outcomeOf, type Outcome } from './outcome.ts'
import { createRateLimits } from './rate-limits.ts'
import { routeOf, type Route } from './routes.ts'
import { transactionEvents } from './transaction-events.ts'
import type { Fault, NodeMethod, RecordedRequest, ServerSettings, TronServer } from './types.ts'
import { viewOf } from './view.ts'

/** An emulator may run for weeks: only the newest requests are kept. */
const MAX_RECORDED = 20_000

/** One server over a chain. */
export function createServer(chain: ChainState, clock: Clock, settings: ServerSettings): TronServer {
  const faults = createFaults()
  const limited = createRateLimits(clock)
  const recorded: RecordedRequest[] = []

  function handle({ verb, path, parameters, key }: HttpRequest): Outcome {
    const route = routeOf(verb, path)
    const all = { ...parameters, ...route?.parameters }
    recorded.push({
      method: route?.method,
      path,
      parameters: all,
      withKey: key !== undefined,
      at: clock.now(),
    })
    if (recorded.length > MAX_RECORDED) recorded.shift()

    const v1 = path.startsWith('/v1')
    if (!route) return { answer: failure(404, v1) }
    const refusal = refusalFor(route, key)
    if (refusal) return { answer: refusal }
    const hits = faults.take(route.method, all)
    return outcomeOf(hits, v1, () => answer(route, all, hits))
  }

  function refusalFor({ method }: Route, key: string | undefined): Answer | undefined {
    if (key !== undefined && settings.keys?.includes(key) === false) return badKey
    return settings.rateLimits ? limited(method, key) : undefined
  }

  function answer(
    { method }: Route,
    parameters: Readonly<Record<string, unknown>>,
    hits: readonly Fault[],
  ): Answer {
    const view = viewOf(chain, {
      head: Math.max(0, ...hits.map((fault) => (fault.kind === 'head-lag' ? fault.blocks : 0))),
      solid: Math.max(0, ...hits.map((fault) => (fault.kind === 'solid-lag' ? fault.blocks : 0))),
      indexMs: settings.indexDelayMs ?? 0,
    })
    // Parameters of the interface that takes GET only are texts.
    const { address = '', txid = '', ...query } = parameters as Record<string, string>
    if (method === 'trc20') return accountTransfers(view, address, query, hits)
    if (method === 'events') return transactionEvents(view, txid, query)
    const [face, name] = method.split('/') as ['wallet' | 'walletsolidity', NodeMethod]
    return nodeAnswer(view, face === 'walletsolidity', name, parameters)
  }

  return {
    httpApi: tronHttp(handle),
    faults,
    settings,
    requests: (method) => recorded.filter((request) => method === undefined || request.method === method),
    clearRequests: () => void recorded.splice(0),
  }
}
