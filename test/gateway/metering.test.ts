import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Meters } from '../../src/gateway/meters.ts'
import {
  basic,
  connectTo,
  gatewayAccount,
  readAll,
  readPast,
  startFront,
  startOrigin,
  startWebOrigin,
  tunnel,
} from '../support/gateway-front.ts'
import { PATIENCE } from '../support/patience.ts'

const MB = 1_000_000

/** Sends on and on, as long as it is read. */
function pour(socket: Socket): void {
  const chunk = Buffer.alloc(65_536, 'x')
  const go = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', go)
  go()
}

async function startWith(serve: (socket: Socket) => void) {
  const origin = await startOrigin(serve)
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  return { origin, front }
}

describe('the limit', () => {
  test('a download ends exactly there, also as eight at once', async () => {
    const { front, origin } = await startWith((socket) => void socket.once('data', () => pour(socket)))
    front.tell({ revision: 2, remaining_bytes: 5 * MB + 1 })
    const tunnels = await Promise.all(Array.from({ length: 8 }, () => tunnel(front.port, 'origin.test:80')))
    const received = await Promise.all(
      tunnels.map(({ socket }) => {
        socket.write('?')
        return readAll(socket)
      }),
    )
    // What the clients asked with counts, too; some of them ask when nothing is left.
    const asked = origin.received()
    expect(asked).toBeGreaterThan(0)
    expect(received.reduce((sum, { length }) => sum + length, 0) + asked).toBe(5 * MB + 1)
    expect(front.used()).toBe(5 * MB + 1)
    expect((await tunnel(front.port, 'origin.test:80')).head).toContain('402 Payment Required')
  })

  test('an upload ends exactly there', async () => {
    let received = 0
    const { front } = await startWith(
      (socket) => void socket.on('data', ({ length }: Buffer) => (received += length)),
    )
    front.tell({ revision: 2, remaining_bytes: 3 * MB + 7 })
    const { socket } = await tunnel(front.port, 'origin.test:80')
    pour(socket)
    socket.resume()
    await once(socket, 'close')
    await expect.poll(() => received, PATIENCE).toBe(3 * MB + 7)
    expect(front.used()).toBe(3 * MB + 7)
  })

  test('a request in absolute form ends exactly there, and so does its upload', async () => {
    const origin = await startWebOrigin((asked, answer) => {
      asked.resume()
      if (asked.method === 'GET') answer.writeHead(200).write('x')
      if (asked.method === 'GET') pour(answer as unknown as Socket)
    })
    const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
    front.tell({ revision: 2, remaining_bytes: 2 * MB })
    const download = await connectTo(front.port)
    download.write(`GET http://origin.test/ HTTP/1.1\r\nHost: h\r\n${basic()}\r\n`)
    expect((await readAll(download)).length).toBeGreaterThan(1.9 * MB)
    expect(front.used()).toBe(2 * MB)

    front.tell({ revision: 3, remaining_bytes: 3 * MB })
    front.tell({ username: 'bob', remaining_bytes: MB })
    const before = origin.received()
    const upload = await connectTo(front.port)
    upload.write(
      `POST http://origin.test/ HTTP/1.1\r\nHost: h\r\nContent-Length: ${10 * MB}\r\n${basic('bob')}\r\n`,
    )
    pour(upload)
    expect(await readPast(upload, '\r\n\r\n')).toContain('402 Payment Required')
    await expect.poll(() => origin.received() - before, PATIENCE).toBe(MB)
    expect(front.used('bob')).toBe(MB)
  })

  test('more traffic reaches open tunnels', async () => {
    const { front } = await startWith((socket) => void socket.pipe(socket))
    front.tell({ revision: 2, remaining_bytes: 20 })
    const { socket } = await tunnel(front.port, 'origin.test:80')
    socket.write('0123456789')
    await readPast(socket, '0123456789')
    front.tell({ revision: 3, remaining_bytes: 40 })
    socket.write('9876543210')
    expect(await readPast(socket, '9876543210')).toBe('9876543210')
  })
})

