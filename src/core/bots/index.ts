import { binding } from '../binding.ts'
import { botOfLink } from './bot-of-link.ts'
import { enterBot, makeEntry } from './entry.ts'
import { allBots, type BotDeps, countBots, findBot, ownBot, ownBots, runnableBots } from './agent-bot.ts'
import { ChatKeys } from '../access/chat-keys.ts'
import {
  addBot,
  changeToken,
  commandBot,
  editBot,
  mostBotsOf,
  openBot,
  requireRoom,
  sendHeld,
  setBotState,
} from './manage-bots.ts'

/** The bots of agents, and the chats with them. */
export function botsPart(deps: BotDeps) {
  const bind = binding(deps)
  return {
    enabled: deps.agentBots !== undefined,
    chats: new ChatKeys(deps),
    own: bind(ownBots),
    ownBot: bind(ownBot),
    all: bind(allBots),
    count: bind(countBots),
    find: (which: number | string) => findBot(deps.db.read, which),
    runnable: bind(runnableBots),
    most: bind(mostBotsOf),
    requireRoom: bind((seen: BotDeps, actor: Parameters<typeof requireRoom>[1]) => requireRoom(seen, actor)),
    ofLink: bind(botOfLink),
    add: bind(addBot),
    open: bind(openBot),
    changeToken: bind(changeToken),
    setState: bind(setBotState),
    sendHeld: bind(sendHeld),
    command: bind(commandBot),
    edit: bind(editBot),
    entry: bind(makeEntry),
    enter: bind(enterBot),
  }
}
