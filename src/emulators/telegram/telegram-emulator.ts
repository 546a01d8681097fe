import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { badRequest } from './api-error.ts'
import { readBotLink } from './bot-links.ts'
import { countCharacters } from './characters.ts'
import { isGroup } from './chat-log.ts'
import type { ChatStore } from './chat-store.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { createEmulatedBot } from './emulated-bot.ts'
import { botApiPlugin } from './http.ts'
import { announceCreated } from './people-side.ts'
import { createState, type TelegramState } from './state.ts'
import type { BotAbout, EmulatedBot, EmulatedUser, NetworkEvent, NewBot, TelegramEmulator } from './types.ts'
import { toWireUser } from './wire.ts'

/** Ids of new bots begin here: they do not fit into 32 bits, as Telegram's do not. */
const FIRST_BOT_ID = 7_000_000_001
/** Bots that one person may own without Telegram Premium (`bots_create_limit_default`). */
const MAX_OWNED = 20
const MAX_NAME = 64

/** The emulator of Telegram: the people's side as an object, the bots' side as a Fastify plugin. */
export interface TelegramServer extends TelegramEmulator {
  /** Serves `/bot<token>/<method>` and `/file/bot<token>/<path>` under the prefix that it is registered with. */
  readonly botApi: FastifyPluginAsync
  /** Whether a fault was ever injected into one of the bots. */
  wasFaulty(): boolean
  /** Ends waiting long polls and webhook deliveries at once; closing the Fastify server does it as well. */
  close(): void
}

/** A bot as the emulator holds it. */
interface Member {
  readonly state: TelegramState
  readonly dispatcher: Dispatcher
  readonly bot: EmulatedBot
}

/**
 * Makes an emulator of Telegram, in memory, with one bot; more can be added.
 *
 * @param options.token of the first bot
 * @param options.now the clock for the dates of messages and the 48 hours rule
 * @param options.store keeps the bots and chats, with their keyboards and files, for the next process
 */