test('what was used is told by day and host, the largest 50', async () => {
  let now = Date.parse('2026-11-23T23:59:59.999Z')
  const meters = new Meters({ now: () => now })
  meters.know(gatewayAccount(), 0, true)
  const meter = meters.of('alice')
  for (let host = 1; host <= 60; host += 1) meter.take(host, `h${host}.test`)
  now += 1
  meter.take(7, 'h1.test')
  // The clock may go back.
  now -= 1
  meter.take(5, 'h60.test')
  const { items } = meters.drain(1)
  expect(items.map(({ account, day, bytes }) => [account, day, bytes])).toEqual([
    ['alice', '2026-11-23', 1_835],
    ['alice', '2026-11-24', 7],
  ])
  expect(items[0]?.targets.slice(0, 2)).toEqual([
    { host: 'h60.test', bytes: 65 },
    { host: 'h59.test', bytes: 59 },
  ])
  expect(items[0]?.targets).toHaveLength(50)
  expect(meters.drain(2)).toEqual({ items: [], flushed: [], isFull: false })

  meters.know(gatewayAccount({ revision: 2, targets: false }), 1, false)
  meter.take(7, 'h1.test')
  expect(meters.drain(2).items).toEqual([{ account: 'alice', day: '2026-11-23', bytes: 7, targets: [] }])
})

describe('what may be taken', () => {
  function start(remaining = 100) {
    const meters = new Meters({ flushMs: 20 })
    const tell = (remaining_bytes: number, revision: number, sequence: number, flush: number | null = null) =>
      meters.know(gatewayAccount({ remaining_bytes, revision, flush }), sequence, false)
    tell(remaining, 1, 0)
    const answer = (remaining_bytes: number, sequence: number, revision = 1) =>
      meters.answered({
        sequence,
        replayed: false,
        accounts: [{ username: 'alice', remaining_bytes, revision }],
      })
    const take = (bytes: number) => meters.of('alice').take(bytes, 'h.test')
    /** Everything that is left. */
    const rest = () => meters.of('alice').reserve(Number.MAX_SAFE_INTEGER)
    return { meters, tell, answer, take, rest }
  }

  test('is what remains, less what is in later batches, less what is in none', () => {
    const { meters, answer, take, rest } = start()
    take(10)
    meters.drain(1)
    take(20)
    meters.drain(2)
    take(5)
    answer(90, 1)
    expect(rest()).toBe(65)
  })

  test('does not change by news that are older than others', () => {
    const { meters, tell, answer, take, rest } = start()
    take(10)
    meters.drain(1)
    take(20)
    meters.drain(2)
    answer(70, 2)
    tell(90, 1, 1)
    answer(90, 1)
    expect(rest()).toBe(70)
  })

  test('grows with a purchase that was read before a batch was counted', () => {
    const { meters, tell, answer, take, rest } = start()
    take(10)
    meters.drain(1)
    tell(1_100, 2, 0)
    answer(1_090, 1, 2)
    expect(rest()).toBe(1_090)
  })

  test('is nothing when more was used than remains', () => {
    const { tell, take, rest } = start()
    take(60)
    tell(50, 2, 0)
    expect([take(1), rest()]).toEqual([0, 0])
  })

  test('is less by what the journal holds of an earlier run', () => {
    const meters = new Meters()
    meters.replay(7, [{ account: 'alice', day: '2026-11-23', bytes: 30, targets: [] }])
    meters.know(gatewayAccount({ remaining_bytes: 100 }), 6, true)
    expect(meters.of('alice').reserve(1_000)).toBe(70)
  })

  test('is less by what is reserved, until that is used or released', () => {
    const { meters, take } = start()
    const meter = meters.of('alice')
    expect([meter.reserve(60), meter.reserve(60), take(1)]).toEqual([60, 40, 0])
    meter.use(25, 'h.test')
    meter.release(35)
    expect([meter.reserved, take(1_000)]).toEqual([40, 35])
    expect(meters.drain(1).items).toMatchObject([{ bytes: 60 }])
  })

  test('is nothing while a flush is open, which is told with all that was used', async () => {
    const { meters, tell, answer, take } = start()
    take(10)
    tell(100, 2, 0, 5)
    expect(take(1)).toBe(0)
    const more = meters.of('alice').more()
    expect(meters.drain(1)).toMatchObject({ items: [{ bytes: 10 }], flushed: [5] })
    expect(meters.drain(2).flushed).toEqual([])
    // The answer to the batch is no sign that the shop is done.
    answer(90, 1, 2)
    expect(take(1)).toBe(0)
    tell(40, 3, 1)
    expect([await more, take(100)]).toEqual([true, 40])
  })

  test('a flush waits for what is reserved', () => {
    const { meters, tell } = start()
    const meter = meters.of('alice')
    meter.reserve(10)
    tell(100, 2, 0, 5)
    expect(meters.drain(1).flushed).toEqual([])
    meter.use(10, 'h.test')
    expect(meters.drain(1)).toMatchObject({ items: [{ bytes: 10 }], flushed: [5] })
  })

  test('a flush of which nothing more is heard ends by itself, and the same one does not begin again', async () => {
    const { meters, tell, take } = start()
    tell(100, 2, 0, 5)
    expect(await meters.of('alice').more()).toBe(true)
    tell(100, 3, 0, 5)
    expect(take(1)).toBe(1)
    tell(100, 4, 0, 6)
    expect(take(1)).toBe(0)
  })

  test('is nothing for an account that is not active, and those that wait are told', async () => {
    const { meters, tell, take } = start()
    tell(100, 2, 0, 5)
    const more = meters.of('alice').more()
    meters.know(gatewayAccount({ status: 'disabled', revision: 3 }), 0, false)
    expect([await more, take(1)]).toEqual([false, 0])
  })
})

