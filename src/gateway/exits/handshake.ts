import type { Connection } from '../connection.ts'
import { ExitFault, faultOfEnd } from './exit-fault.ts'

/** Most bytes of an answer to a handshake: more than any needs. */
const MAX_BYTES = 16_384

/**
 * @returns undefined while more bytes are needed; otherwise the result and its length in bytes
 * @throws ExitFault
 */
type Parse<T> = (bytes: Buffer) => { readonly result: T; readonly length: number } | undefined

/** The handshake, step by step, with a proxy that was just connected. */
export class Handshake {
  readonly #connection: Connection
  #bytes = Buffer.alloc(0)

  constructor(connection: Connection) {
    this.#connection = connection
  }

  write(bytes: Buffer | string): void {
    this.#connection.socket.write(bytes)
  }

  /** @throws ExitFault when the proxy ends or resets the connection, or sends too much; the fault with which the socket was destroyed */
  read<T>(parse: Parse<T>): Promise<T> {
    const { socket } = this.#connection
    return new Promise((resolve, reject) => {
      const fail = () => {
        stop()
        reject(faultOfEnd(socket, new ExitFault('exit_failed', 'unclear', 'it ended the connection')))
      }
      const stop = () => {
        this.#connection.read(undefined)
        socket.off('end', fail).off('close', fail)
      }
      const addBytes = (bytes: Buffer) => {
        this.#bytes = Buffer.concat([this.#bytes, bytes])
        try {
          const parsed = parse(this.#bytes)
          if (parsed) {
            stop()
            this.#bytes = this.#bytes.subarray(parsed.length)
            resolve(parsed.result)
          } else if (this.#bytes.length > MAX_BYTES) throw notAProxy()
        } catch (error) {
          stop()
          reject(error)
        }
      }
      if (socket.destroyed) return fail()
      socket.once('end', fail).once('close', fail)
      this.#connection.read(addBytes)
      // The bytes that came with the previous answer may be all.
      if (this.#bytes.length > 0) addBytes(Buffer.alloc(0))
    })
  }

  /** Returns the connection after the handshake; the bytes that the target sent at once come first. */
  openedConnection(): Connection {
    this.#connection.unread(this.#bytes)
    return this.#connection
  }
}

/** Reads `length` bytes. */
export function bytesOfLength(length: number): Parse<Buffer> {
  return (bytes) => (bytes.length < length ? undefined : { result: bytes.subarray(0, length), length })
}

export function notAProxy(): ExitFault {
  return new ExitFault('exit_failed', 'exit', 'it does not speak this protocol')
}
