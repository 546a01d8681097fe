import { vi } from 'vitest'
import { PATIENCE } from './patience.ts'
import { AGENT, BEN, type Product } from './product.ts'

/** The agent's phone, on which it has made the bot `palace_bot` with Telegram's own dialog; the bot works. */
export async function ownBotOf(product: Product) {
  const { telegram } = product
  telegram.setCanManageBots(true)
  const ben = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  await ben.press('🤖 My bot')
  const { keyboard } = await ben.waitFor('sells under your name')
  const link = keyboard.flat().find(({ text }) => text === '➕ Make a bot')?.value ?? ''
  const dialog = { ...telegram.newBotDialog(link), name: 'Proxy Palace', username: 'palace_bot' }
  const made = telegram.createManagedBot(BEN.id, dialog)
  await vi.waitUntil(() => made.calls().some(({ method }) => method === 'getUpdates'), PATIENCE)
  return { ben, made }
}