describe('an account', () => {
  test('that is flushed pauses its tunnels, and they go on', async () => {
    const { front } = await startWith((socket) => void socket.pipe(socket))
    const { socket } = await tunnel(front.port, 'origin.test:80')
    socket.write('before')
    await readPast(socket, 'before')
    front.tell({ revision: 2, flush: 1 })
    socket.write('after')
    await expect.poll(() => front.used(), PATIENCE).toBe(12)
    front.tell({ revision: 3 })
    expect(await readPast(socket, 'after')).toBe('after')
    expect(front.used()).toBe(10)
  })

  test.each(['disabled', 'deleted'] as const)(
    'that is %s loses its tunnels and requests at once',
    async (status) => {
      const origin = await startWebOrigin((_, answer) => void answer.write('beginning'))
      const front = await startFront({
        known: { 'origin.test': { address: '127.0.0.1', port: origin.port } },
      })
      const { socket } = await tunnel(front.port, 'origin.test:80')
      const forwarded = await connectTo(front.port)
      forwarded.write(`GET http://origin.test/ HTTP/1.1\r\nHost: h\r\n${basic()}\r\n`)
      await readPast(forwarded, 'beginning')
      front.tell({ revision: 2, status })
      await Promise.all([readAll(socket), readAll(forwarded)])
      await expect.poll(() => front.listener.figures().connections, PATIENCE).toBe(0)
    },
  )
})

test('requests of two users on one connection count for each, pipelined and one after the other', async () => {
  const origin = await startWebOrigin((asked, answer) => void answer.end(`${asked.url}${'x'.repeat(1_000)}.`))
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  front.tell({ username: 'bob' })
  const ask = (path: string, user: string) =>
    `GET http://origin.test/${path} HTTP/1.1\r\nHost: h\r\n${basic(user)}\r\n`
  const socket = await connectTo(front.port)
  socket.write(ask('1', 'alice') + ask('2', 'bob') + ask('3', 'alice') + ask('4', 'nobody'))
  const answers = await readPast(socket, 'credential is disabled\n')
  expect(answers.match(/\/\dx/g)).toEqual(['/1x', '/2x', '/3x'])
  socket.write(ask('5', 'bob'))
  await readPast(socket, 'x.')
  expect(front.wishes.map(({ account }) => account)).toEqual(['alice', 'bob', 'alice', 'bob'])
  const { items } = front.meters.drain(1)
  const bytes = items.map((item) => item.bytes)
  expect(bytes).toEqual([bytes[0], bytes[0]])
  expect(bytes[0]).toBe((origin.received() + origin.sent()) / 2)
})
