import { isIPv6, type Socket } from 'node:net'
import { lead, type ProxyRules } from './rules.ts'

const GRANTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
const UNREACHABLE = Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])

/** The server's side of SOCKS5 (RFC 1928) with username and password (RFC 1929). */
export async function serveSocks5(socket: Socket, { accepts, reach, fault }: ProxyRules): Promise<void> {
  const [, methods = 0] = await read(socket, 2)
  const offered = await read(socket, methods)
  const method = offered.includes(2) ? 2 : offered.includes(0) && accepts('', '') ? 0 : 255
  socket.write(Buffer.from([5, method]))
  if (method === 255) {
    socket.end()
    return
  }
  if (method === 2) {
    await read(socket, 1)
    const username = await readCounted(socket)
    const password = await readCounted(socket)
    const taken = accepts(username.toString(), password.toString())
    socket.write(Buffer.from([1, taken ? 0 : 1]))
    if (!taken) {
      socket.end()
      return
    }
  }
  const [, , , type] = await read(socket, 4)
  const host =
    type === 3 ? (await readCounted(socket)).toString() : addressOf(await read(socket, type === 1 ? 4 : 16))
  const [high = 0, low = 0] = await read(socket, 2)
  const target = fault() === 'no_exit' ? undefined : await reach({ host, port: high * 256 + low })
  if (!target) {
    socket.end(UNREACHABLE)
    return
  }
  socket.write(GRANTED)
  lead(socket, target, fault())
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const text = bytes.toString('hex').replaceAll(/(.{4})(?=.)/g, '$1:')
  return isIPv6(text) ? text : ''
}

async function readCounted(socket: Socket): Promise<Buffer> {
  const [length = 0] = await read(socket, 1)
  return length === 0 ? Buffer.alloc(0) : read(socket, length)
}

function read(socket: Socket, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const chunk = socket.read(bytes) as Buffer | null
      if (chunk === null || chunk.length < bytes) return
      end()
      resolve(chunk)
    }
    const closed = () => {
      end()
      reject(new Error('the client has gone'))
    }
    const end = () => socket.off('readable', look).off('close', closed)
    socket.on('readable', look).on('close', closed)
    look()
  })
}
