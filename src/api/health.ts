import type { FastifyInstance } from 'fastify'

/** Whether something that the service needs is there. */
export type HealthCheck = () => boolean | Promise<boolean>

/** A dependency that does not answer in this time is down. */
const CHECK_TIMEOUT_MS = 2_000

/** `GET /healthz` (the process is up) and `GET /readyz` (each dependency by name; 503 when one is down), contract 10. */
export function health(server: FastifyInstance, checks: Readonly<Record<string, HealthCheck>>): void {
  server.get('/healthz', async () => ({ status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'down'] as const,
      ),
    )
    const ready = results.every(([, state]) => state === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'down', checks: Object.fromEntries(results) })
  })
}

async function passes(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false)
  })
  try {
    return await Promise.race([check(), tooLate])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
