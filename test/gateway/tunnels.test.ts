import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  basic,
  connectTo,
  type Front,
  readAll,
  readPast,
  startFront,
  startWebOrigin,
  tunnel,
} from '../support/gateway-front.ts'
import { PATIENCE } from '../support/patience.ts'
import { startWith } from './front-and-origin.ts'

/** Reads all, and closes when the other side does. */
function swallow(socket: Socket): void {
  socket.resume().once('end', () => socket.end())
}

/** Waits until nothing is open any more. */
async function untilClosed({ listener }: Front): Promise<void> {
  await expect.poll(() => listener.figures().connections, PATIENCE).toBe(0)
}

describe('a tunnel', () => {
  test('ends one side after the other', async () => {
    const { front } = await startWith((socket) => {
      let asked = ''
      socket.on('data', (bytes: Buffer) => (asked += bytes.toString()))
      socket.on('end', () => socket.end(`answer to ${asked}`))
    })
    const { socket } = await tunnel(front.port, 'origin.test:80', basic(), true)
    socket.end('question')
    expect((await readAll(socket)).toString()).toBe('answer to question')
    await untilClosed(front)
    expect(front.used()).toBe('question'.length + 'answer to question'.length)
  })

  test('whose target ends first still carries what the client says', async () => {
    let said = ''
    const { front } = await startWith((socket) => {
      socket.end('over')
      socket.on('data', (bytes: Buffer) => (said += bytes.toString()))
    })
    const { socket } = await tunnel(front.port, 'origin.test:80', basic(), true)
    await readPast(socket, 'over')
    socket.end('and out')
    await expect.poll(() => said, PATIENCE).toBe('and out')
    socket.resume()
    await untilClosed(front)
  })

  test.each(['client', 'target'])('is closed when the %s resets it', async (side) => {
    const { front, origin } = await startWith(swallow)
    const tunnels = await Promise.all(Array.from({ length: 50 }, () => tunnel(front.port, 'origin.test:80')))
    await expect.poll(() => origin.sockets.size, PATIENCE).toBe(50)
    const sockets = side === 'client' ? tunnels.map(({ socket }) => socket) : [...origin.sockets]
    for (const socket of sockets) socket.resetAndDestroy()
    await untilClosed(front)
    await expect.poll(() => [...origin.sockets].every(({ destroyed }) => destroyed), PATIENCE).toBe(true)
  })

  test('in a storm of resets leaves nothing behind, and the others go on', async () => {
    const { front, origin } = await startWith((socket) => void socket.on('error', () => {}).pipe(socket))
    const { socket: lasting } = await tunnel(front.port, 'origin.test:80')
    const chunk = Buffer.alloc(200_000)
    const storm = async (index: number) => {
      const client = await connectTo(front.port)
      client.on('error', () => {}).resume()
      const closed = once(client, 'close')
      // Before the request, within its head, behind it, and in the middle of what is sent both ways.
      const head = `CONNECT origin.test:80 HTTP/1.1\r\n${basic()}\r\n`
      if (index % 4 === 0) client.resetAndDestroy()
      else client.write(index % 4 === 1 ? head.slice(0, -2) : head)
      if (index % 4 === 2) client.resetAndDestroy()
      if (index % 4 === 3) {
        await once(client, 'data')
        client.write(chunk)
        await once(client, 'data')
      }
      client.resetAndDestroy()
      await closed
    }
    for (let wave = 0; wave < 5; wave += 1)
      await Promise.all(Array.from({ length: 100 }, (_, index) => storm(index)))
    await expect.poll(() => front.listener.figures().connections, PATIENCE).toBe(1)
    await expect
      .poll(() => [...origin.sockets].filter(({ destroyed }) => !destroyed).length, PATIENCE)
      .toBe(1)
    lasting.write('still there')
    expect(await readPast(lasting, 'there')).toBe('still there')
    expect(front.listener.figures().refused).toEqual({})
  })

  test('that is given up while it is opened leaves nothing behind', async () => {
    let asked = 0
    const resolve = () => ((asked += 1), new Promise<string[]>(() => {}))
    const front = await startFront({ resolve, timeoutMs: 60_000 })
    const socket = await connectTo(front.port)
    socket.write(`CONNECT slow.example:80 HTTP/1.1\r\n${basic()}\r\n`)
    await expect.poll(() => asked, PATIENCE).toBe(1)
    expect(front.listener.figures().connections).toBe(1)
    socket.resetAndDestroy()
    await untilClosed(front)
    expect(front.listener.figures().refused).toEqual({})
  })

  test('on which nothing is said is broken off', async () => {
    const { front } = await startWith((socket) => void socket.pipe(socket), { idleMs: 1_500, sweepMs: 10 })
    const { socket } = await tunnel(front.port, 'origin.test:80')
    socket.write('x')
    await readPast(socket, 'x')
    await readAll(socket)
    await untilClosed(front)
  })

  test('carries much both ways at once, unchanged', async () => {
    const { front } = await startWith((socket) => void socket.pipe(socket))
    const { socket } = await tunnel(front.port, 'origin.test:80')
    const sent = Buffer.alloc(8_000_000)
    for (let at = 0; at < sent.length; at += 4) sent.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
    socket.end(sent)
    expect((await readAll(socket)).equals(sent)).toBe(true)
    expect(front.used()).toBe(2 * sent.length)
  })
})

