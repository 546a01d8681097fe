import { createServer, request } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startProxies } from '../../../src/emulators/supplier/proxies.ts'
import type { Instance } from '../../../src/emulators/supplier/types.ts'
import { startSupplier } from '../../support/supplier.ts'

/** A supplier with two proxies, and a server on this machine that they may reach. */
async function start() {
  const { supplier } = await startSupplier()
  supplier.setProduct({ productNo: 'p' })
  supplier.openElsewhere('p', 2)
  await supplier.tick()
  const proxies = await startProxies(supplier.instances)
  onTestFinished(() => proxies.close())

  const seen: string[] = []
  const target = createServer((asked, response) => {
    seen.push(`${asked.method} ${asked.url} ${asked.headers['proxy-authorization'] ?? 'no credentials'}`)
    response.end('hello')
  })
  await new Promise<void>((resolve) => void target.listen({ host: '127.0.0.1', port: 0 }, resolve))
  onTestFinished(() => {
    target.closeAllConnections()
    return new Promise<void>((resolve) => void target.close(() => resolve()))
  })
  const [first, second] = supplier.instances()
  const { port } = target.address() as AddressInfo
  return { supplier, proxies, first: first!, second: second!, port, seen }
}

const basic = ({ username, password }: Pick<Instance, 'username' | 'password'>) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** What a proxy answers to CONNECT, and its connection. */
function tunnel(proxyPort: number, path: string, credentials?: Pick<Instance, 'username' | 'password'>) {
  return new Promise<{ status: number; socket: Socket }>((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port: proxyPort,
      method: 'CONNECT',
      path,
      agent: false,
      headers: credentials ? { 'proxy-authorization': basic(credentials) } : {},
    })
    asked.once('connect', ({ statusCode = 0 }, socket: Socket) => resolve({ status: statusCode, socket }))
    asked.once('error', reject)
    asked.end()
  })
}

/** A GET in absolute form. */
function forwarded(proxyPort: number, url: string, credentials: Pick<Instance, 'username' | 'password'>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port: proxyPort,
      path: url,
      agent: false,
      headers: { host: new URL(url).host, 'proxy-authorization': basic(credentials) },
    })
    asked.once('response', (response) => {
      void buffer(response).then((body) =>
        resolve({ status: response.statusCode ?? 0, body: body.toString() }),
      )
    })
    asked.once('error', reject)
    asked.end()
  })
}

async function getThrough(socket: Socket): Promise<string> {
  socket.write('GET /through HTTP/1.1\r\nhost: target\r\nconnection: close\r\n\r\n')
  return (await buffer(socket)).toString()
}

/** SOCKS5 with username and password, all at once. */
async function socks(
  proxyPort: number,
  { username, password }: Pick<Instance, 'username' | 'password'>,
  target: Buffer,
  methods = [0x02],
): Promise<{ answer: Buffer; body: string }> {
  const socket = connect(proxyPort, '127.0.0.1')
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
  socket.write(
    Buffer.concat([
      Buffer.from([5, methods.length, ...methods]),
      Buffer.from([1]),
      text(username),
      text(password),
      Buffer.from([5, 1, 0]),
      target,
      Buffer.from('GET /socks HTTP/1.1\r\nhost: target\r\nconnection: close\r\n\r\n'),
    ]),
  )
  const all = await buffer(socket)
  return { answer: all.subarray(0, 14), body: all.subarray(14).toString() }
}

const portBytes = (port: number) => Buffer.from([port >> 8, port & 255])

it('carry a tunnel, and a request in absolute form', async () => {
  const { proxies, first, second, port, seen } = await start()
  const { status, socket } = await tunnel(proxies.port, `127.0.0.1:${port}`, first)
  expect(status).toBe(200)
  expect(await getThrough(socket)).toMatch(/^HTTP\/1.1 200 OK[^]*hello/)
  expect(await forwarded(proxies.port, `http://localhost:${port}/a?b=c`, second)).toEqual({
    status: 200,
    body: 'hello',
  })
  expect(seen).toEqual(['GET /through no credentials', 'GET /a?b=c no credentials'])
  expect([proxies.carried(first.ip), proxies.carried(second.ip)]).toEqual([1, 1])
})

it('carry SOCKS5 to an address and to a name', async () => {
  const { proxies, first, port } = await start()
  const byAddress = await socks(proxies.port, first, Buffer.from([1, 127, 0, 0, 1, ...portBytes(port)]))
  expect(byAddress.answer).toEqual(Buffer.from([5, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  expect(byAddress.body).toMatch(/^HTTP\/1.1 200 OK[^]*hello/)
  const name = Buffer.from('localhost')
  const byName = await socks(proxies.port, first, Buffer.concat([Buffer.from([3, 9]), name, portBytes(port)]))
  expect(byName.body).toContain('hello')
})

it('let in nobody with other credentials, or after the end of the proxy', async () => {
  const { supplier, proxies, first, second, port } = await start()
  const target = `127.0.0.1:${port}`
  const strangers = [undefined, { ...first, password: 'other' }, { ...first, password: second.password }]
  for (const stranger of strangers) expect((await tunnel(proxies.port, target, stranger)).status).toBe(407)
  const wrong = await socks(proxies.port, { ...first, password: 'x' }, Buffer.from([1, 127, 0, 0, 1, 0, 80]))
  expect(wrong.answer).toEqual(Buffer.from([5, 2, 1, 1]))
  const withoutPassword = await socks(proxies.port, first, Buffer.from([1, 127, 0, 0, 1, 0, 80]), [0])
  expect(withoutPassword.answer).toEqual(Buffer.from([5, 0xff]))
  supplier.setInstance(first.instanceNo, { status: 11 })
  expect((await tunnel(proxies.port, target, first)).status).toBe(407)
})

it('reach this machine only', async () => {
  const { proxies, first } = await start()
  expect((await tunnel(proxies.port, '192.0.2.1:80', first)).status).toBe(403)
  expect((await forwarded(proxies.port, 'http://example.com/', first)).status).toBe(403)
  const { answer } = await socks(proxies.port, first, Buffer.from([1, 192, 0, 2, 1, 0, 80]))
  expect(answer.subarray(4, 6)).toEqual(Buffer.from([5, 2]))
})

it('tell a target that cannot be reached', async () => {
  const { proxies, first } = await start()
  const unused = createServer()
  await new Promise<void>((resolve) => void unused.listen({ host: '127.0.0.1', port: 0 }, resolve))
  const { port } = unused.address() as AddressInfo
  await new Promise<void>((resolve) => void unused.close(() => resolve()))
  expect((await tunnel(proxies.port, `127.0.0.1:${port}`, first)).status).toBe(502)
})

it('may be dead or slow, each for itself', async () => {
  const { proxies, first, second, port } = await start()
  const target = `127.0.0.1:${port}`
  proxies.dead(first.ip)
  await expect(tunnel(proxies.port, target, first)).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect((await tunnel(proxies.port, target, second)).status).toBe(200)
  proxies.dead(first.ip, false)
  proxies.slow(first.ip, 50)
  const from = performance.now()
  expect((await tunnel(proxies.port, target, first)).status).toBe(200)
  // Timers may be a millisecond early.
  expect(performance.now() - from).toBeGreaterThan(48)
})
