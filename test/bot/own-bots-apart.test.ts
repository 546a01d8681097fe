import { expect, test, vi } from 'vitest'
import { OWN_BOTS } from '../../src/bot/actions/own-bots.ts'
import { CARL, copiesOf, DORA, openedBot, OWNER, pastedBot, stateOf } from '../support/own-bots.ts'
import { PATIENCE } from '../support/patience.ts'
import { startProduct } from '../support/product.ts'

const MOST = { agentBots: { most: [9] } }

test('a bot whose token was pasted answers nobody before its owner has opened it by its link', async () => {
  const product = await startProduct({}, MOST)
  const { telegram } = product
  const { bot, link, start } = await pastedBot(product, 'palace_bot')
  const other = await pastedBot(product, 'other_bot')
  const answered = () => bot.calls().filter(({ method }) => /^(?:send|edit|answer)/.test(method))
  telegram.addUser(CARL)
  // A stranger, with the right code and with none; the owner, with that of another bot.
  telegram.followLink(CARL.id, link)
  product.phone(CARL, 'palace_bot').send('/start')
  telegram.followLink(OWNER.id, `https://t.me/palace_bot?start=${other.start}`)
  product.phone(OWNER, 'palace_bot').send('/start own_wrong')
  product.phone(CARL, 'palace_bot').send(`/start ${start}`)
  await bot.pressStale(CARL.id, 1, 'home', 500).catch(() => {})
  telegram.followLink(OWNER.id, other.link)
  await product.phone(OWNER, 'other_bot').waitFor('✅', { evenOld: true })
  expect([await stateOf(product, 'palace_bot'), await stateOf(product, 'other_bot')]).toEqual([
    'pending',
    'active',
  ])
  expect(answered().filter(({ method }) => method !== 'answerCallbackQuery')).toEqual([])
  telegram.followLink(OWNER.id, link)
  await product.phone(OWNER, 'palace_bot').waitFor('✅', { evenOld: true })
  expect(await stateOf(product, 'palace_bot')).toBe('active')
  // The link is used up.
  telegram.followLink(CARL.id, link)
  await product.phone(CARL, 'palace_bot').waitForButton(/Register as/)
})

test('one person in three bots has three chats, and a forged press does nothing', async () => {
  const product = await startProduct({}, MOST)
  const { bot: one, botId } = await openedBot(product, 'one_bot')
  await openedBot(product, 'two_bot')
  const phones = [undefined, 'one_bot', 'two_bot'].map((name) => product.phone(CARL, name))
  const [inShop, inOne, inTwo] = phones as [(typeof phones)[0], (typeof phones)[0], (typeof phones)[0]]
  for (const phone of [inOne, inTwo]) {
    phone.send('/start')
    await phone.waitForButton(/Register as/)
  }
  inShop.send('/start')
  await inShop.waitFor(/./)
  await inOne.press('✏️ Other name')
  await inOne.waitFor(({ text }) => !text.includes('One press'))
  inTwo.send('/help')
  await inTwo.waitFor('takes you to the main menu')
  inShop.send('/help')
  await inShop.waitFor('takes you to the main menu')
  inOne.send('carla')
  await inOne.waitFor('👤 carla')
  inTwo.send('/start')
  await inTwo.press(/Register as/)
  await inTwo.waitFor('👤 carl')
  inOne.send('/menu')
  await inOne.waitFor('👤 carla')
  inShop.send('/start')
  expect(await inShop.read(/./)).not.toMatch('👤')

  // The owner of a bot can put other labels and data on its buttons.
  const boss = product.phone(OWNER, 'one_bot')
  boss.send('/start')
  await boss.waitFor(/./)
  const { messageId } = inOne.screen().message
  const forged = [
    OWN_BOTS.remove.data({ id: botId }),
    OWN_BOTS.pause.data({ id: botId }),
    OWN_BOTS.home.data(),
  ]
  for (const data of [...forged, 'op', 'o', 'nonsense'])
    for (const { id } of [CARL, OWNER]) await one.pressStale(id, messageId, data)
  expect(await stateOf(product, 'one_bot')).toBe('active')
  for (const person of [CARL, OWNER]) expect(copiesOf(one, person, 'sells under your name')).toBe(0)
  one.addToGroup({ id: -1_001_234_567_890, title: 'A group' }, CARL.id)
  await vi.waitUntil(() => one.calls().some(({ method }) => method === 'leaveChat'), PATIENCE)
})

test('a flood in one bot, and pauses that Telegram asks of it, delay no other', async () => {
  const product = await startProduct({}, MOST)
  const { bot: flooded } = await openedBot(product, 'flooded_bot')
  const { bot: paused } = await openedBot(product, 'paused_bot')
  await openedBot(product, 'calm_bot')
  paused.inject({ kind: 'too-many-requests', retryAfter: 4, times: 2 })
  product.phone(CARL, 'paused_bot').send('/start')
  const carl = product.phone(CARL, 'flooded_bot')
  for (let message = 0; message < 120; message += 1) carl.send('/help')
  const dora = product.phone(DORA, 'calm_bot')
  dora.send('/start')
  await dora.waitForButton(/Register as/)
  expect(flooded.calls().filter(({ method }) => method === 'sendMessage').length).toBeLessThan(120)
  expect(copiesOf(paused, CARL, 'Register')).toBe(0)
  await product.phone(CARL, 'paused_bot').waitForButton(/Register as/)
})
