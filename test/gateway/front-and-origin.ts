import type { Socket } from 'node:net'
import { startFront, startOrigin } from '../support/gateway-front.ts'

/** What takes clients of a gateway, and an origin that it reaches as `origin.test`. */
export async function startWith(
  serve: (socket: Socket) => void,
  options: Parameters<typeof startFront>[0] = {},
) {
  const origin = await startOrigin(serve)
  const front = await startFront({
    known: { 'origin.test': { address: '127.0.0.1', port: origin.port } },
    ...options,
  })
  return { origin, front }
}
