import type { Socket } from 'node:net'
import type { ProbedProxy, ProbeStage } from '../core/checks/prober.ts'
import { ProbeFault } from './probe-fault.ts'
import { step } from './wait.ts'

/*
 * The client's side of SOCKS5 (RFC 1928) with username and password (RFC 1929).
 */

const VERSION = 5
const NO_CREDENTIALS = 0
const USERNAME_AND_PASSWORD = 2
/** The proxy takes none of the offered methods. */
const NONE_ACCEPTED = 255
const CONNECT = 1
const DOMAIN_NAME = 3
/** Bytes of an address in an answer, by its type; a domain name begins with its length. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 }

/**
 * Opens a tunnel through a SOCKS5 proxy on a connected socket; the proxy resolves the name.
 *
 * @throws ProbeFault
 */
export async function throughSocks5(
  socket: Socket,
  { username, password }: ProbedProxy,
  target: { readonly host: string; readonly port: number },
  deadline: number,
): Promise<void> {
  const read = (stage: ProbeStage, bytes: number) => readBytes(socket, stage, bytes, deadline)
  const method = username === '' ? NO_CREDENTIALS : USERNAME_AND_PASSWORD
  socket.write(Buffer.from([VERSION, 1, method]))
  const greeting = await read('handshake', 2)
  if (greeting[0] !== VERSION) throw new ProbeFault('handshake', 'not_a_proxy')
  if (greeting[1] === NONE_ACCEPTED) throw new ProbeFault('credentials', 'credentials_refused')
  if (greeting[1] !== method) throw new ProbeFault('handshake', 'not_a_proxy')
  if (method === USERNAME_AND_PASSWORD) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]))
    const answer = await read('credentials', 2)
    if (answer[1] !== 0) throw new ProbeFault('credentials', 'credentials_refused')
  }
  const port = Buffer.from([target.port >> 8, target.port & 255])
  socket.write(
    Buffer.concat([Buffer.from([VERSION, CONNECT, 0, DOMAIN_NAME]), counted(bareHost(target.host)), port]),
  )
  const [version, reply, , type = 0] = await read('echo', 4)
  if (version !== VERSION) throw new ProbeFault('handshake', 'not_a_proxy')
  if (reply !== 0) throw new ProbeFault('echo', 'target_refused')
  const length = type === DOMAIN_NAME ? ((await read('echo', 1))[0] ?? 0) : ADDRESS_BYTES[type]
  if (length === undefined) throw new ProbeFault('handshake', 'not_a_proxy')
  await read('echo', length + 2)
}

/** Encodes a text with its length in a byte before it; the protocol has no room for more than 255 bytes. */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

/** Removes the brackets that an IPv6 address has in a URL. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** Reads exactly this many bytes: what follows them belongs to the next step. */
function readBytes(socket: Socket, stage: ProbeStage, bytes: number, deadline: number): Promise<Buffer> {
  return step<Buffer>(socket, { stage, timeoutMs: deadline - performance.now() }, (done) => {
    const look = () => {
      const chunk = socket.read(bytes) as Buffer | null
      if (chunk === null) return
      // At the end of the stream fewer bytes come: the close follows.
      if (chunk.length < bytes) return
      socket.off('readable', look)
      done(chunk)
    }
    socket.on('readable', look)
    look()
  })
}
