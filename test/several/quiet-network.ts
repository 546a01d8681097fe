import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A side that has sent nothing for so long waits for the other one. */
const QUIET_MS = 50

/**
 * A slow network between a process and its PostgreSQL server: what one side sends goes on as a whole, when the side has become quiet. So
 * the round trips can be counted: what is sent without waiting for an answer costs none.
 */
export async function openQuietNetwork(url: string) {
  const { hostname, port } = new URL(url)
  let roundTrips = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) })
    passOn(near, far, () => (roundTrips += 1))
    passOn(far, near, () => {})
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const here = new URL(url)
  here.port = String((server.address() as AddressInfo).port)
  return {
    url: here.href,
    roundTrips: () => roundTrips,
    /** What is on its way does not arrive; new connections work. */
    breakOff() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function passOn(from: Socket, to: Socket, onPassed: () => void): void {
  let waiting: Buffer[] = []
  let timer: NodeJS.Timeout | undefined
  from.on('data', (chunk) => {
    waiting.push(chunk)
    clearTimeout(timer)
    timer = setTimeout(() => {
      to.write(Buffer.concat(waiting))
      waiting = []
      onPassed()
    }, QUIET_MS)
  })
  from.on('close', () => to.destroy())
}