describe('memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  /** Bytes outside of the heap, and in it, after what is not used any more is gone. */
  function inUse(): number {
    collectGarbage()
    const { external, heapUsed } = process.memoryUsage()
    return external + heapUsed
  }

  test('slow readers cost no more than what fits into a few buffers', async () => {
    const chunk = Buffer.alloc(1_000_000)
    const { front, origin } = await startWith((socket) => {
      const go = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', go)
      go()
    })
    const before = inUse()
    const tunnels = await Promise.all(Array.from({ length: 50 }, () => tunnel(front.port, 'origin.test:80')))
    for (const { socket } of tunnels) socket.pause()
    // Nothing moves any more.
    let sent = -1
    await expect
      .poll(() => {
        const last = sent
        sent = origin.sent()
        return sent === last && sent > 0
      }, PATIENCE)
      .toBe(true)
    // Each may have up to 1 MB at the origin, in this process, too, and its clients 64 KiB.
    expect((inUse() - before) / 50).toBeLessThan(500_000)
    expect(front.used()).toBeGreaterThan(0)
    const left = 5_000_000
    const { socket } = tunnels[0]!
    let read = 0
    socket.on('data', ({ length }: Buffer) => (read += length)).resume()
    await expect.poll(() => read, PATIENCE).toBeGreaterThan(left)
  })
})

describe('limits', () => {
  test('connections of an account: 429, and again free when one ends', async () => {
    const { front } = await startWith(swallow, { mostPerAccount: 2 })
    const [first] = await Promise.all([
      tunnel(front.port, 'origin.test:80'),
      tunnel(front.port, 'origin.test:80'),
    ])
    const refused = await tunnel(front.port, 'origin.test:80')
    expect([refused.status, refused.head]).toEqual([429, expect.stringContaining('Retry-After: 1\r\n')])
    first.socket.destroy()
    await expect.poll(() => front.listener.figures().connections, PATIENCE).toBe(1)
    expect((await tunnel(front.port, 'origin.test:80')).status).toBe(200)
  })

  test('connections of an address: 429', async () => {
    const { front } = await startWith(swallow, { mostPerAddress: 2 })
    const open = [await connectTo(front.port), await connectTo(front.port)]
    const refused = await connectTo(front.port)
    expect((await readAll(refused)).toString()).toContain('X-Gateway-Error: too_many_connections')
    open[0]?.destroy()
    const status = async () => {
      const { socket, status } = await tunnel(front.port, 'origin.test:80')
      socket.destroy()
      return status
    }
    await expect.poll(status, PATIENCE).toBe(200)
  })

  test('connections of all: 429', async () => {
    const { front } = await startWith(swallow, { mostConnections: 1 })
    expect((await tunnel(front.port, 'origin.test:80')).status).toBe(200)
    const refused = await connectTo(front.port)
    expect((await readAll(refused)).toString()).toContain('X-Gateway-Error: too_many_connections')
  })

  test.each(['CONNECT origin.test:80', 'GET http://origin.test/'])(
    'a head of more than 16 KiB: %s',
    async (request) => {
      const { front } = await startWith(() => {})
      const socket = await connectTo(front.port)
      socket.write(`${request} HTTP/1.1\r\n${basic()}X: ${'x'.repeat(17_000)}`)
      expect(await readPast(socket, 'bad_request')).toMatch(/^HTTP\/1.1 400 /)
    },
  )

  test.each([
    '',
    '\x05',
    '\x05\x01\x02',
    'CONN',
    'CONNECT a:80 HTTP/1.1\r\n',
    'GET http://a/ HTTP/1.1\r\nX: y\r\n',
  ])('a client that stops after "%s" is disconnected', async (beginning) => {
    const { front } = await startWith(() => {}, { handshakeMs: 50, keepAliveMs: 50, sweepMs: 10 })
    const socket = await connectTo(front.port)
    socket.write(Buffer.from(beginning, 'latin1'))
    await readAll(socket)
  })

  test('a client that begins its next request has as long for its head as for the first one', async () => {
    const origin = await startWebOrigin((_, answer) => void answer.end('x'))
    const known = { 'origin.test': { address: '127.0.0.1', port: origin.port } }
    const front = await startFront({ known, handshakeMs: 500, keepAliveMs: 1e9, sweepMs: 10 })
    const asked = `GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n`
    for (const first of [asked, `GET http://origin.test/ HTTP/1.1\r\n\r\n`, '']) {
      const socket = await connectTo(front.port)
      if (first) {
        socket.write(first)
        await readPast(socket, '\r\n\r\n')
      }
      socket.write(asked.slice(0, -2))
      await readAll(socket)
    }
  })

  test('a client that does not close its connection after a refusal is disconnected', async () => {
    const { front } = await startWith(() => {}, { handshakeMs: 50, keepAliveMs: 50, sweepMs: 10 })
    const { socket } = await tunnel(front.port, 'origin.test:80', basic('bob'), true)
    socket.resume()
    await once(socket, 'end')
    await expect.poll(() => (socket.write('x'), socket.destroyed), PATIENCE).toBe(true)
  })

  test('a connection that is kept for more requests is closed when none comes', async () => {
    const origin = await startWebOrigin((_, answer) => void answer.end('x'))
    const known = { 'origin.test': { address: '127.0.0.1', port: origin.port } }
    const front = await startFront({ known, keepAliveMs: 50, sweepMs: 10 })
    const socket = await connectTo(front.port)
    socket.write(`GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n`)
    expect((await readAll(socket)).toString()).toMatch(/^HTTP\/1.1 200 OK/)
  })
})

