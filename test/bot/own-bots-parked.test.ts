import { expect, test, vi } from 'vitest'
import { movableClock } from '../support/movable-clock.ts'
import {
  agentOf,
  CARL,
  copiesOf,
  DORA,
  enter,
  giveTo,
  openedBot,
  stateOf,
  untilPolls,
} from '../support/own-bots.ts'
import { PATIENCE } from '../support/patience.ts'
import { ANN, type Product, startProduct } from '../support/product.ts'

const MOST = { agentBots: { most: [9] } }
const HOUR_MS = 60 * 60_000

async function registered(product: Product, user: typeof CARL, username: string) {
  const phone = product.phone(user, username)
  phone.send('/start')
  await phone.press(/Register as/)
  await phone.waitFor('👤')
  return phone
}

test('what a bot that stands was to tell waits for it, and comes once; who is in the shop is told there', async () => {
  const clock = movableClock()
  const product = await startProduct({ clock }, MOST)
  const { telegram, core } = product
  const { bot } = await openedBot(product, 'palace_bot')
  await registered(product, CARL, 'palace_bot')
  const ann = await product.memberPhone(ANN)
  await enter(product, ANN, 'palace_bot')
  bot.inject({ kind: 'unauthorized', times: Infinity })
  await giveTo(product, 'an early gift', 'carl')
  await vi.waitUntil(async () => (await stateOf(product, 'palace_bot')) === 'unauthorized', PATIENCE)
  await giveTo(product, 'a late gift', 'carl')
  await giveTo(product, 'a gift for Ann')
  await ann.waitFor('a gift for Ann')
  await product.until("SELECT id FROM notices WHERE status = 'blocked'")
  expect(copiesOf(bot, CARL, 'gift')).toBe(0)

  bot.clearFaults()
  clock.advance(HOUR_MS / 2)
  core.jobs.queue.wake()
  await core.bots.all()
  expect(await stateOf(product, 'palace_bot')).toBe('unauthorized')
  clock.advance(HOUR_MS)
  core.jobs.queue.wake()
  await vi.waitUntil(async () => (await stateOf(product, 'palace_bot')) === 'active', PATIENCE)
  await vi.waitUntil(() => {
    clock.advance(1_000)
    core.jobs.queue.wake()
    return copiesOf(bot, CARL, 'gift') >= 2
  }, PATIENCE)
  await giveTo(product, 'a last gift')
  await vi.waitUntil(() => copiesOf(bot, ANN, 'a last gift') === 1, PATIENCE)
  expect([copiesOf(bot, CARL, 'an early gift'), copiesOf(bot, CARL, 'a late gift')]).toEqual([1, 1])
  expect([copiesOf(bot, ANN, 'a gift for Ann'), copiesOf(telegram, ANN, 'a last gift')]).toEqual([0, 0])

  // Blocked in one bot is not blocked in the other.
  bot.setBlocked(ANN.id, true)
  await product.until('SELECT id FROM chats WHERE blocked AND bot_id IS NOT NULL')
  await giveTo(product, 'a gift in the shop')
  await vi.waitUntil(() => copiesOf(telegram, ANN, 'a gift in the shop') === 1, PATIENCE)
  // Held back for other reasons than a bot that stands.
  bot.setBlocked(CARL.id, true)
  await product.until('SELECT 1 FROM chats WHERE blocked AND bot_id IS NOT NULL HAVING count(*) = 2')
  await giveTo(product, 'a gift for later', 'carl')
  await product.stop()
  await product.start()
  bot.setBlocked(CARL.id, false)
  product.phone(CARL, 'palace_bot').send('/start')
  await vi.waitUntil(() => copiesOf(bot, CARL, 'a gift for later') === 1, PATIENCE)
})

test('a notice that waits while the process starts is told when the bot runs', async () => {
  const product = await startProduct({}, MOST)
  const { bot } = await openedBot(product, 'palace_bot')
  await registered(product, CARL, 'palace_bot')
  bot.inject({ method: 'sendMessage', kind: 'server-error', times: 1 })
  await giveTo(product, 'a gift', 'carl')
  await vi.waitUntil(() => bot.calls().some(({ refused }) => refused?.includes('Bad Gateway')), PATIENCE)
  await product.stop()
  bot.inject({ method: 'deleteWebhook', kind: 'server-error', times: 2 })
  await product.start()
  await vi.waitUntil(() => copiesOf(bot, CARL, 'a gift') === 1, PATIENCE)
})

test('what comes in while a bot pauses is answered afterwards; a bot that was removed answers nobody', async () => {
  const product = await startProduct({}, MOST)
  const { bot, botId } = await openedBot(product, 'palace_bot')
  const { bot: other } = await openedBot(product, 'other_bot')
  const carl = product.phone(CARL, 'palace_bot')
  const agent = await agentOf(product)
  carl.send('/start')
  await product.core.bots.command(agent, botId, 'paused')
  // What was in hand is answered, what came later is kept.
  carl.send('/help')
  await product.core.bots.command(agent, botId, 'active')
  await carl.waitFor('takes you to the main menu')
  bot.clearCalls()
  await product.core.bots.command(agent, botId, 'removed')
  await vi.waitUntil(() => bot.calls().some(({ parameters }) => parameters['limit'] === 1), PATIENCE)
  bot.clearCalls()
  carl.send('/start')
  const dora = product.phone(DORA, 'other_bot')
  dora.send('/start')
  await dora.waitForButton(/Register as/)
  expect(bot.calls()).toEqual([])
  expect(other.calls().length).toBeGreaterThan(0)
})

test('a bot that is slow or refused at the start holds up no other, and a pause is kept to', async () => {
  const product = await startProduct({}, MOST)
  const bots = []
  for (const name of ['slow_bot', 'refused_bot', 'paced_bot', 'quick_bot'])
    bots.push((await openedBot(product, name)).bot)
  const [slow, refused, paced, quick] = bots
  await product.stop()
  for (const bot of bots) bot.clearCalls()
  slow?.inject({ method: 'deleteWebhook', kind: 'silence', times: Infinity })
  refused?.inject({ kind: 'unauthorized', times: Infinity })
  paced?.inject({ method: 'deleteWebhook', kind: 'too-many-requests', retryAfter: 2, times: 1 })
  await product.start()
  const carl = product.phone(CARL, 'quick_bot')
  carl.send('/start')
  await carl.waitForButton(/Register as/)
  expect(slow?.calls().filter(({ method }) => method === 'getUpdates')).toEqual([])
  if (paced) await untilPolls(paced)
  expect(paced?.calls().filter(({ method }) => method === 'deleteWebhook')).toHaveLength(2)
  if (quick) expect(quick.calls().filter(({ method }) => method === 'deleteWebhook')).toHaveLength(1)
})
