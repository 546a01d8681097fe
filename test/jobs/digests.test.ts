import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor, buy, startProductInTime, timesTold } from '../support/notices.ts'
import { AGENT, BEN, stockFile } from '../support/product.ts'

const MINUTE = 60_000

test('what an agent hears about its sub-users waits for others of its kind, and survives restarts, pauses and a blocked bot', async () => {
  const { product, pass } = await startProductInTime()
  const { telegram } = product
  const boss = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  const customer = await actorFor(product)
  const agent = await actorFor(product, AGENT)
  const other = { username: 'second', password: 'second-password' }
  await product.core.accounts.createSubUser(agent, { ...other, balance: 500 })
  const second = await actorFor(product, other)
  const told = () => timesTold(product, boss, /of your sub-users are ready/)

  const first = await buy(product, customer)
  await pass(MINUTE / 2)
  const another = await buy(product, customer, 2)
  await product.stop()
  await product.start()
  await pass(MINUTE / 2)
  const digest = await boss.waitFor(/Orders of your sub-users are ready \(2\)/)
  expect(digest.text).toContain(`• customer: 1 proxy, order ${first}`)
  expect(digest.text).toContain(`• customer: 2 proxies, order ${another}`)
  await boss.press('👤 customer')
  await boss.waitFor(/customer/)

  // Telegram wants a pause.
  telegram.inject({ method: 'sendMessage', chatId: BEN.id, kind: 'too-many-requests', retryAfter: 30 })
  await buy(product, customer)
  await pass(MINUTE)
  await product.until(
    `SELECT 1 FROM jobs WHERE kind = 'deliver_digest' AND last_error LIKE '%retry after 30%'`,
  )
  await buy(product, second)
  expect(told()).toBe(1)
  await pass(MINUTE / 2)
  const late = await boss.waitFor(/Orders of your sub-users are ready \(2\)/)
  expect(late.keyboard.flat().map(({ text }) => text)).toEqual(['👥 Sub-users', '🏠 Menu', '✖️ Close'])

  telegram.setBlocked(BEN.id, true)
  await product.until(`SELECT 1 FROM chats WHERE id = ${BEN.id} AND blocked`)
  await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 40))
  await Promise.all(Array.from({ length: 33 }, () => buy(product, second)))
  await pass(2 * MINUTE)
  expect(told()).toBe(2)
  telegram.setBlocked(BEN.id, false)
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_digest'`)
  await pass(MINUTE)
  const long = await boss.waitFor(/Orders of your sub-users are ready \(33\)/)
  expect(long.text).toContain('… and 23 more')
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM notices WHERE status <> 'sent')`)
  await pass(2 * MINUTE)
  expect(told()).toBe(3)
})