export function createTelegramEmulator(options: {
  token: string
  botUsername?: string
  now?: () => Date
  store?: ChatStore
}): TelegramServer {
  const { token, botUsername = 'sandbox_bot', now = () => new Date(), store } = options
  /** By id. */
  const members = new Map<number, Member>()
  const listeners = new Set<(event: NetworkEvent) => void>()
  const emit = (event: NetworkEvent) => listeners.forEach((listener) => listener(event))

  function addMember(about: BotAbout): EmulatedBot {
    const { id, username } = about
    const state = createState({
      about,
      now,
      onChange: () => emit({ type: 'bots' }),
      store: store?.ofBot(id),
    })
    const dispatcher = createDispatcher(state, {
      token: (botId) => managedBy(id, botId).state.about().token,
      replaceToken: (botId) => replaceToken(managedBy(id, botId)),
    })
    const bot = createEmulatedBot(state, dispatcher, {
      addUser: (user) => addUser(user, member),
      replaceToken: () => replaceToken(member),
      tellManager: () => tellManager(member),
      remove: () => remove(member),
    })
    const member = { state, dispatcher, bot }
    for (const { user } of [...members.values()][0]?.state.log.chats() ?? [])
      if (!isGroup(user)) state.log.addUser(user)
    state.log.subscribe((event) => emit({ ...event, bot: username }))
    members.set(id, member)
    emit({ type: 'bots' })
    return bot
  }

  /** People are known to all bots, a group only to the one that adds it. */
  function addUser(user: EmulatedUser, by: Member): void {
    for (const { state } of isGroup(user) ? [by] : members.values()) {
      const { log, menu } = state
      log.addUser(user)
      const commands = menu.visibleTo(user.id, user.languageCode)
      log.emit({ type: 'commands', chatId: user.id, commands })
    }
  }

  function find(username: string): Member | undefined {
    const wanted = username.toLowerCase()
    return [...members.values()].find(({ bot }) => bot.botUsername.toLowerCase() === wanted)
  }

  /** @throws Error when no bot has this username */
  function memberOf(username: string): Member {
    const member = find(username)
    if (!member) throw new Error(`there is no bot @${username} in the emulator`)
    return member
  }

  /** @throws ApiError in the words of `bots.exportBotToken` */
  function managedBy(managerId: number, botId: number): Member {
    const member = members.get(botId)
    if (member?.state.about().managerId !== managerId) throw badRequest('BOT_INVALID')
    return member
  }

  function tellManager({ state }: Member): void {
    const { creatorId, managerId = 0 } = state.about()
    const manager = members.get(managerId)
    if (!manager || creatorId === undefined) return
    const user = toWireUser(manager.state.log.chatOf(creatorId).user)
    manager.state.updates.push({ managed_bot: { user, bot: state.bot() } })
  }

  /** Ends everything that goes by the token of the bot. Updates that wait stay, as they belong to the bot (telegram-bot-api). */
  function endToken({ state }: Member): void {
    state.longPoll.refuse(401, 'Unauthorized')
    state.webhook.set(undefined)
    state.updates.allow([])
  }

  function replaceToken(member: Member): string {
    const changed = newToken(member.state.about().id)
    endToken(member)
    member.state.change({ token: changed })
    tellManager(member)
    return changed
  }

  function remove(member: Member): void {
    members.delete(member.state.about().id)
    endToken(member)
    member.state.forget()
    emit({ type: 'bots' })
  }

  function addBot({
    username,
    name = username,
    ownerId,
    token: given,
  }: Parameters<TelegramEmulator['addBot']>[0]) {
    const problem = problemOfBot({ username, name })
    if (problem !== undefined) throw new Error(problem)
    const id = given === undefined ? freeId() : idOf(given)
    if (members.has(id)) throw new Error(`there is a bot ${id} already`)
    const owner = ownerId !== undefined && { ownerId, creatorId: ownerId }
    return addMember({ ...aboutOf(username, name), id, token: given ?? newToken(id), ...owner })
  }

  function freeId(): number {
    return Math.max(FIRST_BOT_ID, ...[...members.keys()].map((id) => id + 1))
  }

  /** Returns why Telegram refuses these names (`bots.createBot`); undefined when it takes them. */
  function problemOfBot({ username, name }: Pick<NewBot, 'username' | 'name'>): string | undefined {
    if (!/^[a-z]\w{4,31}$/i.test(username)) return 'USERNAME_INVALID'
    if (!/bot$/i.test(username)) return 'USERNAME_SUFFIX_MISSING'
    if (find(username)) return 'USERNAME_OCCUPIED'
    return name.trim() === '' || countCharacters(name) > MAX_NAME ? 'NAME_INVALID' : undefined
  }

  function newBotDialog(link: string): NewBot {
    const read = readBotLink(link)
    if (read?.kind !== 'new-bot') throw new Error(`no link to a dialog for a new bot: ${link}`)
    if (!memberOf(read.dialog.manager).state.about().canManageBots)
      throw new Error('MANAGER_PERMISSION_MISSING')
    return read.dialog
  }

  function createManagedBot(
    userId: number,
    { manager, username, name }: NewBot,
    from: 'link' | 'button' = 'link',
  ): EmulatedBot {
    const { state } = memberOf(manager)
    const { id: managerId, canManageBots } = state.about()
    state.log.chatOf(userId)
    const owned = [...members.values()].filter(({ bot }) => bot.about().ownerId === userId)
    if (!canManageBots) throw new Error('MANAGER_PERMISSION_MISSING')
    if (owned.length >= MAX_OWNED) throw new Error('BOT_CREATE_LIMIT_EXCEEDED')
    const problem = problemOfBot({ username, name })
    if (problem !== undefined) throw new Error(problem)
    const id = freeId()
    const people = { ownerId: userId, creatorId: userId, managerId }
    const bot = addMember({ ...aboutOf(username, name.trim()), id, token: newToken(id), ...people })
    const member = members.get(id)
    if (from === 'button' && member) announceCreated(state, userId, member.state.bot())
    if (member) tellManager(member)
    return bot
  }

  function followLink(userId: number, link: string): EmulatedBot {
    const read = readBotLink(link)
    if (read?.kind !== 'chat') throw new Error(`no link to a chat with a bot: ${link}`)
    const { bot, state } = memberOf(read.username)
    const { started, blocked } = state.log.chatOf(userId)
    if (started && !blocked && read.start === undefined) return bot
    bot.setBlocked(userId, false)
    bot.send(userId, read.start === undefined ? '/start' : `/start ${read.start}`)
    return bot
  }

  function close(): void {
    for (const { state } of members.values()) {
      state.longPoll.close()
      state.webhook.close()
    }
  }

  const id = idOf(token)
  const kept = store?.bots() ?? []
  const known = kept.find((about) => about.id === id)
  const first = addMember({ ...aboutOf(botUsername), ...known, id, token, username: botUsername })
  for (const about of kept) if (about.id !== id) addMember(about)

  return {
    ...first,
    get token() {
      return first.token
    },
    bots: () => [...members.values()].map(({ bot }) => bot),
    bot: (username) => memberOf(username).bot,
    addBot,
    followLink,
    newBotDialog,
    createManagedBot,
    subscribeToAll: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wasFaulty: () => [...members.values()].some(({ dispatcher }) => dispatcher.wasFaulty()),
    botApi: botApiPlugin({
      find: (given) => {
        const member = [...members.values()].find(({ state }) => state.about().token === given)
        return member && { dispatcher: member.dispatcher, files: member.state.files }
      },
      close,
    }),
    close,
  }
}

/** Returns what is known about a bot that was just made, but for its ids. */
function aboutOf(username: string, name?: string): Pick<BotAbout, 'username' | 'canManageBots' | 'texts'> {
  const texts = { name: name === undefined ? {} : { '': name }, description: {}, shortDescription: {} }
  return { username, canManageBots: false, texts }
}

/** Returns the id of the bot that a token belongs to. */
function idOf(token: string): number {
  return Number.parseInt(token, 10) || 1
}

/** Returns a token of the form that Telegram's have: the id of the bot, and 35 characters. */
function newToken(botId: number): string {
  return `${botId}:AA${randomBytes(25).toString('base64url').slice(0, 33)}`
}
