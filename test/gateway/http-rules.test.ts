import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  basic,
  connectTo,
  type Front,
  readAll,
  readPast,
  startFront,
  startOrigin,
  startWebOrigin,
} from '../support/gateway-front.ts'
import { PATIENCE } from '../support/patience.ts'

/*
 * What RFC 9110 and RFC 9112 ask of a proxy, seen from its client and from the target; docs/gateway-http.md lists it.
 */

/** A gateway before a target that answers each connection with these bytes, once a whole head has come. */
async function before(answer: string | ((socket: Socket) => void)) {
  const asked: string[] = []
  const origin = await startOrigin((socket) => {
    let text = ''
    let isAnswered = false
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      asked[0] = text
      if (isAnswered || !text.includes('\r\n\r\n')) return
      isAnswered = true
      if (typeof answer === 'string') socket.end(Buffer.from(answer, 'latin1'))
      else answer(socket)
    })
  })
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  return { front, origin, asked }
}

/** A target that tells what it got. */
async function beforeEcho() {
  const origin = await startWebOrigin((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (text: string) => (body += text))
    asked.on('end', () => {
      const headers = asked.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? `${name}: ${all[at + 1]}` : [],
      )
      answer.end([`${asked.method} ${asked.url}`, ...headers, `[${body}]`].join('\n'))
    })
  })
  return startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
}

