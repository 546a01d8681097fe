import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Target } from '../exit.ts'
import { ExitFault } from './exit-fault.ts'
import { bytesOfLength, type Handshake, notAProxy } from './handshake.ts'

/*
 * The client's side of SOCKS5 (RFC 1928) with username and password (RFC 1929).
 */

const VERSION = 5
const NO_CREDENTIALS = 0
const USERNAME_AND_PASSWORD = 2
/** The proxy takes none of the offered methods. */
const NONE_ACCEPTED = 255
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4

/**
 * Asks a SOCKS5 proxy for a tunnel.
 *
 * @throws ExitFault
 */
export async function askSocks5(
  handshake: Handshake,
  { username, password }: { readonly username: string; readonly password: string },
  target: Target,
): Promise<void> {
  const method = username === '' ? NO_CREDENTIALS : USERNAME_AND_PASSWORD
  handshake.write(Buffer.from([VERSION, 1, method]))
  const [version, accepted] = await handshake.read(bytesOfLength(2))
  if (version !== VERSION) throw notAProxy()
  if (accepted === NONE_ACCEPTED) throw credentialsRefused()
  if (accepted !== method) throw notAProxy()
  if (method === USERNAME_AND_PASSWORD) {
    handshake.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]))
    const [, status] = await handshake.read(bytesOfLength(2))
    if (status !== 0) throw credentialsRefused()
  }
  const port = Buffer.from([target.port >> 8, target.port & 255])
  handshake.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressOf(target.host), port]))
  const reply = await handshake.read(parsedReply)
  if (reply !== 0) throw faultOfReply(reply)
}

function credentialsRefused(): ExitFault {
  return new ExitFault('exit_failed', 'credentials', 'it refuses the credentials')
}

/** Reply codes of RFC 1928, 6. Many proxies answer 1 for targets that they cannot resolve or reach. */
function faultOfReply(reply: number): ExitFault {
  const detail = `it answered ${reply}` as const
  if (reply === 2) return new ExitFault('target_refused', 'target', detail)
  if (reply === 6) return new ExitFault('target_timeout', 'target', detail)
  return new ExitFault('target_unreachable', reply >= 3 && reply <= 5 ? 'target' : 'unclear', detail)
}

function parsedReply(bytes: Buffer): { readonly result: number; readonly length: number } | undefined {
  const [version, reply = 0, , type, first = 0] = bytes
  if (version !== undefined && version !== VERSION) throw notAProxy()
  if (bytes.length < 5) return undefined
  const length = { [IPV4]: 10, [NAME]: 7 + first, [IPV6]: 22 }[type ?? 0]
  if (length === undefined) throw notAProxy()
  return bytes.length < length ? undefined : { result: reply, length }
}

/** Encodes an address as such, anything else as a name that the proxy resolves. */
function addressOf(host: string): Buffer {
  if (!isIP(host)) return Buffer.concat([Buffer.from([NAME]), counted(host)])
  const bytes = ipaddr.parse(host).toByteArray()
  return Buffer.from([bytes.length === 4 ? IPV4 : IPV6, ...bytes])
}

/** Encodes a text with its length in a byte before it; the protocol has no room for more than 255 bytes. */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}
