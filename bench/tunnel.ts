import { connect, type Socket } from 'node:net'

/** A proxy, as its clients know it. */
export interface ProxyAddress {
  readonly name: string
  readonly port: number
  /** Under which name, or address, it leads to the origin. */
  readonly origin: string
  /** Header line with the credentials, where it asks for some. */
  readonly authorization: string
  /** Of the client, on the loopback interface. */
  readonly localAddress?: string
}

/** Through a proxy to the origin (`origin.ts`). */
export interface Tunnel {
  /** Asks the origin for bytes, and reads to the end of the connection: how many bytes were sent and received. */
  download(bytes: number): Promise<number>
  close(): void
}

/** What arrives is counted and forgotten: all connections read into the same memory. */
const buffer = Buffer.allocUnsafe(262_144)
const OPENED = /^HTTP\/1\.[01] 200 [^]*\r\n\r\n$/

/** @throws Error when the proxy refuses */
export function openTunnel({
  name,
  port,
  origin,
  authorization,
  localAddress = '127.0.0.1',
}: ProxyAddress): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    let head = ''
    let isOpen = false
    let received = 0
    const callback = (length: number): boolean => {
      if (isOpen) received += length
      else {
        head += buffer.toString('latin1', 0, length)
        isOpen = OPENED.test(head)
        if (isOpen) resolve(tunnel)
        else if (head.includes('\r\n\r\n')) reject(new Error(`${name} answered ${head}`))
      }
      return true
    }
    const socket: Socket = connect(
      { port, host: '127.0.0.1', localAddress, onread: { buffer, callback } },
      () => socket.write(`CONNECT ${origin} HTTP/1.1\r\nHost: ${origin}\r\n${authorization}\r\n`),
    )
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        reject(new Error(`${name} ended a connection after ${JSON.stringify(head)}`))
        resolve()
      })
    })
    // Followed by `close`.
    socket.on('error', () => {})
    const tunnel = {
      download: async (bytes: number) => {
        const line = `${bytes}\n`
        socket.write(line)
        await closed
        return line.length + received
      },
      close: () => void socket.destroy(),
    }
  })
}