interface Request {
  readonly line?: string
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A request as it is sent. */
function request({
  line = 'GET http://origin.test/ HTTP/1.1',
  headers = [],
  body = '',
}: Request = {}): string {
  return `${[line, 'Host: origin.test', ...headers].join('\r\n')}\r\n${basic()}\r\n${body}`
}

/** All that a client gets that asks once, and closes after the answer. */
async function answerTo({ port }: Front, asked: Request = {}): Promise<string> {
  const socket = await connectTo(port)
  socket.write(
    Buffer.from(request({ ...asked, headers: [...(asked.headers ?? []), 'Connection: close'] }), 'latin1'),
  )
  return (await readAll(socket)).toString('latin1')
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const BAD_GATEWAY = /^HTTP\/1\.1 502 .*X-Gateway-Error: target_unreachable\r\n/s

describe('an answer', () => {
  test.each([
    ['a space before a colon', 'Expires : 0', 'Expires: 0'],
    ['a tab before a colon', 'Expires\t: 0', 'Expires: 0'],
    ['a continued line', 'X-Long: a \r\n\t b', 'X-Long: a b'],
  ])('with %s is mended', async (_, sent, got) => {
    const { front } = await before(
      `HTTP/1.1 200 OK\r\n${sent}\r\nX-Next: c : d\r\nContent-Length: 2\r\n\r\nok`,
    )
    const answer = await answerTo(front)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nok$/s)
    expect(answer).toContain(`\r\n${got}\r\nX-Next: c : d\r\n`)
  })

  test('whose head comes byte by byte, with line feeds only, is taken, and its body is left alone', async () => {
    const { front } = await before((socket) => {
      socket.setNoDelay(true)
      for (const byte of 'HTTP/1.1 200 OK\nExpires : 0\nContent-Length: 6\n\n') socket.write(byte)
      socket.end('a : b\n')
    })
    expect(await answerTo(front)).toMatch(/^HTTP\/1\.1 200 OK\r\nExpires: 0\r\n.*\r\n\r\na : b\n$/s)
  })

  test.each([
    ['with a coding that was not asked for', 'Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['with a coding only', 'Transfer-Encoding: gzip\r\n\r\nok'],
    [
      'with a length and chunks',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    [
      'with two spellings of both',
      'Content-Length : 2\r\nTransfer-Encoding : chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['with two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['with a list of lengths', 'Content-Length: 2, 3\r\n\r\nok'],
    ['with a space before the first field', ' X: y\r\nContent-Length: 2\r\n\r\nok'],
    ['with a field without a name', ': y\r\nContent-Length: 2\r\n\r\nok'],
    ['with a control character', 'X: \x01\r\nContent-Length: 2\r\n\r\nok'],
    ['with a head without an end', `X: ${'x'.repeat(70_000)}`],
  ])('%s is none: 502', async (_, rest) => {
    const { front } = await before(`HTTP/1.1 200 OK\r\n${rest}`)
    expect(await answerTo(front)).toMatch(BAD_GATEWAY)
  })

  test.each(['HTTP/2 200 OK', 'HTTP/1.1 99 Low', 'HTTP/1.1 407 Proxy Authentication Required'])(
    '%s is none: 502',
    async (line) => {
      const { front } = await before(
        `${line}\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 2\r\n\r\nok`,
      )
      expect(await answerTo(front)).toMatch(BAD_GATEWAY)
    },
  )

  test('before the last one is passed on, to clients that know it', async () => {
    const interim =
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n' +
      'HTTP/1.1 104 Upload\r\n\r\n'
    const { front } = await before(interim + OK)
    expect(await answerTo(front)).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>; rel=preload\r\n\r\nHTTP\/1\.1 104 Upload\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    )
    const old = await answerTo(front, {
      line: 'GET http://origin.test/ HTTP/1.0',
      headers: ['Expect: 100-continue'],
    })
    expect(old).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('before the last one belongs to the request that is answered next', async () => {
    const { front } = await before(`HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${OK}`)
    const socket = await connectTo(front.port)
    socket.write(request() + request({ headers: ['Connection: close'] }))
    const answers = (await readAll(socket)).toString()
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual([
      '103',
      '200',
      '103',
      '200',
    ])
  })

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', /\r\nContent-Length: 5\r\n/],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', /\r\nContent-Length: 5\r\n/],
    ['GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', /^(?!.*Content-Length)/s],
  ])('to %s without a body (%s)', async (method, sent, head) => {
    const { front } = await before(sent)
    const socket = await connectTo(front.port)
    const asked = request({ line: `${method} http://origin.test/ HTTP/1.1` })
    socket.write(asked)
    expect(await readPast(socket, '\r\n\r\n')).toMatch(head)
    // The next answer follows at once.
    socket.write(asked)
    expect(await readPast(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 /)
  })

  test('that ends with its connection gets an end that the client sees, and what it lacks: a date', async () => {
    const { front } = await before('HTTP/1.1 200 OK\r\n\r\nuntil the end')
    const answer = await answerTo(front)
    expect(answer).toMatch(/\r\nTransfer-Encoding: chunked\r\n/)
    expect(answer).toMatch(/\r\nDate: \w{3}, \d\d /)
    expect(answer).toMatch(/\r\n\r\nd\r\nuntil the end\r\n0\r\n\r\n$/)
  })

  test('in chunks reaches a client of HTTP/1.0 whole, whose connection then ends, whatever it says', async () => {
    const chunks =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n'
    const { front } = await before(chunks)
    const socket = await connectTo(front.port)
    const headers = ['TE: chunked', 'Connection: keep-alive']
    socket.write(request({ line: 'GET http://origin.test/ HTTP/1.0', headers }))
    const answer = (await readAll(socket)).toString()
    expect(answer).toMatch(/\r\n\r\nok$/)
    expect(answer).not.toMatch(/transfer-encoding|trailer|keep-alive/i)
  })

  test('in chunks that breaks off is seen to by a client of HTTP/1.0', async () => {
    const { front } = await before('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n')
    const socket = await connectTo(front.port)
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => void socket.once('error', resolve))
    socket.write(request({ line: 'GET http://origin.test/ HTTP/1.0' }))
    socket.resume()
    expect((await failed).code).toBe('ECONNRESET')
  })

  test('ends where it says; what the target says behind it reaches nobody', async () => {
    const { front } = await before(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`)
    const answer = await answerTo(front)
    expect(answer).toMatch(/\r\n\r\nok$/)
  })
})

describe('a request', () => {
  test.each(['GET http://origin.test/', 'CONNECT origin.test:80'])(
    'with a space before a colon, or a continued line, is refused: %s',
    async (line) => {
      const { front, origin } = await before(OK)
      for (const field of ['X-A : b', 'X-A: b\r\n c', 'X A: b', ': b']) {
        const socket = await connectTo(front.port)
        socket.write(request({ line: `${line} HTTP/1.1`, headers: [field] }))
        expect(await readPast(socket, 'bad_request'), field).toMatch(/^HTTP\/1\.1 400 /)
      }
      expect(origin.sockets.size).toBe(0)
    },
  )

  test.each([
    ['Transfer-Encoding: chunked, gzip', 400],
    ['Transfer-Encoding: gzip', 400],
    ['Transfer-Encoding: gzip, chunked', 501],
    ['Host: other.test', 400],
  ])('with %s: %i', async (field, status) => {
    const { front, origin } = await before(OK)
    const line = 'POST http://origin.test/ HTTP/1.1'
    const socket = await connectTo(front.port)
    socket.write(request({ line, headers: [field], body: '0\r\n\r\n' }))
    expect(await readPast(socket, '\r\n')).toContain(`HTTP/1.1 ${status} `)
    expect(origin.sockets.size).toBe(0)
  })

  test('that asks for another protocol and has a body is served without it, and so is the next one', async () => {
    const front = await beforeEcho()
    const socket = await connectTo(front.port)
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ]
    const post = request({
      line: 'POST http://origin.test/up HTTP/1.1',
      headers: [...upgrade, 'Content-Length: 4'],
      body: 'body',
    })
    const chunked = request({
      line: 'POST http://origin.test/up HTTP/1.1',
      headers: [...upgrade, 'Transfer-Encoding: chunked'],
      body: '4\r\nbody\r\n0\r\n\r\n',
    })
    for (const asked of [post, chunked, request()]) {
      socket.write(asked)
      const answer = await readPast(socket, ']')
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
      expect(answer).not.toMatch(/upgrade|http2/i)
      expect(answer.endsWith('[body]')).toBe(asked !== request())
    }
    const old = await answerTo(front, {
      line: 'GET http://origin.test/up HTTP/1.0',
      headers: ['Upgrade: h2c'],
    })
    expect(old).toMatch(/^HTTP\/1\.1 200 OK(?!.*upgrade)/is)
  })

  test.each([
    ['OPTIONS', '3', 'Max-Forwards: 2'],
    ['TRACE', '1', 'Max-Forwards: 0'],
    ['GET', '0', 'Max-Forwards: 0'],
    ['OPTIONS', 'many', 'Max-Forwards: many'],
  ])('%s may be forwarded so often: %s', async (method, hops, got) => {
    const { front, asked } = await before(OK)
    await answerTo(front, {
      line: `${method} http://origin.test/ HTTP/1.1`,
      headers: [`Max-Forwards: ${hops}`],
    })
    expect(asked[0]).toContain(`\r\n${got}\r\n`)
  })

  test('that goes no further is answered by the gateway', async () => {
    const { front, origin } = await before(OK)
    const headers = ['Max-Forwards: 0', 'Cookie: secret', 'X-Shown: yes']
    const options = await answerTo(front, { line: 'OPTIONS http://origin.test/ HTTP/1.1', headers })
    expect(options).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(await answerTo(front, { line: 'OPTIONS * HTTP/1.1' })).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const trace = await answerTo(front, { line: 'TRACE http://origin.test/ HTTP/1.1', headers })
    expect(trace).toMatch(
      /Content-Type: message\/http\r\n.*TRACE http:\/\/origin\.test\/ HTTP\/1\.1\r\n.*X-Shown: yes/s,
    )
    expect(trace).not.toMatch(/secret|Proxy-Authorization/)
    expect(origin.sockets.size).toBe(0)
    expect(front.used()).toBe(0)
  })

  test('OPTIONS for a whole server asks for it as a whole', async () => {
    const front = await beforeEcho()
    expect(await answerTo(front, { line: 'OPTIONS http://origin.test HTTP/1.1' })).toContain('\nOPTIONS *\n')
    expect(await answerTo(front, { line: 'OPTIONS http://origin.test?a HTTP/1.1' })).toContain(
      'OPTIONS /?a\n',
    )
  })

  test('with another expectation is the target’s to refuse', async () => {
    const { front, asked } = await before('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n')
    expect(await answerTo(front, { headers: ['Expect: miracles'] })).toMatch(/^HTTP\/1\.1 417 /)
    expect(asked[0]).toContain('\r\nExpect: miracles\r\n')
  })

  test('waits for the one before it, which may change what it finds', async () => {
    const sockets: Socket[] = []
    const { front } = await before((socket) => void sockets.push(socket))
    const socket = await connectTo(front.port)
    socket.write(
      request({ line: 'POST http://origin.test/ HTTP/1.1' }) + request({ headers: ['Connection: close'] }),
    )
    await expect.poll(() => sockets.length, PATIENCE).toBe(1)
    expect(front.listener.figures().connections).toBe(1)
    sockets[0]?.end(OK)
    await expect.poll(() => sockets.length, PATIENCE).toBe(2)
    sockets[1]?.end(OK)
    expect((await readAll(socket)).toString().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  test('whose client ends its side is answered; one that is not complete is not passed on as if it was', async () => {
    const front = await beforeEcho()
    const asked = request({
      line: 'POST http://origin.test/ HTTP/1.1',
      headers: ['Content-Length: 4'],
      body: 'body',
    })
    const whole = await connectTo(front.port, { allowHalfOpen: true })
    whole.end(request() + asked)
    const answers = (await readAll(whole)).toString()
    expect(answers).toMatch(/GET \/\n.*POST \/\n.*\[body\]$/s)
    const upgrade = await connectTo(front.port, { allowHalfOpen: true })
    upgrade.end(request({ headers: ['Connection: Upgrade', 'Upgrade: x'] }))
    expect((await readAll(upgrade)).toString()).toMatch(/^HTTP\/1\.1 200 OK/)
    const half = await connectTo(front.port, { allowHalfOpen: true })
    half.end(asked.slice(0, -1))
    expect((await readAll(half)).toString()).toBe('')
    await expect.poll(() => front.listener.figures().connections, PATIENCE).toBe(0)
  })
})
