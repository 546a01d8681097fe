import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The way between servers and their PostgreSQL server, which can be broken. */
export interface BreakableNetwork {
  /** URL of the database by this way. */
  readonly url: string
  /** Packets are dropped from now on: nobody is told, and connections that were made before stay silent for good. */
  silence(): void
  /** New connections work again. */
  restore(): void
  /** Breaks all connections off; new ones lead to another server. */
  leadTo(port: number): void
}

/**
 * @param url of a database on this machine
 * @param answered what arrives of what the database has sent
 */
export async function openBreakableNetwork(
  url: string,
  answered: (sent: Buffer) => Buffer = (sent) => sent,
): Promise<BreakableNetwork> {
  let port = Number(new URL(url).port)
  let silent = false
  const sockets = new Set<Socket>()
  /** Whose data goes nowhere. */
  const mute = new WeakSet<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    sockets.add(near.on('error', () => {}))
    if (silent) return void near.resume()
    const far = connect({ host: '127.0.0.1', port, noDelay: true })
    sockets.add(far.on('error', () => {}))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => !mute.has(from) && to.write(from === far ? answered(chunk) : chunk))
      from.on('close', () => {
        sockets.delete(from)
        if (!mute.has(from)) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    breakOff()
  })
  const here = new URL(url)
  here.port = String((server.address() as AddressInfo).port)
  return {
    url: here.href,
    silence() {
      silent = true
      for (const socket of sockets) mute.add(socket)
    },
    restore() {
      silent = false
    },
    leadTo(other) {
      port = other
      breakOff()
    },
  }
}