describe('requests in absolute form', () => {
  /** What the origin got, headers as they were. */
  async function startEcho() {
    const origin = await startWebOrigin((asked, answer) => {
      asked.resume().on('end', () => {
        answer.setHeader('Keep-Alive', 'timeout=5')
        answer.setHeader('X-Kept', 'yes')
        answer.end(JSON.stringify({ url: asked.url, headers: asked.rawHeaders }))
      })
    })
    return startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  }

  test('tell the target nothing of the proxy, and keep names, order and values', async () => {
    const front = await startEcho()
    const socket = await connectTo(front.port)
    const headers = [
      'Host: other.test',
      'X-Two: b',
      'x-two: a',
      'Connection: X-Hop, keep-alive',
      'X-Hop: 1',
      'TE: trailers',
      'Proxy-Connection: keep-alive',
      'User-Agent: m\xfcll',
      'Accept: */*',
    ]
    socket.write(
      Buffer.from(
        `GET http://user:pass@origin.test/%41?q="x" HTTP/1.1\r\n${headers.join('\r\n')}\r\n${basic()}\r\n`,
        'latin1',
      ),
    )
    const answer = await readPast(socket, '}')
    expect(answer).not.toMatch(/via|timeout=5/i)
    expect(answer).toContain('X-Kept: yes')
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
      url: '/%41?q="x"',
      headers: [
        'Host',
        'origin.test',
        'X-Two',
        'b',
        'x-two',
        'a',
        'User-Agent',
        'm\xfcll',
        'Accept',
        '*/*',
        'Connection',
        'close',
      ],
    })
  })

  test('a request of unclear length is not passed on', async () => {
    const front = await startEcho()
    for (const headers of [
      'Content-Length: 3\r\nTransfer-Encoding: chunked',
      'Content-Length: 3\r\nContent-Length: 4',
      'Transfer-Encoding: x',
    ]) {
      const socket = await connectTo(front.port)
      socket.write(`POST http://origin.test/ HTTP/1.1\r\nHost: h\r\n${headers}\r\n${basic()}\r\n0\r\n\r\n`)
      expect(await readPast(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    }
    expect(front.wishes).toEqual([])
  })

  test.each([
    ['closes at once', (socket: Socket) => void socket.end()],
    ['answers nonsense', (socket: Socket) => void socket.end('nonsense\r\n\r\n')],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ])('a target that %s: 502', async (_, serve) => {
    const { front } = await startWith(serve)
    const socket = await connectTo(front.port)
    socket.write(`GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n`)
    expect(await readPast(socket, '\r\n\r\n')).toContain('X-Gateway-Error: target_unreachable')
    await untilClosed(front)
  })

  test('a target that is silent: 504', async () => {
    const { front } = await startWith(swallow, { idleMs: 50, sweepMs: 10 })
    const socket = await connectTo(front.port)
    socket.write(`GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n`)
    expect(await readPast(socket, '\r\n\r\n')).toContain('X-Gateway-Error: target_timeout')
  })

  test('an answer that breaks off breaks off for the client', async () => {
    const { front } = await startWith((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => socket.end())
    })
    const socket = await connectTo(front.port)
    socket.write(`GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n`)
    expect((await readAll(socket)).toString()).toMatch(/half$/)
  })

  test('another protocol after an upgrade, counted to the byte', async () => {
    const { front, origin } = await startWith((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello')
        socket.pipe(socket)
      })
    })
    const socket = await connectTo(front.port)
    socket.write(
      `GET http://origin.test/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: echo\r\n${basic()}\r\nearly `,
    )
    const head = await readPast(socket, 'early ')
    expect(head).toMatch(/^HTTP\/1.1 101 Switching\r\n.*Upgrade: echo\r\n.*hello/s)
    socket.write('later')
    expect(await readPast(socket, 'later')).toBe('later')
    socket.end()
    await untilClosed(front)
    expect(front.used()).toBe(origin.received() + origin.sent())
  })

  test('an upgrade that the target does not want is answered as usual', async () => {
    const front = await startEcho()
    const socket = await connectTo(front.port)
    socket.write(
      `GET http://origin.test/ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${basic()}\r\n`,
    )
    expect((await readAll(socket)).toString()).toMatch(/^HTTP\/1.1 200 OK.*"Upgrade","h2c"/s)
    await untilClosed(front)
  })

  test('an upgrade or a tunnel behind a request that is not answered ends the connection', async () => {
    const { front } = await startWith(swallow)
    for (const second of [
      'GET http://origin.test/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x',
      'CONNECT origin.test:80 HTTP/1.1',
    ]) {
      const socket = await connectTo(front.port)
      socket.write(`GET http://origin.test/ HTTP/1.1\r\n${basic()}\r\n${second}\r\n${basic()}\r\n`)
      expect((await readAll(socket)).toString()).toBe('')
    }
    await untilClosed(front)
  })
})

