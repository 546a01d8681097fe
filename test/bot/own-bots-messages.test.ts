import { expect, test, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { movableClock } from '../support/movable-clock.ts'
import { agentOf, CARL, copiesOf, DORA, openedBot, OWNER } from '../support/own-bots.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test("an agent's message goes out by its own bot, whatever the shop's has to send", async () => {
  const clock = movableClock()
  const product = await startProduct({ clock }, { agentBots: { most: [9] } })
  const { telegram, core } = product
  const { bot, botId } = await openedBot(product, 'palace_bot')
  for (const user of [CARL, DORA]) {
    const phone = product.phone(user, 'palace_bot')
    phone.send('/start')
    await phone.press(/Register as/)
    await phone.waitFor('👤')
  }
  await product.memberPhone(ANN)
  const ben = await product.memberPhone(OWNER, AGENT)
  const written = ben.sendFile({ fileName: 'a.png', mimeType: 'image/png', content: PICTURE, kind: 'photo' })
  const sent = telegram.messages(OWNER.id).find(({ messageId }) => messageId === written)
  const agent = await agentOf(product)
  const say = async (text: string, photo: string | null = null) => {
    const content = { text, entities: [], photo }
    const { id } = await core.messages.draft(agent, { chatId: OWNER.id, userIds: null, ...content })
    await core.messages.start(agent, id)
  }
  const goOn = async (text: string, of: typeof bot, user: { readonly id: number }) => {
    await vi.waitUntil(() => {
      clock.advance(1_000)
      core.jobs.queue.wake()
      return copiesOf(of, user, text) > 0
    }, PATIENCE)
  }

  telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 3_000, times: Infinity })
  telegram.inject({ method: 'sendPhoto', kind: 'too-many-requests', retryAfter: 3_000, times: Infinity })
  const news = { chatId: ANN.id, audience: 'all' as const, text: 'Shop news', entities: [], photo: null }
  const { id } = await core.operator.broadcasts.draft(SHELL, news)
  await core.operator.broadcasts.start(SHELL, { id })
  await say('Palace news', sent?.file?.fileId)
  await goOn('Palace news', bot, CARL)
  await goOn('Palace news', bot, DORA)
  // They have the picture, which the bot of the shop was sent.
  for (const { id: user } of [CARL, DORA])
    expect(bot.messages(user).findLast(({ text }) => text.includes('Palace news'))?.file?.kind).toBe('photo')
  expect([copiesOf(telegram, ANN, 'Shop news'), copiesOf(telegram, ANN, 'Palace news')]).toEqual([0, 0])
  telegram.clearFaults()
  clock.advance(3_000_000)
  await goOn('Palace news', telegram, ANN)
  const texts = telegram.messages(ANN.id).map(({ text }) => text)
  expect(texts.findIndex((text) => text.includes('Shop news'))).toBeLessThan(
    texts.findIndex((text) => text.includes('Palace news')),
  )

  // The lane of a bot that stands waits, and no other.
  await core.bots.setState(botId, 'conflict')
  await say('Late news')
  await goOn('Late news', telegram, ANN)
  expect(copiesOf(bot, CARL, 'Late news')).toBe(0)
  await core.bots.command(agent, botId, 'active')
  await goOn('Late news', bot, CARL)
  await goOn('Late news', bot, DORA)
  for (const text of ['Palace news', 'Late news'])
    expect([copiesOf(bot, CARL, text), copiesOf(bot, DORA, text), copiesOf(telegram, ANN, text)]).toEqual([
      1, 1, 1,
    ])
})
