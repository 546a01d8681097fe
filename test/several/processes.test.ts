import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../../src/emulators/telegram/types.ts'
import { AGENT, ANN, BEN, logIn, SECRET } from '../support/product.ts'
import { beside } from '../support/beside.ts'
import { createPhone } from '../support/phone.ts'
import { openBalancer } from '../support/balancer.ts'
import { createBuyer } from './buyer.ts'
import { leads, metricOf, openSeveralShop, withoutPostgres } from './several-shop.ts'
import { openQuietNetwork } from './quiet-network.ts'

const LIMIT = { timeout: 240_000 }
/** Fewer than one chat may send at once. */
const MESSAGES = 12
/** Longer than a lease, on a busy machine. */
const TAKEN_OVER = { timeout: 60_000, interval: 100 }
const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
/** Updates that are kept or were handled. */
const KNOWN = 'SELECT update_id FROM inbox_updates UNION SELECT update_id FROM handled_updates'
/** A call that Telegram delays takes three of the longest pauses that the bot waits for. */
const HANGING: Fault = { method: 'sendMessage', kind: 'too-many-requests', retryAfter: 8, times: 1_000 }

describe.skipIf(withoutPostgres)('several servers on one PostgreSQL database', () => {
  it('answer a chat in order, whichever server Telegram calls', LIMIT, async () => {
    const { shop, balancer, first } = await openWithWebhook()
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    for (const server of balancer.servers) expect(balancer.answeredBy(server)).toBeGreaterThan(0)

    await first.kill()
    balancer.servers.splice(0, 1)
    const phone = createPhone(shop.telegram, BEN)
    await logIn(phone, AGENT)
  })

  it('answer the messages of a chat in order, though the leader is killed between them', LIMIT, async () => {
    const { shop, first } = await openWithWebhook(MESSAGES)
    const buyer = createBuyer(first)
    await buyer.buy(MESSAGES, 'asked for')
    const orders = [...buyer.accepted.values()]
    const phone = createPhone(shop.telegram, ANN)
    await logIn(phone, AGENT)

    const answers = new Set<string>()
    shop.telegram.subscribe((event) => {
      if (event.type !== 'message' && event.type !== 'edit') return
      for (const orderNo of orders)
        if (new RegExp(`\\b${orderNo}\\b`).test(event.message.text) && event.message.from === 'bot')
          answers.add(orderNo)
    })
    for (const orderNo of orders) phone.send(orderNo)
    await vi.waitUntil(() => answers.size > 0, TAKEN_OVER)
    await first.kill()
    await vi.waitUntil(() => answers.size === orders.length, TAKEN_OVER)
    expect([...answers]).toEqual(orders)
    const { rows } = await beside({ database: shop.url })
    await vi.waitUntil(async () => (await rows('SELECT * FROM inbox_updates')).length === 0, TAKEN_OVER)
  })

  it('end in time though an update hangs, which the next leader handles', LIMIT, async () => {
    const { shop, first, second } = await openWithWebhook()
    const phone = createPhone(shop.telegram, ANN)
    shop.telegram.inject(HANGING)
    phone.send('/help')
    await vi.waitUntil(() => shop.telegram.calls().some(({ refused }) => refused), TAKEN_OVER)
    expect(await first.terminate()).toBe(0)
    shop.telegram.clearFaults()
    await phone.waitFor('Help')
    expect(leads(second)).toBe(true)
  })

  it(
    'handle an update once, though Telegram has not heard the answer and another server leads',
    LIMIT,
    async () => {
      const { shop, balancer, first, second } = await openWithWebhook()
      const phone = createPhone(shop.telegram, ANN)
      phone.send('/help')
      await phone.waitFor('Help')
      const { rows } = await beside({ database: shop.url })
      await vi.waitUntil(async () => (await rows('SELECT FROM inbox_updates')).length === 0, TAKEN_OVER)
      await first.kill()
      balancer.servers.splice(0, 1)
      shop.telegram.clearCalls()
      expect(await balancer.repeat()).toBe(200)
      await vi.waitUntil(() => leads(second), TAKEN_OVER)
      // Comes after it in the chat.
      phone.send('/language')
      await phone.waitFor('Language')
      expect(
        shop.telegram.calls().filter(({ parameters }) => /Help/.test(String(parameters['text']))),
      ).toEqual([])
    },
  )

  it('keep an update by itself that comes while a server takes the lead', LIMIT, async () => {
    const shop = await openSeveralShop(0, { PUBLIC_URL: 'https://shop.example', BOT_MODE: 'webhook' })
    const network = await openQuietNetwork(shop.url)
    const turn = await beside({ database: shop.url })
    const { run, rows } = await beside({ database: shop.url })
    await run("UPDATE leader SET until = 'infinity'")
    const server = await shop.start({ DATABASE_URL: network.url })
    await turn.lock()
    await run("UPDATE leader SET until = '-infinity'")
    await vi.waitUntil(async () => (await rows(WAITING)).length > 0, TAKEN_OVER)
    const answer = fetch(`${server.address}/telegram/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
      body: JSON.stringify({ update_id: 1, message: {} }),
    })
    // What arrived before is in hand when this is answered.
    await fetch(`${server.address}/healthz`)
    await turn.run('ROLLBACK')
    expect((await answer).status).toBe(200)
    network.breakOff()
    expect(await rows(KNOWN)).toHaveLength(1)
    await vi.waitUntil(() => leads(server), TAKEN_OVER)
  })

  it('end in time though the leader has not reached Telegram yet', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    shop.telegram.inject({ method: 'getMe', kind: 'silence', times: 1_000 })
    const server = await shop.start()
    await vi.waitUntil(() => shop.telegram.calls().length > 0, TAKEN_OVER)
    expect(await server.terminate()).toBe(0)
  })

  it('answer a chat while many updates of others hang', LIMIT, async () => {
    const { shop, second } = await openWithWebhook()
    for (let id = 1; id <= 10; id += 1) {
      shop.telegram.inject({ ...HANGING, chatId: id })
      const phone = createPhone(shop.telegram, { ...ANN, id })
      for (let sent = 0; sent < 20; sent += 1) phone.send('/help')
    }
    const { rows } = await beside({ database: shop.url })
    const waiting = async () => (await rows('SELECT * FROM inbox_updates')).length
    await vi.waitUntil(async () => (await waiting()) > 190, TAKEN_OVER)
    const phone = createPhone(shop.telegram, ANN)
    phone.send('/help')
    await phone.waitFor('Help')
    // More than are taken out of the inbox at once.
    expect(await waiting()).toBeGreaterThan(150)
    expect(await metricOf(second, 'reseller_inbox_updates_waiting')).toBeGreaterThan(150)
  })

  it('serve the bot by polling', LIMIT, async () => {
    const shop = await openSeveralShop(10)
    const server = await shop.start()
    await vi.waitUntil(() => leads(server), TAKEN_OVER)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    expect(await server.terminate()).toBe(0)
  })
})

/** A shop with a webhook and two servers, the first of which leads. */
async function openWithWebhook(proxies = 0) {
  const balancer = await openBalancer()
  const shop = await openSeveralShop(proxies, { PUBLIC_URL: balancer.address, BOT_MODE: 'webhook' })
  const first = await shop.start()
  await vi.waitUntil(() => leads(first), TAKEN_OVER)
  const second = await shop.start()
  balancer.servers.push(first, second)
  return { shop, balancer, first, second }
}
