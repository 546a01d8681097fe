import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AGENT, ANN, BEN, logIn } from '../support/product.ts'
import { createPhone } from '../support/phone.ts'
import type { ProductProcess } from '../support/process.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** Longer than a lease, on a busy machine. */
const TAKEN_OVER = { timeout: 60_000, interval: 100 }

describe.skipIf(withoutPostgres)('several servers on one PostgreSQL database', () => {
  it('answer a chat in order, whichever server Telegram calls', { timeout: 240_000 }, async () => {
    const balancer = await openBalancer()
    const shop = await openSeveralShop(10, { PUBLIC_URL: balancer.address, BOT_MODE: 'webhook' })
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), TAKEN_OVER)
    const second = await shop.start()
    balancer.servers.push(first, second)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    expect(balancer.calls.every((calls) => calls > 0)).toBe(true)

    await first.kill()
    balancer.servers.splice(0, 1)
    const phone = createPhone(shop.telegram, BEN)
    await logIn(phone, AGENT)
  })

  it('serve the bot by polling', { timeout: 240_000 }, async () => {
    const shop = await openSeveralShop(10)
    const server = await shop.start()
    await vi.waitUntil(() => leads(server), TAKEN_OVER)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    expect(await server.terminate()).toBe(0)
  })
})

/** What hands each call of Telegram to the next server. */
async function openBalancer() {
  const servers: ProductProcess[] = []
  const calls = [0, 0]
  const balancer = Fastify({ forceCloseConnections: true })
  balancer.post('/telegram/webhook', async ({ headers, body }, reply) => {
    const turn = calls.reduce((sum, count) => sum + count, 0) % Math.max(servers.length, 1)
    calls[turn] = (calls[turn] ?? 0) + 1
    const answer = await fetch(`${servers[turn]?.address}/telegram/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': String(headers['x-telegram-bot-api-secret-token']),
      },
      body: JSON.stringify(body),
    })
    return reply.code(answer.status).send()
  })
  await balancer.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => balancer.close())
  return { servers, calls, address: `http://127.0.0.1:${(balancer.server.address() as AddressInfo).port}` }
}
