import type { FastifyInstance } from 'fastify'

type State = 'ok' | 'degraded' | 'down'
/** Whether something that the service needs is there; degraded: something is wrong with it, and the rest works. */
export type HealthCheck = () => boolean | 'degraded' | Promise<boolean | 'degraded'>

/** A dependency that does not answer in this time is down. */
const CHECK_TIMEOUT_MS = 2_000

/**
 * `GET /healthz` (the process is up) and `GET /readyz` (each dependency by name; 503 when one is down), rules 10.13. Degraded is
 * still ready: the rest of the service works.
 *
 * @param instanceId id of this service, by which it recognizes itself as a supplier (rules 4.9)
 */
export function health(
  server: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
  instanceId: string,
): void {
  server.get('/healthz', async (_request, reply) => {
    void reply.header('x-reseller-instance', instanceId)
    return { status: 'ok' }
  })

  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
    )
    const states = results.map(([, state]) => state)
    const status = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok'
    return reply.code(status === 'down' ? 503 : 200).send({ status, checks: Object.fromEntries(results) })
  })
}

async function stateOf(check: HealthCheck): Promise<State> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false)
  })
  try {
    const health = await Promise.race([check(), tooLate])
    if (health === 'degraded') return health
    return health ? 'ok' : 'down'
  } catch {
    return 'down'
  } finally {
    clearTimeout(timer)
  }
}
