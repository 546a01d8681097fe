import { chromium } from 'playwright-core'
import { ProxyAgent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { chromiumPath } from '../support/browser.ts'
import { finished, startChild } from '../support/children.ts'
import { atTheEnd } from '../support/clean-up.ts'
import {
  basic,
  connectTo,
  type Front,
  readPast,
  startFront,
  startOrigin,
  startSecureOrigin,
  startWebOrigin,
  tunnel,
} from '../support/gateway-front.ts'
import { HANG_MS, PATIENCE } from '../support/patience.ts'

async function startWithOrigin() {
  const origin = await startWebOrigin((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (text: string) => (body += text))
    asked.on('end', () => answer.end(`${asked.method} ${asked.headers.host} ${asked.url} ${body}`))
  })
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  return { origin, front }
}

/** What curl prints. */
async function curl(...args: string[]): Promise<string> {
  const { stdout, stderr } = await finished(startChild('curl', ['-sS', '--noproxy', '', '-m', '60', ...args]))
  return stdout + stderr
}

/** Bytes of the tunnels and requests that have ended. */
const carriedBy = ({ carried }: Front) => carried.reduce((sum, bytes) => sum + bytes, 0)

describe('curl', () => {
  const through = ({ port }: Front): Readonly<Record<string, readonly string[]>> => ({
    'absolute form': ['-x', `http://alice:secret@127.0.0.1:${port}`],
    'a tunnel': ['-p', '-x', `http://alice:secret@127.0.0.1:${port}`],
    'absolute form after the challenge': ['--proxy-anyauth', '-x', `http://alice:secret@127.0.0.1:${port}`],
    'a tunnel after the challenge': ['-p', '--proxy-anyauth', '-x', `http://alice:secret@127.0.0.1:${port}`],
    SOCKS5: ['--socks5-hostname', `127.0.0.1:${port}`, '--proxy-user', 'alice:secret'],
    'HTTP/1.0': ['-0', '-x', `http://alice:secret@127.0.0.1:${port}`],
  })

  test.each(Object.keys(through({ port: 0 } as Front)))(
    'gets and posts through %s, counted to the byte',
    async (way) => {
      const { origin, front } = await startWithOrigin()
      const args = through(front)[way] ?? []
      expect(await curl(...args, 'http://origin.test/a?b=c')).toBe('GET origin.test /a?b=c ')
      expect(await curl(...args, '-d', 'x=1', 'http://origin.test')).toBe('POST origin.test / x=1')
      const chunked = ['-H', 'Transfer-Encoding: chunked', '-H', 'Expect: 100-continue', '-d', 'x=1']
      if (way !== 'HTTP/1.0')
        expect(await curl(...args, ...chunked, 'http://origin.test')).toBe('POST origin.test / x=1')
      expect(front.used()).toBe(origin.received() + origin.sent())
      await expect.poll(() => carriedBy(front), PATIENCE).toBe(origin.received() + origin.sent())
    },
  )

  test.each(Object.keys(through({ port: 0 } as Front)))(
    'gets from an https site, asked by %s',
    async (way) => {
      const origin = await startSecureOrigin('origin.test', (_asked, answer) =>
        answer.end('x'.repeat(100_000)),
      )
      const front = await startFront({
        known: { 'origin.test': { address: '127.0.0.1', port: origin.port } },
      })
      const got = await curl('-k', '--no-alpn', ...(through(front)[way] ?? []), 'https://origin.test/')
      expect(got).toBe('x'.repeat(100_000))
      // What the site says last may meet a client that has left.
      await expect.poll(() => carriedBy(front), PATIENCE).toBeGreaterThan(100_000)
    },
  )

  test('shows why it was refused', async () => {
    const { front } = await startWithOrigin()
    const wrong = await curl('-i', '-x', front.proxy('alice', 'wrong'), 'http://origin.test/')
    expect(wrong).toMatch(
      /^HTTP\/1.1 407 .*Proxy-Authenticate: Basic realm="proxy"\r\nX-Gateway-Error: credentials_wrong\r\n/s,
    )
    expect(wrong).toContain(
      'credentials_wrong: username or password is wrong, or the credential is disabled\n',
    )
    const country = await curl('-i', '-p', '-x', front.proxy('alice-land-us'), 'http://origin.test/')
    expect(country).toContain('X-Gateway-Error: bad_parameter')
    expect(await curl('-i', '-x', front.proxy(), 'http://192.168.1.1/')).toContain(
      'X-Gateway-Error: target_refused',
    )
    expect(front.used()).toBe(0)
  })
})

