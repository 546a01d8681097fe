import type { Actor } from '../../src/core/access/actor.ts'
import type { Core } from '../../src/core/core.ts'

/** What nobody is ever shown. */
export const SECRET_PART = 'AAE-a-secret-of-the-tests-0123456789'

/** Adds a bot of an agent, as if Telegram had made it. @returns the parameter of `/start` that opens one whose token was pasted */
export function addBotOf(
  core: Core,
  agent: Actor,
  { botId, username, name = username, managed = true }: NewBotOf,
): Promise<string | undefined> {
  const token = `${botId}:${SECRET_PART}`
  return core.bots.add(agent, { botId, username, name, token, ownerId: 502, managed })
}

interface NewBotOf {
  readonly botId: number
  readonly username: string
  readonly name?: string
  readonly managed?: boolean
}
