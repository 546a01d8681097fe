import { expect, test, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, BEN, type Product, startProduct } from '../support/product.ts'

const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }
const MOST = { agentBots: { most: [2] } }

/** Ben, the agent, makes a bot with Telegram's own dialog. */
async function withOwnBot(product: Product) {
  const { telegram } = product
  const ben = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  await ben.press('🤖 My bot')
  const { keyboard } = await ben.waitFor('sells under your name')
  const link = keyboard.flat().find(({ text }) => text === '➕ Make a bot')?.value ?? ''
  const dialog = { ...telegram.newBotDialog(link), name: 'Proxy Palace', username: 'palace_bot' }
  const made = telegram.createManagedBot(BEN.id, dialog)
  await vi.waitUntil(() => made.calls().some(({ method }) => method === 'getUpdates'), PATIENCE)
  return { ben, made }
}

test('an agent makes a bot in three presses, and its customers register and buy there at once', async () => {
  const product = await startProduct({}, MOST)
  product.telegram.setCanManageBots(true)
  const { made } = await withOwnBot(product)
  expect(made.botUsername).toBe('palace_bot')
  const carl = product.phone(CARL, 'palace_bot')
  carl.send('/start')
  expect((await carl.waitFor('Proxy Palace')).text).toContain('Residential ISP')
  await carl.press('✅ Register as carl')
  await carl.waitFor('👤 carl')
})
