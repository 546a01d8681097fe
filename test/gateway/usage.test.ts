import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Meters } from '../../src/gateway/meters.ts'
import { gatewayShop } from '../support/gateway-shop.ts'
import { download, opened, startOrigin, testGateway, tunnel } from '../support/gateway.ts'
import { PATIENCE } from '../support/patience.ts'
import { temporaryDirectory } from '../support/service.ts'
import { runningMs } from '../support/times.ts'
import { bytesIn, MB, sequences, serving, shopAndOrigin, upTo } from './serving.ts'

describe('what was used', () => {
  test('is counted to the byte within two seconds, by day and host', async () => {
    const { shop, gateway } = await serving()
    const today = () => new Date().toISOString().slice(0, 10)
    const day = today()
    const bytes = await download(await opened(gateway, 'alice'), 3 * MB)
    const begun = runningMs()
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
    expect(runningMs() - begun).toBeLessThan(2_000)
    const items = shop.counted.flatMap(({ batch }) => batch.items)
    // The test may run at midnight.
    for (const item of items) expect([day, today()]).toContain(item.day)
    expect(items.flatMap(({ targets }) => targets).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(bytes)
    expect(shop.problems).toEqual([])
  })

  test('ends at the limit to the byte, over many connections at once', async () => {
    const { shop, gateway } = await serving(10 * MB)
    const sockets = await Promise.all(Array.from({ length: 8 }, () => opened(gateway, 'alice')))
    const bytes = await Promise.all(sockets.map((socket) => download(socket, 5 * MB)))
    expect(bytes.reduce((sum, each) => sum + each)).toBe(10 * MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(10 * MB)
    expect(await tunnel(gateway, 'alice')).toMatchObject({ status: 402, reason: 'traffic_exhausted' })
    shop.add('alice', MB)
    await gateway.isReady()
  })

  test('is buffered while the shop is down, and counted once', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    shop.fault = 'down'
    shop.hangUp()
    const bytes = await download(socket, 2 * MB)
    const journal = join(gateway.data, 'journal')
    await expect.poll(async () => bytesIn(await readFile(journal, 'utf8')), PATIENCE).toBe(bytes)
    expect(shop.used('alice')).toBe(0)
    shop.fault = undefined
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
    expect(sequences(shop)).toEqual([upTo(shop.counted.length)])
  })

  test('is counted once when answers are lost', async () => {
    const { shop, gateway } = await serving(3 * MB)
    const socket = await opened(gateway, 'alice')
    shop.fault = 'lose_answers'
    const bytes = await download(socket, MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
    const posts = shop.posts
    await expect.poll(() => shop.posts, PATIENCE).toBeGreaterThan(posts)
    shop.fault = undefined
    // What the shop has counted already is not taken from the quota again.
    const rest = await download(await opened(gateway, 'alice'), 3 * MB)
    expect(bytes + rest).toBe(3 * MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(3 * MB)
    expect(sequences(shop)).toEqual([upTo(shop.counted.length)])
  })

  test('goes on in the same journal after a restart', async () => {
    const { shop, origin, gateway } = await serving()
    const first = await download(await opened(gateway, 'alice'), MB)
    await gateway.stop()
    expect(shop.used('alice')).toBe(first)
    expect(shop.counted.at(-1)?.batch.ended).toBe(true)
    const next = await testGateway({ shop, origin, data: gateway.data })
    await next.isReady()
    const second = await download(await opened(next, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(first + second)
    expect(sequences(shop)).toEqual([upTo(shop.counted.length)])
  })

  test('that is in the journal is posted after the restart, and taken from the quota until then', async () => {
    const { shop, origin, gateway } = await serving(3 * MB)
    const socket = await opened(gateway, 'alice')
    shop.fault = 'down'
    shop.hangUp()
    const first = await download(socket, MB)
    await gateway.stop()
    expect(shop.used('alice')).toBe(0)
    shop.fault = undefined
    const next = await testGateway({ shop, origin, data: gateway.data })
    await next.isReady()
    const second = await download(await opened(next, 'alice'), 3 * MB)
    expect(first + second).toBe(3 * MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(3 * MB)
  })

  test('in a damaged journal is kept for the operator', async () => {
    const { shop, origin } = await shopAndOrigin()
    const data = await temporaryDirectory()
    await writeFile(join(data, 'journal'), 'no journal\n')
    const gateway = await testGateway({ shop, origin, data })
    await gateway.isReady()
    expect(await readFile(join(data, 'journal.damaged'), 'utf8')).toBe('no journal\n')
    expect(gateway.lines.join('')).toContain('the journal of usage is damaged')
  })
})

describe('a flush', () => {
  test('suspends the account until the shop has counted', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    const asked = 'GET /20000000 HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n\r\n'
    socket.write(asked)
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    await once(socket, 'data')
    // Without that all might be there before the gateway hears of the flush.
    socket.pause()
    // What the shop does meanwhile takes time: the account stays suspended.
    const id = shop.flush('alice', { hold: true })
    await expect.poll(() => shop.counted.flatMap(({ batch }) => batch.flushed), PATIENCE).toContain(id)
    const used = shop.usedUpTo(id, 'alice')
    expect(used).toBeLessThan(20 * MB)
    // Nothing comes after it but what the shop allows.
    socket.resume()
    await expect.poll(() => asked.length + received, PATIENCE).toBe(used)
    expect(shop.used('alice')).toBe(used)
    shop.set('alice', { flush: null })
    await once(socket, 'close')
    await expect.poll(() => shop.used('alice'), PATIENCE).toBeGreaterThan(20 * MB)
  })

  test('lets no byte through while it is open', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    const id = shop.flush('alice', { hold: true })
    await expect.poll(() => shop.counted.flatMap(({ batch }) => batch.flushed), PATIENCE).toContain(id)
    const answer = once(socket, 'data')
    socket.write('GET /10 HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n\r\n')
    const asked = opened(gateway, 'alice')
    await expect.poll(() => shop.polls, PATIENCE).toBeGreaterThan(2)
    expect(shop.used('alice')).toBe(0)
    // Traffic was taken back meanwhile: what is left decides.
    shop.set('alice', { flush: null, remaining_bytes: 1_000 })
    await answer
    ;(await asked).destroy()
  })

  test('that disables the account ends its tunnels', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    const closed = once(socket, 'close')
    const id = shop.flush('alice', { hold: true })
    await expect.poll(() => shop.counted.flatMap(({ batch }) => batch.flushed), PATIENCE).toContain(id)
    shop.set('alice', { flush: null, status: 'disabled' })
    await closed
    expect(await tunnel(gateway, 'alice')).toMatchObject({ status: 407 })
  })
})

describe('the list of accounts', () => {
  test('may have many pages, and none is served before the last', async () => {
    const [shop, origin] = await Promise.all([gatewayShop({ pageSize: 2 }), startOrigin()])
    const names = ['alice', 'bob', 'carol', 'dave', 'eve']
    for (const name of names) shop.set(name, { remaining_bytes: MB })
    shop.setExits([{ kind: 'direct' }])
    const gateway = await testGateway({ shop, origin })
    await gateway.isReady()
    for (const name of names) (await opened(gateway, name)).destroy()
    expect(shop.problems).toEqual([])
  })

  test('tells of new passwords, and of accounts that are gone', async () => {
    const { shop, gateway } = await serving()
    const closed = once(await opened(gateway, 'alice'), 'close')
    shop.set('alice', { password: 'another one' })
    await expect.poll(async () => (await tunnel(gateway, 'alice')).status, PATIENCE).toBe(407)
    shop.remove('alice')
    await closed
  })
})

describe('a batch', () => {
  test('is one of several when there is more than a request may hold', async () => {
    const meters = new Meters()
    const names = Array.from({ length: 3_000 }, (_, index) => `account${index}`)
    for (const name of names) {
      const meter = meters.of(name)
      meter.targets = true
      meter.know(1_000, 0, 1)
      expect(meter.take(10, `${'x'.repeat(200)}.example`)).toBe(10)
    }
    const batches: ReturnType<Meters['drain']>[] = []
    do batches.push(meters.drain(batches.length + 1))
    while (batches.at(-1)?.isFull)
    expect(batches.length).toBeGreaterThan(3)
    expect(
      batches
        .flatMap(({ items }) => items)
        .map(({ account }) => account)
        .toSorted(),
    ).toEqual(names.toSorted())
    for (const { items } of batches) expect(JSON.stringify(items).length).toBeLessThan(200_000)
  })
})

describe('without the shop', () => {
  afterEach(() => void vi.restoreAllMocks())

  test('new connections are refused after a minute, and open ones end after five', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    const closed = once(socket, 'close')
    shop.fault = 'down'
    shop.hangUp()
    const begun = performance.now()
    const after = (seconds: number) => vi.spyOn(performance, 'now').mockReturnValue(begun + 1_000 * seconds)
    after(50)
    expect(await tunnel(gateway, 'alice')).toMatchObject({ status: 200 })
    after(60)
    await expect
      .poll(() => tunnel(gateway, 'alice'), PATIENCE)
      .toMatchObject({ status: 503, reason: 'shop_unreachable' })
    expect(socket.destroyed).toBe(false)
    after(300)
    await closed
    vi.restoreAllMocks()
    shop.fault = undefined
    await gateway.isReady()
  })

  test('nobody is served before the shop was heard', async () => {
    const { shop, origin } = await shopAndOrigin()
    shop.fault = 'down'
    const gateway = await testGateway({ shop, origin })
    expect(await tunnel(gateway, 'alice')).toMatchObject({ status: 503, reason: 'shop_unreachable' })
    shop.fault = undefined
    await gateway.isReady()
  })
})

describe('another gateway', () => {
  test('that serves the shop ends this one, until that one has gone', async () => {
    const { shop, gateway } = await serving()
    const socket = await opened(gateway, 'alice')
    const closed = once(socket, 'close')
    shop.takenBy('another-gateway-0')
    shop.hangUp()
    await closed
    expect(await tunnel(gateway, 'alice')).toMatchObject({ status: 503, reason: 'shop_unreachable' })
    shop.takenBy(undefined)
    await gateway.isReady()
  })

  test('cannot have the same folder', async () => {
    const { shop, origin, gateway } = await serving()
    await expect(testGateway({ shop, origin, data: gateway.data })).rejects.toThrow(
      'Another gateway is running',
    )
  })

  test('may begin at once when this one has ended', async () => {
    const { shop, origin, gateway } = await serving()
    await gateway.stop()
    const next = await testGateway({ shop, origin })
    await next.isReady()
    // It did not have to wait for its turn.
    expect(next.lines.join('')).not.toContain('the shop does not answer as it should')
  })
})

describe('the stop', () => {
  test('lets open tunnels come to their end, and tells all that they used', async () => {
    const { shop, gateway } = await serving(100 * MB, { drainMs: 60_000 })
    const socket = await opened(gateway, 'alice')
    const stopped = gateway.end()
    await expect.poll(() => tunnel(gateway, 'alice').catch(() => 'refused'), PATIENCE).toBe('refused')
    const bytes = await download(socket, 2 * MB)
    await stopped
    expect(shop.used('alice')).toBe(bytes)
    expect(shop.counted.at(-1)?.batch).toMatchObject({ ended: true, gateway: { connections: 0 } })
  })

  test('breaks off what does not end', async () => {
    const { gateway } = await serving(100 * MB, { drainMs: 50 })
    const closed = once(await opened(gateway, 'alice'), 'close')
    await gateway.end()
    await closed
  })
})

describe('a clock that jumps', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([-86_400_000, 86_400_000])('by %d ms changes the day of use, and nothing else', async (jump) => {
    const { shop, gateway } = await serving(100 * MB)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump })
    const day = new Date().toISOString().slice(0, 10)
    const bytes = await download(await opened(gateway, 'alice'), MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
    expect(new Set(shop.counted.flatMap(({ batch }) => batch.items).map((item) => item.day))).toEqual(
      new Set([day]),
    )
    await gateway.isReady()
  })
})