test('draining: tunnels go on, nothing new is accepted, and connections are closed after the answer', async () => {
  const origin = await startWebOrigin((asked, answer) => void setImmediate(() => answer.end(asked.url)))
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  const { socket } = await tunnel(front.port, 'origin.test:80')
  const waiting = await connectTo(front.port)
  const kept = await connectTo(front.port)
  kept.write(`GET http://origin.test/1 HTTP/1.1\r\n${basic()}\r\n`)
  await readPast(kept, '/1')
  waiting.write('GET http://origin.test/ HTTP/1.1\r\n')
  const drained = front.listener.drain()
  await readAll(kept)
  await expect(connectTo(front.port)).rejects.toThrow('ECONNREFUSED')
  socket.write('GET /inside HTTP/1.1\r\nHost: h\r\n\r\n')
  await readPast(socket, '/inside')
  socket.destroy()
  await drained
})

test('the figures begin anew when they are taken', async () => {
  const { front } = await startWith(swallow)
  await tunnel(front.port, 'origin.test:80')
  await tunnel(front.port, 'origin.test:80', '')
  await tunnel(front.port, '10.0.0.1:80')
  const refused = { credentials_needed: 1, target_refused: 1 }
  expect(front.listener.figures()).toEqual({ connections: 1, accepted: 1, refused })
  expect(front.listener.figures()).toEqual({ connections: 1, accepted: 0, refused: {} })
})

test.each([
  ['shop_unreachable', '503 Service Unavailable'],
  ['draining', '503 Service Unavailable'],
] as const)('nobody is let in while it is %s', async (reason, status) => {
  const { front } = await startWith(() => {}, { refusal: () => reason })
  expect((await tunnel(front.port, 'origin.test:80')).head).toMatch(
    new RegExp(`${status}.*X-Gateway-Error: ${reason}`, 's'),
  )
})
