import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { atTheEnd } from './clean-up.ts'

/** What becomes of a request that a network may do to it. */
export type NetworkFault =
  /** It arrives and is answered; the connection ends before the answer is through. */
  | 'lose_answer'
  /** It arrives and is answered; a part of the answer is through. */
  | 'truncate'
  /** It arrives and is answered; a gateway says 502 instead. */
  | 'bad_gateway'
  /** It arrives and is answered; the answer is kept back, and the connection stays open. */
  | 'hang'
  /** It does not arrive; the connection ends. */
  | 'drop'

interface Planned {
  readonly path: RegExp
  readonly fault: NetworkFault
}

const BAD_GATEWAY = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbad'

/**
 * A network between a client and a server, one request per connection, that fails as planned. It ends with the test.
 *
 * @param port of the server on this machine
 */
export async function faultyProxy(port: number) {
  const planned: Planned[] = []
  const requests: string[] = []
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const kept: (() => void)[] = []

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.once('data', (first: Buffer) => {
      const head = first.toString('latin1')
      const line = head.slice(0, head.indexOf(' HTTP/'))
      requests.push(line)
      heads.push(head)
      const index = planned.findIndex(({ path }) => path.test(line))
      const [plan] = index === -1 ? [] : planned.splice(index, 1)
      if (plan?.fault === 'drop') client.destroy()
      else pass(client, first, plan?.fault)
    })
  })

  function pass(client: Socket, first: Buffer, fault: NetworkFault | undefined): void {
    const upstream = connect(port, '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    upstream.write(first)
    client.pipe(upstream)
    if (fault === undefined) {
      upstream.pipe(client)
      return
    }
    upstream.once('data', (answer: Buffer) => {
      if (fault === 'lose_answer') client.destroy()
      else if (fault === 'bad_gateway') client.end(BAD_GATEWAY)
      else if (fault === 'truncate')
        client.write(answer.subarray(0, answer.indexOf('\r\n\r\n') + 20), () => client.destroy())
      else kept.shift()?.()
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  atTheEnd(close)

  return {
    origin: `http://127.0.0.1:${own}`,
    /** All requests that were made, such as `GET /api/x?y=1`. */
    requests,
    /** The same with their headers. */
    heads,
    /** The next request whose line fits fails like this. */
    fail: (path: RegExp, fault: NetworkFault) => void planned.push({ path, fault }),
    /** Resolves when an answer is kept back. */
    answerKept: () => new Promise<void>((resolve) => void kept.push(resolve)),
    /** From now on connections are refused. */
    close,
  }
}
