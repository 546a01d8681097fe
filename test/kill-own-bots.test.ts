import { expect, test, vi } from 'vitest'
import { copiesOf, plantBots } from './support/own-bots.ts'
import { PATIENCE } from './support/patience.ts'
import { createPhone } from './support/phone.ts'
import { AGENT } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const NAMES = ['one_bot', 'two_bot', 'three_bot']
const PEOPLE = Array.from({ length: 6 }, (_, index) => ({
  id: 9000 + index,
  firstName: `User ${index}`,
  languageCode: 'en',
}))
const HELP = 'takes you to the main menu'

test('kills lose no update of any bot', { timeout: 120_000 }, async () => {
  const { database, telegram, start } = await openShopToKill([AGENT], { AGENT_BOTS: 'on' })
  const { bots } = await plantBots(database, telegram, NAMES)
  let product = await start()
  const phones = bots.flatMap((bot) => PEOPLE.map((person) => ({ bot, phone: createPhone(bot, person) })))
  for (const { phone } of phones) phone.send('/start')
  await Promise.all(phones.map(({ phone }) => phone.waitForButton(/Register/)))
  for (let kill = 0; kill < 2; kill += 1) {
    for (const { phone } of phones) phone.send('/help')
    // Some are answered, some are in hand, some have not come yet.
    const some = phones[kill === 0 ? 3 : 12]
    await some?.phone.waitFor(HELP)
    await product.kill()
    product = await start()
    await Promise.all(phones.map(({ phone }) => phone.waitFor(HELP)))
  }
  for (const { bot, phone } of phones) {
    phone.send('/start')
    await phone.waitForButton(/Register/)
    await vi.waitUntil(() => copiesOf(bot, { id: phone.chatId }, 'Register') <= 1, PATIENCE)
  }
  expect(await product.terminate()).toBe(0)
})
