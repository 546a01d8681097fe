import type { Socket } from 'node:net'
import type { Credentials } from './basic-credentials.ts'
import type { Client } from './client-login.ts'
import { Refused } from './exit.ts'
import type { Gate } from './gate.ts'
import type { Opening, Parsed } from './opening.ts'
import { socksRefusal } from './refusals.ts'
import { relay } from './relay.ts'
import { parseTarget } from './targets.ts'

/*
 * SOCKS5 (RFC 1928) with username and password (RFC 1929), or without for clients whose address is known.
 */

const VERSION = 5
const LOGIN_VERSION = 1
const NO_LOGIN = 0
const PASSWORD = 2
const NO_METHOD = 0xff
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
const SUCCEEDED = 0
const LOGIN_FAILED = 1
const COMMAND_NOT_SUPPORTED = 7
const ADDRESS_NOT_SUPPORTED = 8

interface Request {
  readonly command: number
  /** Undefined: an address of an unknown kind. */
  readonly host: string | undefined
  readonly port: number
}

/** Serves one connection of SOCKS5. */
export async function serveSocks5(gate: Gate, socket: Socket, opening: Opening): Promise<void> {
  try {
    const client = await logIn(gate, socket, opening)
    if (!client) return opening.refused()
    const { command, host, port } = await opening.read(parseRequest)
    const code = command === CONNECT ? ADDRESS_NOT_SUPPORTED : COMMAND_NOT_SUPPORTED
    if (command !== CONNECT || host === undefined) {
      socket.end(reply(code))
      return opening.refused()
    }
    const { target, passage } = await gate.open(client, parseTarget(host, port), socket)
    socket.write(reply(SUCCEEDED))
    relay({ client: opening.release(), target, passage }, gate.sweeper, gate.idleMs)
  } catch (error) {
    const refused = gate.answerTo(error)
    if (refused) socket.end(reply(socksRefusal(refused)))
    opening.refused()
  }
}

/** @returns undefined: the client was refused, and told */
async function logIn(gate: Gate, socket: Socket, opening: Opening): Promise<Client | undefined> {
  const methods = await opening.read(parseMethods)
  if (!methods.includes(PASSWORD)) {
    const mayEnter = methods.includes(NO_LOGIN)
    return answered(gate, socket, [VERSION, NO_LOGIN], [VERSION, NO_METHOD], () => {
      if (!mayEnter) throw new Refused('credentials_needed')
      return gate.logIn(socket, undefined)
    })
  }
  socket.write(Buffer.from([VERSION, PASSWORD]))
  const credentials = await opening.read(parseCredentials)
  const isNameless = credentials.username === '' && gate.knows(socket)
  return answered(gate, socket, [LOGIN_VERSION, SUCCEEDED], [LOGIN_VERSION, LOGIN_FAILED], () =>
    gate.logIn(socket, isNameless ? undefined : credentials),
  )
}

/** Tells the client whether it was let in. */
function answered(
  gate: Gate,
  socket: Socket,
  yes: readonly number[],
  no: readonly number[],
  logIn: () => Client,
): Client | undefined {
  try {
    const client = logIn()
    socket.write(Buffer.from(yes))
    return client
  } catch (error) {
    gate.answerTo(error)
    socket.end(Buffer.from(no))
    return undefined
  }
}

function reply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0])
}

function parseMethods(bytes: Buffer): Parsed<Buffer> | undefined {
  const length = 2 + (bytes[1] ?? Infinity)
  return bytes.length < length ? undefined : { result: bytes.subarray(2, length), length }
}

function parseCredentials(bytes: Buffer): Parsed<Credentials> | undefined {
  const nameEnd = 2 + (bytes[1] ?? Infinity)
  const length = nameEnd + 1 + (bytes[nameEnd] ?? Infinity)
  if (bytes.length < length) return undefined
  const username = bytes.toString('utf8', 2, nameEnd)
  return { result: { username, password: bytes.toString('utf8', nameEnd + 1, length) }, length }
}

function parseRequest(bytes: Buffer): Parsed<Request> | undefined {
  const [, command = 0, , kind] = bytes
  if (bytes.length < 5) return undefined
  const [start, end] = addressRange(bytes, kind)
  if (end === undefined) return { result: { command, host: undefined, port: 0 }, length: bytes.length }
  if (bytes.length < end + 2) return undefined
  const address = bytes.subarray(start, end)
  return { result: { command, host: hostIn(address, kind), port: bytes.readUInt16BE(end) }, length: end + 2 }
}

/** Where the address begins and ends; no end: it is of an unknown kind. */
function addressRange(bytes: Buffer, kind: number | undefined): readonly [start: number, end?: number] {
  if (kind === IPV4) return [4, 8]
  if (kind === IPV6) return [4, 20]
  return kind === NAME ? [5, 5 + (bytes[4] ?? 0)] : [4]
}

function hostIn(address: Buffer, kind: number | undefined): string {
  if (kind === IPV4) return address.join('.')
  if (kind === NAME) return address.toString('latin1')
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(2 * index).toString(16))
  return groups.join(':')
}
