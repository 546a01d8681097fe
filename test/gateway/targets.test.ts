import { describe, expect, test } from 'vitest'
import { Targets } from '../../src/gateway/targets.ts'
import { basic, connectTo, readPast, startFront, startOrigin, tunnel } from '../support/gateway-front.ts'

const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::2]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[4000::1]',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'localhost.localdomain',
  'printer.local',
  'metadata.google.internal',
  'router.home.arpa',
]

const NO_TARGETS = [
  '',
  ':80',
  'a:0',
  'a:65536',
  'a:80x',
  'a/b:80',
  'a@b:80',
  'a?b:80',
  'a..b:80',
  '1.2.3.4.5:80',
  '[::1',
  '[::1%25lo]:80',
  `${'a.'.repeat(127)}aa:80`,
]

describe('refused', () => {
  test.each(PRIVATE)('%s', async (host) => {
    const front = await startFront()
    const { status, head } = await tunnel(front.port, `${host}:8080`)
    expect([status, head]).toEqual([403, expect.stringContaining('X-Gateway-Error: target_refused')])
    const socket = await connectTo(front.port)
    socket.write(`GET http://${host}:8080/ HTTP/1.1\r\nHost: x\r\n${basic()}\r\n`)
    expect(await readPast(socket, '\r\n\r\n')).toContain('X-Gateway-Error: target_refused')
    expect(front.wishes).toEqual([])
  })

  test.each([25, 465, 587])('port %i', async (port) => {
    const front = await startFront({ known: { 'mail.test': { address: '127.0.0.1' } } })
    const { status, head } = await tunnel(front.port, `mail.test:${port}`)
    expect([status, head]).toEqual([403, expect.stringContaining('X-Gateway-Error: port_refused')])
  })

  test.each(NO_TARGETS)('no target: "%s"', async (authority) => {
    const front = await startFront()
    const { status, head } = await tunnel(front.port, authority || '""')
    expect([status, head]).toEqual([400, expect.stringContaining('X-Gateway-Error: bad_target')])
  })

  test.each([
    ['an IPv4 address', [1, 127, 0, 0, 1]],
    ['an IPv6 address', [4, ...Array(15).fill(0), 1]],
    ['an IPv4 address within IPv6', [4, ...Array(10).fill(0), 255, 255, 10, 0, 0, 1]],
    ['a name', [3, 9, ...Buffer.from('localhost')]],
    ['a spelling as a name', [3, 8, ...Buffer.from('0x7f.0.1')]],
  ])('over SOCKS5: %s', async (_, address: number[]) => {
    const front = await startFront()
    const socket = await connectTo(front.port)
    socket.write(Buffer.from('\x05\x01\x02\x01\x05alice\x06secret', 'latin1'))
    socket.write(Buffer.from([5, 1, 0, ...address, 0x1f, 0x90]))
    const replies = Buffer.from(await readPast(socket, '\x01\0\0\0\0\0\0'))
    expect([...replies]).toEqual([5, 2, 1, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0].slice(0, replies.length))
  })
})

test('over SOCKS5, what is not supported is told', async () => {
  const front = await startFront()
  for (const [request, code] of [
    [[5, 2, 0, 1, 1, 2, 3, 4, 0, 80], 7],
    [[5, 1, 0, 9, 1, 2, 3, 4, 0, 80], 8],
  ] as const) {
    const socket = await connectTo(front.port)
    socket.write(Buffer.from('\x05\x01\x02\x01\x05alice\x06secret', 'latin1'))
    socket.write(Buffer.from(request))
    expect([...Buffer.from(await readPast(socket, '\x01\0\0\0\0\0\0'))].slice(4, 6)).toEqual([5, code])
  }
})

