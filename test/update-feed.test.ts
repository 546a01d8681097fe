import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { productVersion } from '../src/product-version.ts'
import { readUpdateFeed } from '../src/update-feed.ts'
import { PATIENCE } from './support/patience.ts'
import { startProduct } from './support/product.ts'
import { movableClock } from './support/service.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const HOUR = 3_600_000
const closing = new AbortController().signal

/** A server that lists versions, and what it was asked. */
async function feedServer(answer: { body: unknown; status?: number }) {
  const server = Fastify({ forceCloseConnections: true })
  const asked: { url: string; headers: object }[] = []
  server.get('/*', ({ url, headers }, reply) => {
    asked.push({ url, headers })
    return reply
      .code(answer.status ?? 200)
      .header('location', '/elsewhere')
      .send(answer.body)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const { port } = server.server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/releases`, port }
}

test('A newer version is told once and stands in the health; the shop tells nothing of itself', async () => {
  const answer: { body: unknown; status?: number } = {
    body: [
      { tag_name: 'v999.10.0-rc.1', body: 'soon' },
      { tag_name: 'v999.9.0', name: 'Nine' },
      { tag_name: 'v999.10.0', name: null, draft: false, prerelease: false },
      { tag_name: 'v1000.0.0', draft: true },
      { tag_name: '<b>1001.0.0</b>' },
    ],
  }
  const feed = await feedServer(answer)
  const clock = movableClock()
  const product = await startProduct({ clock }, { operatorChats: [OPS.id] })
  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor('Operator')
  const startAnew = async () => {
    await product.stop()
    await product.start({ updateFeed: feed.url })
  }
  await startAnew()
  const notice = await ops.waitFor('Version 999.10.0 is out', { evenOld: true })
  expect(notice.text).toContain(`This shop runs ${productVersion()}`)
  expect(feed.asked).toEqual([
    {
      url: '/releases',
      headers: {
        accept: 'application/json',
        'user-agent': 'proxy-reseller',
        host: `127.0.0.1:${feed.port}`,
        connection: 'close',
      },
    },
  ])
  // Read again on the next day, and not told again.
  answer.status = 302
  clock.advance(23 * HOUR)
  await startAnew()
  clock.advance(2 * HOUR)
  await vi.waitUntil(() => feed.asked.length === 2, PATIENCE)
  ops.send('/operator')
  await ops.press('⚙️ Set-up')
  await ops.press('🩺 Health')
  await vi.waitUntil(async () => {
    await ops.press('🔄 Refresh')
    return ops.screen().text.includes('999.10.0 is out (the check for updates failed)')
  }, PATIENCE)
  expect(feed.asked).toHaveLength(2)
  const told = product.telegram
    .messages(OPS.id)
    .filter(({ text }) => text.includes('Version 999.10.0 is out'))
  expect(told).toHaveLength(1)
  expect(product.log.filter((line) => line.includes('feed'))).toEqual([])
})

test('Nothing is read of private addresses, of what is too long, or no list of versions', async () => {
  const answer: { body: unknown; status?: number } = { body: { version: '1.2.0' } }
  const { url, asked } = await feedServer(answer)
  const read = (loopback = true) => readUpdateFeed({ url, loopback, closing })
  expect(await read()).toEqual(['1.2.0'])
  await expect(read(false)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
  expect(asked).toHaveLength(1)
  answer.body = [{ version: '1.2.0', notes: 'x'.repeat(3 * 1024 * 1024) }]
  await expect(read()).rejects.toThrow('longer than')
  answer.body = 'a page'
  await expect(read()).rejects.toThrow()
})