describe('undici', () => {
  test.each([true, false])('gets and posts, proxyTunnel: %s', async (proxyTunnel) => {
    const { origin, front } = await startWithOrigin()
    const token = `Basic ${Buffer.from('alice:secret').toString('base64')}`
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${front.port}`, token, proxyTunnel })
    atTheEnd(() => dispatcher.close())
    const got = await request('http://origin.test/a', { dispatcher })
    expect(await got.body.text()).toBe('GET origin.test /a ')
    const posted = await request('http://origin.test/b', {
      dispatcher,
      method: 'POST',
      body: 'x'.repeat(100_000),
    })
    expect(await posted.body.text()).toHaveLength('POST origin.test /b '.length + 100_000)
    expect(front.used()).toBe(origin.received() + origin.sent())
  })
})

describe.skipIf(!chromiumPath)('Chromium', () => {
  /** What a page says that is opened through the proxy. */
  async function open(proxy: { server: string; username?: string; password?: string }): Promise<string> {
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
      timeout: HANG_MS,
      proxy,
    })
    atTheEnd(() => browser.close())
    const page = await browser.newPage()
    await page.goto('http://origin.test/page', { timeout: HANG_MS })
    return page.innerText('body')
  }

  test('answers the challenge', async () => {
    const { front } = await startWithOrigin()
    const server = `http://127.0.0.1:${front.port}`
    expect(await open({ server, username: 'alice', password: 'secret' })).toContain('GET origin.test /page')
    expect(front.listener.figures().refused).toHaveProperty('credentials_needed')
  })

  test.each(['http', 'socks5'])(
    'needs no password at an address that is allowed, over %s',
    async (scheme) => {
      const { front } = await startWithOrigin()
      front.tell({ revision: 2, allow: [{ cidr: '127.0.0.0/8', country: 'us', session: 'browser1' }] })
      expect(await open({ server: `${scheme}://127.0.0.1:${front.port}` })).toContain('GET origin.test /page')
      expect(front.wishes[0]).toMatchObject({ account: 'alice', country: 'us', session: 'browser1' })
    },
  )
})

test('a client that waits for the challenge goes on with a tunnel on the same connection', async () => {
  const { front } = await startWithOrigin()
  const socket = await connectTo(front.port)
  const connect = 'CONNECT origin.test:80 HTTP/1.1\r\nHost: origin.test:80\r\n'
  socket.write(`${connect}\r\n`)
  expect(await readPast(socket, 'a username and a password\n')).toMatch(
    /^HTTP\/1.1 407 .*Connection: keep-alive\r\n/s,
  )
  // Chromium asks with a request in absolute form first.
  socket.write('GET http://origin.test/ HTTP/1.1\r\nHost: origin.test\r\n\r\n')
  expect(await readPast(socket, 'a username and a password\n')).toMatch(/^HTTP\/1.1 407 /)
  socket.write(`${connect}${basic()}\r\n`)
  expect(await readPast(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  socket.write('GET /inside HTTP/1.1\r\nHost: origin.test\r\n\r\n')
  expect(await readPast(socket, '/inside ')).toContain('GET origin.test /inside')
})

test('the first bytes for the target may come with the request for the tunnel', async () => {
  const { front } = await startWithOrigin()
  const socket = await connectTo(front.port, { allowHalfOpen: true })
  socket.end(
    `CONNECT origin.test:80 HTTP/1.1\r\n${basic()}\r\nGET /early HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
  )
  expect(await readPast(socket, '/early ')).toContain('GET h /early')
})

test('a head may come byte by byte', async () => {
  const { front } = await startWithOrigin()
  const socket = await connectTo(front.port)
  socket.setNoDelay(true)
  for (const byte of `CONNECT origin.test:80 HTTP/1.1\r\n${basic()}\r\n`) socket.write(byte)
  expect(await readPast(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
})

test('what is no request is told so', async () => {
  const { front } = await startWithOrigin()
  for (const text of ['nonsense\r\n\r\n', 'CONNECT origin.test:80 HTTP/2\r\n\r\n', '\x16\x03\x01\r\n\r\n']) {
    const socket = await connectTo(front.port)
    socket.write(text)
    expect(await readPast(socket, 'bad_request')).toMatch(/^HTTP\/1.1 400 /)
  }
  const origin = await connectTo(front.port)
  origin.write(`GET / HTTP/1.1\r\nHost: x\r\n${basic()}\r\n`)
  expect(await readPast(origin, 'bad_target')).toMatch(/^HTTP\/1.1 400 /)
  const socks4 = await connectTo(front.port)
  socks4.write(Buffer.from([4, 1, 0, 80, 1, 2, 3, 4, 0]))
  expect(await readPast(socks4, '\x5b')).toBe('\0\x5b')
  expect((await tunnel(front.port, 'no-port')).status).toBe(400)
})

test('a target that switches protocols without being asked harms nobody', async () => {
  const origin = await startOrigin((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 101 Sure\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'))
  })
  const front = await startFront({ known: { 'evil.test': { address: '127.0.0.1', port: origin.port } } })
  const asked = `GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n${basic()}\r\n`
  const socket = await connectTo(front.port)
  // The second request waits behind the first.
  socket.write(asked + asked)
  expect(await readPast(socket, 'no valid answer\n')).toMatch(/^HTTP\/1.1 502 /)
  expect(await readPast(socket, 'no valid answer\n')).toContain('HTTP/1.1 502 ')
  expect((await tunnel(front.port, 'evil.test:80')).status).toBe(200)
})

test('an answer that comes before the whole upload reaches the client, whose connection goes on', async () => {
  const origin = await startOrigin((socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large'),
    )
  })
  const front = await startFront({ known: { 'origin.test': { address: '127.0.0.1', port: origin.port } } })
  const socket = await connectTo(front.port)
  const half = 'x'.repeat(50_000)
  const head = `POST http://origin.test/ HTTP/1.1\r\nHost: origin.test\r\n${basic()}Content-Length: 100000\r\n\r\n`
  socket.write(head + half)
  expect(await readPast(socket, 'too large')).toMatch(/^HTTP\/1.1 413 /)
  socket.write(half + head + half)
  expect(await readPast(socket, 'too large')).toContain('HTTP/1.1 413 ')
})
