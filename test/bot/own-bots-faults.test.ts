import { expect, test, vi } from 'vitest'
import { movableClock } from '../support/movable-clock.ts'
import { CARL, copiesOf, managedBot, openedBot, OWNER, stateOf } from '../support/own-bots.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'

const MOST = { agentBots: { most: [9] } }

test('a bot that is refused stands, one that is refused for a moment goes on, and a new token is read', async () => {
  const product = await startProduct({}, { ...MOST, operatorChats: [ANN.id] })
  const { telegram, phone } = product
  const ben = await product.memberPhone(OWNER, AGENT)
  const operator = phone(ANN)
  operator.send('/operator')
  await operator.waitFor(/./)
  const renewed = await managedBot(product, ben, 'renewed_bot')
  const missed = await managedBot(product, ben, 'missed_bot')
  const { bot: pasted } = await openedBot(product, 'pasted_bot')
  const { bot: gone } = await openedBot(product, 'gone_bot')
  const { bot: fought } = await openedBot(product, 'fought_bot')
  const { bot: shaky } = await openedBot(product, 'shaky_bot')

  renewed.revokeToken()
  await vi.waitUntil(
    () => telegram.calls().filter(({ method }) => method === 'getManagedBotToken').length === 3,
    PATIENCE,
  )
  // Telegram tells of this one, and does not give the token at first.
  const refusal = { code: 400, description: 'Bad Request: not yet' }
  telegram.inject({ method: 'getManagedBotToken', kind: 'refusal', refusal })
  missed.revokeToken()
  pasted.revokeToken()
  gone.deleteBot()
  fought.inject({ kind: 'conflict', times: Infinity })
  shaky.inject({ kind: 'unauthorized', times: 3 })
  shaky.inject({ method: 'getUpdates', kind: 'server-error', code: 500, times: 2 })

  await vi.waitUntil(async () => (await stateOf(product, 'fought_bot')) === 'conflict', PATIENCE)
  await vi.waitUntil(async () => (await stateOf(product, 'pasted_bot')) === 'unauthorized', PATIENCE)
  await vi.waitUntil(async () => (await stateOf(product, 'gone_bot')) === 'unauthorized', PATIENCE)
  for (const name of ['renewed_bot', 'missed_bot', 'shaky_bot']) {
    const carl = phone(CARL, name)
    carl.send('/start')
    await carl.waitForButton('✅ Register as carl')
    expect(await stateOf(product, name)).toBe('active')
  }
  await vi.waitUntil(() => copiesOf(telegram, OWNER, '🔴') === 3, PATIENCE)
  await vi.waitUntil(() => copiesOf(telegram, ANN, 'fought_bot') === 1, PATIENCE)
  for (const name of ['pasted_bot', 'gone_bot', 'fought_bot'])
    expect([name, copiesOf(telegram, OWNER, name), copiesOf(telegram, ANN, name)]).toEqual([name, 1, 1])
  const fights = fought.calls().filter(({ method, refused }) => method === 'getUpdates' && refused)
  expect(fights.length).toBeLessThanOrEqual(4)
})

test('a bot that was given to somebody else stands until its agent lets it go on', async () => {
  const clock = movableClock()
  const product = await startProduct({ clock }, MOST)
  const ben = await product.memberPhone(OWNER, AGENT)
  const given = await managedBot(product, ben, 'given_bot')
  product.telegram.addUser(CARL)
  clock.advance(11 * 60_000)
  // The process learns of it when it starts again, before it has looked at its bots.
  await product.stop()
  given.transferTo(CARL.id)
  await product.start()
  await vi.waitUntil(async () => (await stateOf(product, 'given_bot')) === 'suspended', PATIENCE)
  await vi.waitUntil(() => copiesOf(product.telegram, OWNER, '🔴') === 1, PATIENCE)
  const carl = product.phone(CARL, 'given_bot')
  carl.send('/start')
  ben.send('/start')
  await ben.press('🤖 My bot')
  await ben.press('🔴 given_bot')
  expect(carl.dump()).not.toContain('Register')
  await ben.press('▶️ Go on')
  await carl.waitForButton('✅ Register as carl')
})
