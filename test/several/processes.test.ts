import { describe, expect, it, vi } from 'vitest'
import { AGENT, ANN, logIn, SECRET } from '../support/product.ts'
import { beside } from '../support/beside.ts'
import { createPhone } from '../support/phone.ts'
import { createBuyer } from './buyer.ts'
import { openQuietNetwork } from './quiet-network.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'
import { LIMIT, openWithWebhook, TAKEN_OVER } from './with-webhook.ts'

/** Fewer than one chat may send at once. */
const MESSAGES = 12
const WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
/** Updates that are kept or were handled. */
const KNOWN = 'SELECT update_id FROM inbox_updates UNION SELECT update_id FROM handled_updates'

describe.skipIf(withoutPostgres)('several servers on one PostgreSQL database', () => {
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

  it('serve the bot by polling', LIMIT, async () => {
    const shop = await openSeveralShop(10)
    const server = await shop.start()
    await vi.waitUntil(() => leads(server), TAKEN_OVER)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    expect(await server.terminate()).toBe(0)
  })
})
