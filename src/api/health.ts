import type { FastifyInstance } from 'fastify'
import { type HealthCheck, readiness } from '../core/operator/readiness.ts'

/** Marks routes that monitors ask every few seconds: their requests are logged at `debug`. */
const PROBE = { config: { isProbe: true } } as const

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
  server.get('/healthz', PROBE, async (_request, reply) => {
    void reply.header('x-reseller-instance', instanceId)
    return { status: 'ok' }
  })

  server.get('/readyz', PROBE, async (_request, reply) => {
    const results = await readiness(checks)
    const states = Object.values(results)
    const status = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok'
    return reply.code(status === 'down' ? 503 : 200).send({ status, checks: results })
  })
}
