import { vi } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import type { EmulatedBot } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from './patience.ts'
import type { Product } from './product.ts'

/** Gives an agent a bot of its own, `@palace_bot`, which works when this resolves. */
export async function addAgentBot(
  { core, telegram }: Pick<Product, 'core' | 'telegram'>,
  agent: Actor,
  ownerId: number,
): Promise<EmulatedBot> {
  const bot = telegram.addBot({ username: 'palace_bot', name: 'Palace', ownerId })
  const { id: botId, username, token } = bot.about()
  await core.bots.add(agent, { botId, username, name: 'Palace', token, ownerId, managed: true })
  await vi.waitUntil(() => bot.calls().some(({ method }) => method === 'getUpdates'), PATIENCE)
  return bot
}
