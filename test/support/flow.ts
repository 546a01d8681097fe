import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { atTheEnd } from './clean-up.ts'
import { createCrowd } from './crowd.ts'
import { basic, tunnel } from './gateway-front.ts'
import { runningMs } from './times.ts'

/** The name under which clients of a gateway reach the source. */
export const SOURCE = 'source.example'

const CHUNK = Buffer.alloc(32 * 1024, 'x')
const TICK_MS = 10

export interface Credential {
  readonly username: string
  readonly password: string
}

/** A server that sends so many bytes as it was asked for, not all at once: 3 MB a second. It ends with the test. */
export async function startSource() {
  /** With the credential that asked. */
  const sockets = new Map<Socket, string>()
  const crowd = createCrowd()
  const server = createServer((socket) => {
    sockets.set(socket, '')
    socket.on('error', () => {})
    socket.once('data', (asked) => {
      const [bytes, username = ''] = asked.toString().trim().split(' ')
      sockets.set(socket, username)
      crowd.join(() => send(socket, Number(bytes)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(() => {
    for (const socket of sockets.keys()) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Sends nothing before so many have asked. */
    waitFor: crowd.waitFor,
    /** Bytes for a credential in both directions; not all that was sent has arrived where a connection was broken off. */
    passed: (credential: Credential) =>
      [...sockets]
        .filter(([, username]) => username === credential.username)
        .reduce((sum, [{ bytesRead, bytesWritten }]) => sum + bytesRead + bytesWritten, 0),
  }
}

export type Source = Awaited<ReturnType<typeof startSource>>

function send(socket: Socket, bytes: number): void {
  let left = bytes
  const timer = setInterval(() => {
    if (left === 0) socket.end()
    if (left === 0 || socket.destroyed) return clearInterval(timer)
    if (socket.writableNeedDrain) return
    const size = Math.min(left, CHUNK.length)
    left -= size
    socket.write(CHUNK.subarray(0, size))
  }, TICK_MS)
}

export type Flow = Awaited<ReturnType<typeof startFlow>>

/**
 * Asks the source for so many bytes through a gateway.
 *
 * @throws Refused when the gateway answers anything but 200
 */
export async function startFlow(port: number, credential: Credential, bytes: number) {
  const ask = await openFlow(port, credential)
  return ask(bytes)
}

/**
 * Opens a tunnel to the source through a gateway.
 *
 * @returns what asks for so many bytes on it
 * @throws Refused when the gateway answers anything but 200
 */
export async function openFlow(port: number, { username, password }: Credential) {
  const { socket, head, status } = await tunnel(port, `${SOURCE}:80`, basic(username, password))
  if (status !== 200) {
    socket.destroy()
    throw new Refused(status, /^X-Gateway-Error: (\w+)/im.exec(head)?.[1])
  }
  return (bytes: number) => {
    const asked = `${bytes} ${username}\n`
    /** What had passed at which time, by `runningMs()`. */
    const marks = [{ at: runningMs(), passed: asked.length }]
    let passed = asked.length
    socket.on('data', (chunk: Buffer) => {
      passed += chunk.length
      marks.push({ at: runningMs(), passed })
    })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(asked)
    return {
      socket,
      /** Bytes in both directions, as the client saw them. */
      passed: () => passed,
      /** The same at a time in the past, by `runningMs()`. */
      passedAt: (at: number) => marks.findLast((mark) => mark.at <= at)?.passed ?? 0,
      isOpen: () => !socket.closed,
      /** All that passes when nothing goes wrong. */
      whole: asked.length + bytes,
      /** Settles with what has passed when the connection has ended. */
      ended: ended.then(() => passed),
    }
  }
}

/** What the gateway answered instead of a tunnel. */
export class Refused extends Error {
  readonly status: number
  readonly reason: string | undefined

  constructor(status: number, reason: string | undefined) {
    super(`${status} ${reason}`)
    this.status = status
    this.reason = reason
  }
}
