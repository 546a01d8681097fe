import type { Socket } from 'node:net'
import { type Exit, join, type Login, type Target } from './exit.ts'
import { readUntil } from './read-bytes.ts'

const VERSION = 0x05
const OPEN = 0x00
const PASSWORD = 0x02
const NO_METHOD = 0xff
const CONNECT = 0x01
const REPLIES = { ok: 0x00, forbidden: 0x02, unreachable: 0x05, command: 0x07 } as const

/** Serves one connection of a SOCKS5 proxy (RFC 1928), with username and password (RFC 1929) where the client offers them. */
export async function serveSocks(socket: Socket, login: Login): Promise<void> {
  const methods = await readUntil(socket, (bytes) => {
    const length = 2 + (bytes[1] ?? Infinity)
    return bytes.length < length ? undefined : { result: bytes.subarray(2, length), length }
  })
  const exit = await (methods.includes(PASSWORD) ? byPassword(socket, login) : openly(socket, login, methods))
  if (!exit) return

  const { command, target } = await readUntil(socket, parsedRequest)
  if (command !== CONNECT) return void socket.end(reply(REPLIES.command))
  const far = await exit.reach(target)
  if (far === 'forbidden' || far === 'unreachable') return void socket.end(reply(REPLIES[far]))
  socket.write(reply(REPLIES.ok))
  join(socket, far)
}

async function byPassword(socket: Socket, login: Login): Promise<Exit | undefined> {
  socket.write(Buffer.from([VERSION, PASSWORD]))
  const { username, password } = await readUntil(socket, parsedCredentials)
  const exit = await login(username, password, socket)
  socket[exit ? 'write' : 'end'](Buffer.from([0x01, exit ? 0x00 : 0x01]))
  return exit
}

async function openly(socket: Socket, login: Login, methods: Buffer): Promise<Exit | undefined> {
  const exit = methods.includes(OPEN) ? await login('', '', socket) : undefined
  socket[exit ? 'write' : 'end'](Buffer.from([VERSION, exit ? OPEN : NO_METHOD]))
  return exit
}

function reply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0])
}

function parsedCredentials(bytes: Buffer) {
  const nameEnd = 2 + (bytes[1] ?? Infinity)
  const length = nameEnd + 1 + (bytes[nameEnd] ?? Infinity)
  if (bytes.length < length) return undefined
  const username = bytes.subarray(2, nameEnd).toString('utf8')
  return { result: { username, password: bytes.subarray(nameEnd + 1, length).toString('utf8') }, length }
}

function parsedRequest(bytes: Buffer) {
  const address = addressIn(bytes)
  if (address === undefined || bytes.length < address.end + 2) return undefined
  const target: Target = { host: address.host, port: bytes.readUInt16BE(address.end) }
  return { result: { command: bytes[1] ?? 0, target }, length: address.end + 2 }
}

/** Returns the address in a request: IPv4, a name, or IPv6. */
function addressIn(bytes: Buffer): { readonly host: string; readonly end: number } | undefined {
  const kind = bytes[3]
  if (kind === 0x01 && bytes.length >= 8) return { host: bytes.subarray(4, 8).join('.'), end: 8 }
  if (kind === 0x03) {
    const end = 5 + (bytes[4] ?? Infinity)
    return bytes.length < end ? undefined : { host: bytes.subarray(5, end).toString('latin1'), end }
  }
  if (kind === 0x04 && bytes.length >= 20) {
    const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(4 + index * 2).toString(16))
    // The only address of IPv6 that is this machine.
    const host = groups.join(':') === '0:0:0:0:0:0:0:1' ? '::1' : groups.join(':')
    return { host, end: 20 }
  }
  return undefined
}
