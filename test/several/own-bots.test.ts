import { describe, expect, it, vi } from 'vitest'
import { webhookOf } from '../../src/bot/transport/webhook.ts'
import { openBalancer } from '../support/balancer.ts'
import { beside } from '../support/beside.ts'
import { CARL, copiesOf, DORA, plantBots } from '../support/own-bots.ts'
import { createPhone } from '../support/phone.ts'
import { SECRET } from '../support/product.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'
import { LIMIT, TAKEN_OVER } from './with-webhook.ts'

/** Longest time in ms until another server has taken over. */
const MOST_MS = 30_000
const SETTINGS = { BOT_MODE: 'webhook', AGENT_BOTS: 'on' }
const HELP = 'takes you to the main menu'
const INBOX = 'SELECT bot_id FROM inbox_updates'

describe.skipIf(withoutPostgres)('bots of agents on several servers', () => {
  it(
    'are answered whichever server gets their updates, also after the leader was killed',
    LIMIT,
    async () => {
      const balancer = await openBalancer()
      const shop = await openSeveralShop(0, { ...SETTINGS, PUBLIC_URL: balancer.address })
      const names = ['one_bot', 'two_bot']
      const { core, agent, bots } = await plantBots(shop.url, shop.telegram, names)
      const [one, two] = bots as [(typeof bots)[0] & object, (typeof bots)[0] & object]
      const first = await shop.start()
      await vi.waitUntil(() => leads(first), TAKEN_OVER)
      const second = await shop.start()
      balancer.servers.push(first, second)
      const carl = createPhone(one, CARL)
      const dora = createPhone(two, DORA)
      for (const phone of [carl, dora]) {
        phone.send('/start')
        await phone.press(/Register as/)
        await phone.waitFor('👤')
      }
      const post = (botId: number, secret: string, body: object) =>
        fetch(`${second.address}/telegram/webhook/${botId}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
          body: JSON.stringify(body),
        })
      const message = {
        message_id: 900,
        date: 1,
        chat: { id: CARL.id, type: 'private', first_name: 'Carl' },
        from: { id: CARL.id, is_bot: false, first_name: 'Carl' },
        text: '/help',
      }
      const secretOf = (id: number) => webhookOf({ publicUrl: balancer.address, secret: SECRET }, id).secret
      const [oneId, twoId] = [one.about().id, two.about().id]
      // Neither the secret of the shop's bot nor that of another one opens it.
      for (const secret of [SECRET, secretOf(twoId), ''])
        expect((await post(oneId, secret, { update_id: 1, message })).status).toBe(401)

      await first.kill()
      const killed = performance.now()
      carl.send('/help')
      dora.send('/help')
      await vi.waitUntil(() => copiesOf(one, CARL, HELP) + copiesOf(two, DORA, HELP) === 2, TAKEN_OVER)
      expect(performance.now() - killed).toBeLessThan(MOST_MS)

      await core.bots.command(agent, oneId, 'removed')
      const { rows } = await beside({ database: shop.url })
      await vi.waitUntil(() => one.calls().at(-1)?.method === 'deleteWebhook', TAKEN_OVER)
      expect((await post(oneId, secretOf(oneId), { update_id: 2_000_000_000, message })).status).toBe(200)
      await vi.waitUntil(async () => (await rows(INBOX)).length === 0, TAKEN_OVER)
      dora.send('/balance')
      await dora.waitFor(/Balance/)
      expect(one.calls().at(-1)?.method).toBe('deleteWebhook')
    },
  )
})
