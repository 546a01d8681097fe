import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { finished, startChild } from '../support/children.ts'
import { GATEWAY_TOKEN } from '../support/gateway-shop.ts'
import {
  download,
  gatewayProcess,
  isReady,
  opened,
  openedSoon,
  startExit,
  tunnel,
} from '../support/gateway.ts'
import { PATIENCE } from '../support/patience.ts'
import { temporaryDirectory } from '../support/service.ts'
import { root } from '../support/tethered.ts'
import { runningMs } from '../support/times.ts'
import { MB, shopAndOrigin } from './serving.ts'

const MAIN = `${root}dist/gateway/main.js`

/** A download that goes on until the tunnel ends, at some megabytes a second; how much has arrived. */
async function endlessDownload(gateway: { port: number }) {
  const socket = await opened(gateway, 'alice')
  const state = { received: 0, closed: once(socket, 'close') }
  socket.on('data', (chunk: Buffer) => {
    state.received += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  socket.write(`GET /${500 * MB} HTTP/1.1\r\nHost: origin\r\n\r\n`)
  return state
}

describe('kill -9', () => {
  test('in the middle of a download counts nothing twice, and loses a second at most', async () => {
    const { shop, origin } = await shopAndOrigin()
    const data = await temporaryDirectory()
    const first = await gatewayProcess({ shop, origin, data })
    await isReady(first)
    const going = await endlessDownload(first)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBeGreaterThan(0)
    // From now on nothing is posted: what was used is in the journal only.
    shop.fault = 'down'
    shop.hangUp()
    const begun = going.received
    await expect.poll(() => going.received, PATIENCE).toBeGreaterThan(begun + 2 * MB)
    const aSecondAgo = await countdown(() => going.received)
    await first.kill()
    await going.closed
    shop.fault = undefined
    const next = await gatewayProcess({ shop, origin, data })
    await isReady(next)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBeGreaterThanOrEqual(aSecondAgo)
    // What the killed process had taken and not handed to the system yet.
    const underWay = MB / 2
    expect(shop.used('alice')).toBeLessThanOrEqual(going.received + underWay)
    const numbers = shop.counted.map(({ batch }) => batch.sequence)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(new Set(shop.counted.map(({ gateway }) => gateway)).size).toBe(1)
    expect(shop.problems).toEqual([])
  })
})

/** What a figure was a bit more than a second before now. */
async function countdown(figure: () => number): Promise<number> {
  const [then, begun] = [figure(), runningMs()]
  await expect.poll(() => runningMs() - begun, PATIENCE).toBeGreaterThan(1_500)
  return then
}

describe('several workers', () => {
  test('end at the limit to the byte', async () => {
    const { shop, origin } = await shopAndOrigin(20 * MB)
    const gateway = await gatewayProcess({ shop, origin, workers: 3 })
    await isReady(gateway)
    const sockets = await Promise.all(Array.from({ length: 9 }, () => opened(gateway, 'alice')))
    // All have asked before any of them gets something: otherwise the last one may find nothing left.
    origin.waitFor(9)
    const bytes = await Promise.all(sockets.map((socket) => download(socket, 10 * MB)))
    expect(bytes.reduce((sum, each) => sum + each)).toBe(20 * MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(20 * MB)
    const exhausted = { status: 402, reason: 'traffic_exhausted' }
    for (let index = 0; index < 6; index += 1) expect(await tunnel(gateway, 'alice')).toMatchObject(exhausted)
    shop.add('alice', MB)
    await isReady(gateway)
    expect(shop.problems).toEqual([])
  })

  test('report what they used before a flush ends, and stay suspended until then', async () => {
    const { shop, origin } = await shopAndOrigin()
    const gateway = await gatewayProcess({ shop, origin, workers: 2 })
    await isReady(gateway)
    const sockets = await Promise.all(Array.from({ length: 4 }, () => opened(gateway, 'alice')))
    const bytes = await Promise.all(sockets.slice(1).map((socket) => download(socket, MB)))
    const used = bytes.reduce((sum, each) => sum + each)
    const id = shop.flush('alice', { hold: true })
    await expect.poll(() => shop.counted.flatMap(({ batch }) => batch.flushed), PATIENCE).toContain(id)
    expect(shop.usedUpTo(id, 'alice')).toBe(used)
    shop.set('alice', { flush: null, remaining_bytes: MB })
    const [last] = sockets
    expect(last && (await download(last, 2 * MB))).toBe(MB)
  })

  test('are replaced when one dies, and nothing is counted twice', async () => {
    const { shop, origin } = await shopAndOrigin(50 * MB)
    const gateway = await gatewayProcess({ shop, origin, workers: 2 })
    await isReady(gateway)
    const first = await download(await opened(gateway, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first)
    const [worker] = gateway.workers()
    if (worker !== undefined) process.kill(worker, 'SIGKILL')
    await expect.poll(() => gateway.workers().length, PATIENCE).toBe(2)
    await expect.poll(() => gateway.workers(), PATIENCE).not.toContain(worker)
    const sockets = await Promise.all(Array.from({ length: 4 }, () => openedSoon(gateway, 'alice')))
    origin.waitFor(4)
    const rest = await Promise.all(sockets.map((socket) => download(socket, 20 * MB)))
    expect(rest.reduce((sum, each) => sum + each)).toBe(50 * MB - first)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(50 * MB)
  })

  test('keep a session at the same exit', async () => {
    const { shop, origin } = await shopAndOrigin()
    const exits = await Promise.all([startExit(origin), startExit(origin), startExit(origin)])
    shop.setExits(exits.map(({ url }) => ({ url })))
    const gateway = await gatewayProcess({ shop, origin, workers: 3 })
    await isReady(gateway, 'alice-session-abcdef')
    for (let index = 0; index < 6; index += 1) (await opened(gateway, 'alice-session-abcdef')).destroy()
    expect(exits.map(({ usernames }) => usernames.length).toSorted((a, b) => a - b)).toEqual([0, 0, 7])
  })

  test('end with the process that counts', async () => {
    const { shop, origin } = await shopAndOrigin()
    const gateway = await gatewayProcess({ shop, origin, workers: 2 })
    await isReady(gateway)
    const bytes = await download(await opened(gateway, 'alice'), MB)
    expect(await gateway.terminate()).toBe(0)
    expect(shop.used('alice')).toBe(bytes)
    expect(shop.counted.at(-1)?.batch).toMatchObject({ ended: true, gateway: { workers: 2 } })
  })
})

describe('the process', () => {
  test('ends in order on SIGTERM', async () => {
    const { shop, origin } = await shopAndOrigin()
    const gateway = await gatewayProcess({ shop, origin })
    await isReady(gateway)
    const bytes = await download(await opened(gateway, 'alice'), MB)
    expect(await gateway.terminate()).toBe(0)
    expect(shop.used('alice')).toBe(bytes)
    expect(shop.counted.at(-1)?.batch.ended).toBe(true)
    expect(gateway.output()).not.toContain(GATEWAY_TOKEN)
  })

  test('ends when the one that started it is gone', async () => {
    const { shop, origin } = await shopAndOrigin()
    const script = `
      const child = require('node:child_process').fork(process.argv[1], { env: { ...process.env, NODE_OPTIONS: '' }, silent: true })
      child.on('message', ({ port }) => process.stdout.write(JSON.stringify({ port, pid: child.pid }) + '\\n'))`
    const parent = startChild(process.execPath, ['-e', script, MAIN], {
      cwd: await temporaryDirectory(),
      env: {
        GATEWAY_PORT: '0',
        GATEWAY_SHOP_URL: shop.url,
        GATEWAY_TOKEN,
        GATEWAY_DATA: 'gateway',
        GATEWAY_KNOWN_TARGETS: `origin.example=127.0.0.1:${origin.port}`,
      },
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const { port, pid } = JSON.parse(line.toString()) as { port: number; pid: number }
    await isReady({ port })
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), PATIENCE).toBe(false)
    expect(shop.counted.at(-1)?.batch.ended).toBe(true)
  })

  test('says all that is wrong with its settings', async () => {
    const child = startChild(process.execPath, [MAIN], {
      cwd: await temporaryDirectory(),
      env: { GATEWAY_SHOP_URL: 'http://shop.example.com', GATEWAY_PORT: 'x', GATEWAY_WORKERS: '0' },
    })
    const { status, stderr } = await finished(child)
    expect(status).toBe(1)
    expect(stderr).toBe(
      [
        'The configuration of the gateway cannot be used:',
        '  - GATEWAY_PORT must be a whole number',
        '  - GATEWAY_SHOP_URL must be https; http is for this machine and private networks only',
        '  - GATEWAY_TOKEN is missing: "npm run operator -- gateway token" shows it',
        '  - GATEWAY_WORKERS must be from 1 to 64',
        '',
      ].join('\n'),
    )
  })

  test.each(['1', '2'])('says that its port is taken, with %s workers', async (workers) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const child = startChild(process.execPath, [MAIN], {
      cwd: await temporaryDirectory(),
      env: {
        GATEWAY_PORT: String(port),
        GATEWAY_SHOP_URL: 'http://127.0.0.1:9',
        GATEWAY_TOKEN,
        GATEWAY_WORKERS: workers,
      },
    })
    const { status, stderr } = await finished(child)
    taken.close()
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `The gateway cannot listen on 127.0.0.1:${port}: the port is taken.\n`,
    })
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
