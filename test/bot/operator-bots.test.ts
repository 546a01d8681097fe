import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { addBotOf, SECRET_PART } from '../support/agent-bots.ts'
import { startBot } from '../support/bot.ts'
import { command } from '../support/command-line.ts'
import { ownBotOf } from '../support/own-bots.ts'
import { startProduct } from '../support/product.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const MAX = { id: 701, firstName: 'Max', languageCode: 'en' }
const MOST = { agentBots: { most: [20] } }
const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }
const PALACE = 7_000_000_001

/** A shop in whose chat an agent's bots are looked after. */
async function shop(bots = 1) {
  const bot = await startBot({ operatorChats: [OPS.id], ...MOST })
  const seller = await bot.agent({ name: 'seller' })
  await addBotOf(bot.core, seller, { botId: PALACE, username: 'palace_bot', name: 'Proxy <Palace>' })
  for (let n = 2; n <= bots; n += 1) {
    bot.clock.advance(1000)
    await addBotOf(bot.core, seller, { botId: PALACE + n, username: `bot${n}_bot` })
  }
  const ops = bot.phone(OPS)
  ops.send('/operator')
  await ops.press('🤝 Agents')
  return { ...bot, ops, seller }
}

test('the bots of agents are listed, paused, resumed, and removed after a question', async () => {
  const { core, ops, seller, bugs } = await shop()
  await ops.press('🤖 Bots of agents')
  await ops.waitFor('work: 1')
  await ops.press('🟢 Proxy <Palace> · seller')
  const card = await ops.read('Proxy <Palace> · @palace_bot')
  expect(card).toContain('Agent: seller')
  expect(card).toContain(`Id at Telegram: ${PALACE}\nOwner at Telegram: 502`)
  expect(card).not.toContain(SECRET_PART)

  await ops.press('⏸ Pause')
  await ops.waitFor('⛔ Paused by the shop: only you can let it go on')
  await expect(core.bots.command(seller, PALACE, 'active')).rejects.toMatchObject({ code: 'invalid_state' })
  await ops.press('▶️ Go on')
  await ops.waitFor('🟢 Works')
  await core.bots.command(seller, PALACE, 'paused')
  await ops.press('🔄 Refresh')
  await ops.waitFor('⏸ Paused by its agent')
  await ops.press('🤝 The agent')
  await ops.press('‹ Back')
  await ops.press('🤖 Bots of agents')
  await ops.press('⏸ Proxy <Palace> · seller')
  await ops.press('🗑 Remove')
  await ops.waitFor('Remove @palace_bot of seller?')
  expect(await core.bots.find(PALACE)).toMatchObject({ state: 'paused' })
  await ops.press('🗑 Remove')
  await ops.waitFor('No agent has a bot yet')
  const { items } = await core.operator.trail.list({ action: 'bot' })
  expect(items.map(({ action, via, username }) => [action, via, username])).toEqual([
    ['bot.remove', 'chat', 'seller'],
    ['bot.resume', 'chat', 'seller'],
    ['bot.pause', 'chat', 'seller'],
  ])
  expect(bugs()).toEqual([])
})

test('many bots stand on pages, and one that is gone leads back to the list', async () => {
  const { core, ops, bugs } = await shop(10)
  await ops.press('🤖 Bots of agents')
  await ops.waitFor('Bots of agents: 10')
  await ops.press('›')
  await ops.press('🟢 bot10_bot · seller')
  await ops.waitFor('@bot10_bot')
  await core.operator.bots.remove(SHELL, 'bot10_bot')
  const { text } = await ops.press('⏸ Pause')
  expect(text).toBe('This bot is no longer there.')
  await ops.waitFor('Bots of agents: 9')
  expect(bugs()).toEqual([])
})

test('who may not look after agents sees the bots and changes nothing', async () => {
  const { core, phone, bugs } = await shop()
  await core.operator.people.add(SHELL, { name: 'Olivia', role: 'owner', telegramId: OPS.id })
  await core.operator.people.add(SHELL, { name: 'Max', role: 'support', telegramId: MAX.id })
  const max = phone(MAX)
  max.send('/agents')
  await max.press('🤖 Bots of agents')
  await max.press('🟢 Proxy <Palace> · seller')
  await max.waitFor('@palace_bot')
  expect(max.buttons()).not.toContain('⏸ Pause')
  expect(max.buttons()).not.toContain('🗑 Remove')
  const operator = await core.people.operatorIn({ chatId: MAX.id, telegramId: MAX.id })
  if (!operator) throw new Error('Max runs no shop')
  for (const command of ['pause', 'resume', 'remove'] as const)
    await expect(core.operator.bots[command](operator, PALACE)).rejects.toMatchObject({
      code: 'not_permitted',
    })
  expect(bugs()).toEqual([])
})

test('where agents have no bots, nothing leads to them', async () => {
  const { phone } = await startBot({ operatorChats: [OPS.id] })
  const ops = phone(OPS)
  ops.send('/agents')
  await ops.waitFor('Agents')
  expect(ops.buttons()).not.toContain('🤖 Bots of agents')
})

test('what a command of another process does to a bot is told to its agent, and the operator hears of one that stops, with a button', async () => {
  const product = await startProduct({}, { ...MOST, operatorChats: [OPS.id] })
  const { core } = product
  const { ben } = await ownBotOf(product)

  const { database } = product
  expect(await command(['bot', 'pause', 'palace_bot'], { database, drivers: {} })).toMatchObject({
    status: 0,
  })
  await ben.waitFor('Stopped by the shop. Please ask support.')
  expect(await command(['bot', 'resume', 'palace_bot'], { database, drivers: {} })).toMatchObject({
    status: 0,
  })
  await ben.waitFor('🟢 Works')
  const carl = product.phone(CARL, 'palace_bot')
  carl.send('/start')
  await carl.waitFor('Proxy Palace')

  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor('Operator')
  const { botId = 0 } = (await core.bots.all())[0] ?? {}
  await core.bots.setState(botId, 'conflict')
  await ops.waitFor('The bot of agent has stopped')
  await ops.press('🤖 The bot')
  await ops.waitFor(
    'Stopped: another program receives its messages. Its agent has to switch that program off.',
  )
})
