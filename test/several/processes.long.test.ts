import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../../src/emulators/telegram/types.ts'
import { AGENT, ANN, BEN, logIn } from '../support/product.ts'
import { beside } from '../support/beside.ts'
import { createPhone } from '../support/phone.ts'
import { leads, metricOf, openSeveralShop, withoutPostgres } from './several-shop.ts'
import { LIMIT, openWithWebhook, TAKEN_OVER } from './with-webhook.ts'

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
})
