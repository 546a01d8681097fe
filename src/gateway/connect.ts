import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection } from './connection.ts'
import type { Refused, Target } from './exit.ts'
import type { Gate } from './gate.ts'
import type { Parsed } from './opening.ts'
import { httpRefusal } from './refusals.ts'
import { relay } from './relay.ts'
import { parseTarget } from './targets.ts'

/** A request for a tunnel. */
export interface ConnectRequest {
  /** Host and port, as the client wrote them. */
  readonly authority: string
  readonly authorization: string | undefined
  /** Whether the connection can be used again when the request is refused for want of credentials. */
  readonly keepAlive: boolean
}

const METHOD = 'CONNECT '
/** The head as RFC 9112 has it: without spaces before colons, and without continued lines. */
const HEAD = /^CONNECT ([!-~\x80-\xff]+) HTTP\/1\.([01])\r\n(?:[\w!#$%&'*+.^`|~-]+:[^\r\n\0]*\r\n)*\r\n$/
const CLOSE = /\r\nconnection:[^\r\n]*\bclose\b/i
const AUTHORIZATION = /\r\nproxy-authorization:([^\r\n]*)\r\n/i
const AUTHORITY = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/
/** As bytes: text would be encoded anew for each tunnel. */
const ESTABLISHED = Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n')

/** Parses a request for a tunnel, much faster than Node does; `other`: it is another request, whose bytes are left in place. */
export function connectRequest(bytes: Buffer): Parsed<ConnectRequest | 'other'> | undefined {
  const other = { result: 'other', length: 0 } as const
  if (!METHOD.startsWith(bytes.toString('latin1', 0, METHOD.length))) return other
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = end + 4
  const head = bytes.toString('latin1', 0, length)
  const [, authority, minor] = HEAD.exec(head) ?? []
  // Node's parser answers what is wrong with it.
  if (authority === undefined) return other
  const [, authorization] = AUTHORIZATION.exec(head) ?? []
  const keepAlive = minor === '1' && authorization === undefined && !CLOSE.test(head)
  return { result: { authority, authorization, keepAlive }, length }
}

/**
 * Serves a request for a tunnel.
 *
 * @param release hands the connection over when it becomes a tunnel
 * @returns whether another request may follow on the connection
 */
export async function serveConnect(
  gate: Gate,
  socket: Socket,
  { authority, authorization, keepAlive }: ConnectRequest,
  release: () => Connection,
): Promise<boolean> {
  try {
    const client = gate.logInBasic(socket, authorization)
    const { target, passage } = await gate.open(client, targetIn(authority), socket)
    socket.write(ESTABLISHED)
    relay({ client: release(), target, passage }, gate.sweeper, gate.idleMs)
    return false
  } catch (error) {
    const refused = gate.answerTo(error)
    if (!refused) return false
    // Clients that wait for the challenge go on with credentials.
    const goesOn = keepAlive && refused.refusal === 'credentials_needed'
    refuseConnection(socket, refused, goesOn)
    return goesOn
  }
}

/** Answers on a connection that Node's HTTP server does not serve, and ends it. */
export function refuseConnection(socket: Socket, refused: Refused, keepAlive = false): void {
  const { status, headers, body } = httpRefusal(refused)
  const all = Object.entries({ ...headers, Connection: keepAlive ? 'keep-alive' : 'close' })
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  if (keepAlive) return
  socket.end()
  // Otherwise nobody would notice that the client closes it.
  socket.resume()
}

/** @throws Refused bad_target */
function targetIn(authority: string): Target {
  const [, bracketed, host, port] = AUTHORITY.exec(authority) ?? []
  return parseTarget(bracketed ?? host ?? '', Number(port))
}
