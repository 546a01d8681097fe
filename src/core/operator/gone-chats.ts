import { operatorsChats, type OperatorsChat } from '../notices/concerns.ts'
import { tellIncident } from './tell-incident.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Lists the chats of those who run the shop that cannot be written to. */
export async function goneChats(deps: Essentials): Promise<OperatorsChat[]> {
  return (await operatorsChats(deps)).filter(({ blocked }) => blocked)
}

/** Sweep of the job loop: tells the other chats of one that cannot be written to, and when it can again (rules 14.8). */
export async function tellGoneChats(deps: Essentials): Promise<void> {
  for (const { chatId, person, blocked } of await operatorsChats(deps)) {
    await tellIncident(deps, {
      key: `chat_gone ${chatId}`,
      wrong: blocked,
      news: ({ wrong, subject }) => ({
        kind: wrong ? 'chat_gone' : 'chat_back',
        subject,
        data: { chatId, person },
      }),
    })
  }
}
