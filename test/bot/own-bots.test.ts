import { expect, test, vi } from 'vitest'
import { ownBotOf } from '../support/own-bots.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, ANN, BEN, startProduct } from '../support/product.ts'

const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }
const MOST = { agentBots: { most: [1] } }

test('an agent makes a bot in three presses, and newcomers become its sub-users there', async () => {
  const product = await startProduct({}, MOST)
  const { ben, made } = await ownBotOf(product)
  expect(await ben.read('@palace_bot')).toContain('🟢 Works')
  await vi.waitUntil(() => made.about().texts.name[''] === 'Proxy Palace', PATIENCE)
  const carl = product.phone(CARL, 'palace_bot')
  carl.send('/start')
  expect(await carl.read('Proxy Palace')).toContain('Residential ISP')
  await carl.press('✅ Register as carl')
  await carl.waitFor('👤 carl')
  ben.send('/start')
  await ben.press('🤖 My bot')
  expect(await ben.read('My bot')).toContain('You may have one bot')
})

test('a customer enters the bot of its agent by a link, and is told once, there', async () => {
  const product = await startProduct({}, MOST)
  await ownBotOf(product)
  const ann = await product.memberPhone(ANN)
  await ann.press('🤖 Proxy Palace')
  const { keyboard } = await ann.waitFor('logged in there at once')
  const link = keyboard.flat().find(({ kind }) => kind === 'url')?.value ?? ''
  const stranger = product.phone(CARL, 'palace_bot')
  stranger.send('/start')
  await stranger.waitForButton('✅ Register as carl')
  // Somebody else's link opens nothing.
  product.telegram.followLink(CARL.id, link)
  await stranger.waitForButton('✅ Register as carl')
  product.telegram.followLink(ANN.id, link)
  const there = product.phone(ANN, 'palace_bot')
  await there.waitFor('👤 customer', { evenOld: true })
  const { token } = await product.core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await product.core.accounts.authenticate(token)
  const { id } = (await product.core.accounts.listSubUsers(agent, {})).items[0] ?? { id: 0 }
  const change = { amount: 5, remark: 'a gift', requestKey: 'gift' }
  await product.core.accounts.adjustSubUserBalance(agent, id, change)
  await there.waitFor('a gift', { evenOld: true })
  expect(
    product.telegram
      .messages(ANN.id)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('a gift')
  // It worked once: whoever has logged out comes in by a new one only.
  there.send('/logout')
  await there.press(/Log out/)
  product.telegram.followLink(ANN.id, link)
  await there.waitForButton(/Register as/)
})

test('the agent changes what customers see, stops the bot and removes it', async () => {
  const product = await startProduct({}, MOST)
  const { ben, made } = await ownBotOf(product)
  const carl = product.phone(CARL, 'palace_bot')
  ben.send('/start')
  await ben.press('🤖 My bot')
  await ben.press('🟢 Proxy Palace')
  await ben.press('✏️ Name')
  await ben.waitFor('The name is now')
  ben.send('Palace of Proxies')
  await ben.waitFor('Palace of Proxies')
  await ben.press('👋 Welcome')
  await ben.waitFor('newcomers read first')
  ben.send('Fast and friendly')
  await ben.waitFor('Fast and friendly')
  await ben.press('💬 Support')
  await ben.waitFor('get help')
  ben.send('not an address')
  await ben.waitFor('begins with https://')
  ben.send('@palace_help')
  await ben.waitFor('https://t.me/palace_help')
  await vi.waitUntil(() => made.about().texts.description['']?.includes('Fast'), PATIENCE)
  carl.send('/start')
  const window = await carl.waitFor('Fast and friendly')
  expect(window.text).toContain('Palace of Proxies')
  expect(window.keyboard.flat().map(({ value }) => value)).toContain('https://t.me/palace_help')
  await ben.press('⏸ Pause')
  await ben.waitFor('Paused')
  await vi.waitUntil(() => made.calls().at(-1)?.method === 'getUpdates', PATIENCE)
  await ben.press('▶️ Go on')
  await ben.waitFor('Works')
  carl.send('/start')
  await carl.waitFor('Fast and friendly')
  await ben.press('🗑 Remove')
  await ben.press('🗑 Remove')
  await ben.waitFor('sells under your name')
})

test('a token that is pasted binds the bot when its owner opens it', async () => {
  const product = await startProduct({}, MOST)
  const { telegram } = product
  const bens = telegram.addBot({ username: 'bens_bot', name: 'Bens', ownerId: BEN.id })
  const ben = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  await ben.press('🤖 My bot')
  await ben.press('🔑 I have a token')
  await ben.waitFor('@BotFather gave you')
  ben.send('12345:short')
  await ben.waitFor('That is no token')
  const message = ben.send(bens.token)
  const { keyboard } = await ben.waitFor('One step is left')
  expect(telegram.messages(BEN.id).map(({ messageId }) => messageId)).not.toContain(message)
  const link = keyboard.flat().find(({ kind }) => kind === 'url')?.value ?? ''
  const carl = product.phone(CARL, 'bens_bot')
  telegram.followLink(CARL.id, link)
  telegram.followLink(BEN.id, link)
  await product.phone(BEN, 'bens_bot').waitFor('works now', { evenOld: true })
  expect(bens.messages(CARL.id).filter(({ from }) => from === 'bot')).toEqual([])
  carl.send('/start')
  await carl.waitForButton('✅ Register as carl')
  expect(product.log.join()).not.toContain(bens.token)
})