describe('a name of another alphabet', () => {
  const ways: Readonly<Record<string, (host: Buffer) => Buffer>> = {
    CONNECT: (host) =>
      Buffer.concat([Buffer.from('CONNECT '), host, Buffer.from(`:80 HTTP/1.1\r\n${basic()}\r\n`)]),
    SOCKS5: (host) =>
      Buffer.concat([
        Buffer.from('\x05\x01\x02\x01\x05alice\x06secret\x05\x01\x00\x03', 'latin1'),
        Buffer.from([host.length]),
        host,
        Buffer.from([0, 80]),
      ]),
  }

  test.each(Object.keys(ways))('is read as UTF-8, by %s', async (way) => {
    const names: string[] = []
    const front = await startFront({ resolve: async (name) => (names.push(name), ['10.0.0.1']) })
    for (const host of ['b\xfccher.example', 'd\xe0.example', '\u4f8b\u3048.example', 'B\xdcCHER.example.']) {
      const socket = await connectTo(front.port)
      socket.write(ways[way]!(Buffer.from(host)))
      const refused = way === 'SOCKS5' ? '\x05\x02\x00\x01' : 'target_refused'
      await readPast(socket, refused)
    }
    const bucher = 'xn--bcher-kva.example'
    expect(names).toEqual([bucher, 'xn--d-sfa.example', 'xn--r8jz45g.example', bucher])
  })

  test.each(Object.keys(ways))('that is not in UTF-8 is refused, by %s', async (way) => {
    const front = await startFront()
    const socket = await connectTo(front.port)
    socket.write(ways[way]!(Buffer.from('b\xfccher.example', 'latin1')))
    await readPast(socket, way === 'SOCKS5' ? '\x05\x08\x00\x01' : 'bad_target: the host is not in UTF-8')
    expect(front.wishes).toEqual([])
  })

  test('is no URL, in which it is written in ASCII', async () => {
    const front = await startFront({ resolve: async () => ['10.0.0.1'] })
    for (const [host, answer] of [
      ['b\xfccher.example', 'bad_request'],
      ['b%C3%BCcher.example', 'target_refused'],
      ['b%FCcher.example', 'bad_target'],
    ] as const) {
      const socket = await connectTo(front.port)
      socket.write(`GET http://${host}/ HTTP/1.1\r\nHost: x\r\n${basic()}\r\n`)
      await readPast(socket, `${answer}: `)
    }
    expect(front.wishes).toHaveLength(1)
  })
})

describe('the direct exit', () => {
  test('refuses a name when one of its addresses is private', async () => {
    const front = await startFront({ resolve: async () => ['93.184.216.34', '10.0.0.1'] })
    const { status, head } = await tunnel(front.port, 'rebind.example:80')
    expect([status, head]).toEqual([403, expect.stringContaining('target_refused')])
  })

  test('resolves once: what the name means later changes nothing', async () => {
    let asked = 0
    const origin = await startOrigin(() => {})
    const resolve = async () => ((asked += 1) === 1 ? ['192.0.2.1'] : ['127.0.0.1'])
    const front = await startFront({ resolve })
    expect((await tunnel(front.port, `rebind.example:${origin.port}`)).status).toBe(403)
    expect(asked).toBe(1)
    expect(origin.sockets.size).toBe(0)
  })

  test('refuses addresses under which this machine is reached', () => {
    const targets = new Targets({ own: ['93.184.216.34'] })
    expect(targets.mayReach('93.184.216.34')).toBe(false)
    expect(targets.mayReach('::ffff:93.184.216.34')).toBe(false)
    expect(targets.mayReach('93.184.216.35')).toBe(true)
    expect(targets.mayReach('2606:2800:220:1::1')).toBe(true)
  })

  test.each([
    ['ENOTFOUND', 502, 'target_unreachable'],
    ['ETIMEOUT', 504, 'target_timeout'],
  ])('a name that is not resolved (%s): %i', async (code, status, reason) => {
    const resolve = () => Promise.reject(Object.assign(new Error('no address'), { code }))
    const front = await startFront({ resolve })
    const answer = await tunnel(front.port, 'nowhere.example:80')
    expect([answer.status, answer.head]).toEqual([status, expect.stringContaining(reason)])
    expect(answer.head).not.toContain('no address')
  })

  test('a name server that is silent: 504', async () => {
    const front = await startFront({ resolve: () => new Promise(() => {}), timeoutMs: 50 })
    expect((await tunnel(front.port, 'slow.example:80')).head).toContain('504 Gateway Timeout')
  })

  test('a target that refuses connections: 502, over SOCKS5 code 5', async () => {
    const front = await startFront({ known: { 'closed.test': { address: '127.0.0.1', port: 1 } } })
    expect((await tunnel(front.port, 'closed.test:80')).head).toContain('X-Gateway-Error: target_unreachable')
    const socket = await connectTo(front.port)
    socket.write(
      Buffer.from('\x05\x01\x02\x01\x05alice\x06secret\x05\x01\x00\x03\x0bclosed.test\x00\x50', 'latin1'),
    )
    expect([...Buffer.from(await readPast(socket, '\x01\0\0\0\0\0\0'))].slice(4, 6)).toEqual([5, 5])
  })
})
