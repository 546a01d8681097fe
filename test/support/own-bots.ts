import type { Actor } from '../../src/core/access/actor.ts'
import { vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createCore } from '../../src/core/core.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { hashOf } from '../../src/core/token-hash.ts'
import type { EmulatedBot } from '../../src/emulators/telegram/types.ts'
import { createInventory } from '../../src/suppliers/inventory/inventory.ts'
import { atTheEnd } from './clean-up.ts'
import { PATIENCE } from './patience.ts'
import { urlOf } from './postgres.ts'
import { AGENT, BEN, CUSTOMER, type Product, SECRET } from './product.ts'

/** Ben, with his Telegram in English. */
export const OWNER = { ...BEN, languageCode: 'en' }
/** Some people who are customers of nobody yet. */
export const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }
export const DORA = { id: 504, firstName: 'Dora', languageCode: 'en' }

export async function agentOf({ core }: Product) {
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  return core.accounts.authenticate(token)
}

/** The agent has pasted the token of a bot; nobody has opened it yet. Returns the parameter of its one-time link, too. */
export async function pastedBot(product: Product, username: string) {
  const { telegram, core } = product
  telegram.addUser(OWNER)
  const bot = telegram.addBot({ username, ownerId: OWNER.id })
  const { id: botId, token } = bot.about()
  const added = { botId, username, name: username, token, ownerId: OWNER.id, managed: false }
  const start = (await core.bots.add(await agentOf(product), added)) ?? ''
  await untilPolls(bot)
  return { bot, botId, start, link: `https://t.me/${username}?start=${start}` }
}

/** A pasted bot that its owner has opened. */
export async function openedBot(product: Product, username: string) {
  const pasted = await pastedBot(product, username)
  product.telegram.followLink(OWNER.id, pasted.link)
  await product.phone(OWNER, username).waitFor('✅', { evenOld: true })
  return pasted
}

/** The agent makes a bot with Telegram's own dialog. @param ben its phone in the shop's bot */
export async function managedBot(
  { telegram }: Product,
  ben: ReturnType<Product['phone']>,
  username: string,
): Promise<EmulatedBot> {
  telegram.setCanManageBots(true)
  ben.send('/start')
  await ben.press('🤖 My bot')
  const { keyboard } = await ben.waitForButton('➕ Make a bot').then(({ message }) => message)
  const link = keyboard.flat().find(({ text }) => text === '➕ Make a bot')?.value ?? ''
  const made = telegram.createManagedBot(OWNER.id, {
    ...telegram.newBotDialog(link),
    name: username,
    username,
  })
  await untilPolls(made)
  return made
}

export function untilPolls(bot: EmulatedBot): Promise<unknown> {
  return vi.waitUntil(() => bot.calls().some(({ method }) => method === 'getUpdates'), PATIENCE)
}

/** Somebody who is logged in in the shop's bot enters that of the agent by the one-time link. */
export async function enter(product: Product, user: typeof CARL, username: string) {
  const { core, telegram } = product
  const { actor } = await core.chats.session(user.id, 'en')
  if (!actor) throw new Error(`${user.firstName} is not logged in`)
  const phone = product.phone(user, username)
  const start = await core.bots.entry(user.id, actor)
  telegram.followLink(user.id, `https://t.me/${username}?start=${start}`)
  await phone.waitFor('👤', { evenOld: true })
  return phone
}

export async function stateOf({ core }: Product, username: string): Promise<string> {
  return (await core.bots.find(username)).state
}

/** The agent gives its customer money. The remark is what the customer reads. */
export async function giveTo(product: Product, remark: string, username = CUSTOMER.username): Promise<void> {
  const agent = await agentOf(product)
  const { items } = await product.core.accounts.listSubUsers(agent, {})
  const { id = 0 } = items.find((each) => each.username === username) ?? {}
  const change = { amount: 1, remark, requestKey: hashOf(remark).slice(0, 20) }
  await product.core.accounts.adjustSubUserBalance(agent, id, change)
}

/** How many messages of a bot a person has with a text. */
export function copiesOf(bot: EmulatedBot, { id }: { readonly id: number }, text: string): number {
  return bot.messages(id).filter((message) => message.from === 'bot' && message.text.includes(text)).length
}

/** Bots of the agent in a database that no process works on yet, or beside those that do. */
export async function plantBots(
  database: string,
  telegram: Pick<Product['telegram'], 'addBot'>,
  usernames: readonly string[],
) {
  const db = await openDatabase(urlOf(database))
  atTheEnd(() => db.close())
  const suppliers = { inventory: createInventory(db.read) }
  const secrets = { jwtSecret: SECRET, secretsKey: SECRET, jwtTtl: 86_400 }
  const core = createCore({
    ...secrets,
    db,
    clock: systemClock,
    suppliers,
    currency: 'USD',
    agentBots: { most: [9] },
  })
  const { token: logIn } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(logIn)
  const bots: EmulatedBot[] = []
  for (const username of usernames) {
    const bot = telegram.addBot({ username, ownerId: OWNER.id })
    const { id: botId, token } = bot.about()
    await core.bots.add(agent, { botId, username, name: username, token, ownerId: OWNER.id, managed: true })
    bots.push(bot)
  }
  return { core, agent, bots }
}

/** Gives an agent a bot of its own, `@palace_bot`, which works when this resolves. */
export async function addAgentBot(
  { core, telegram }: Pick<Product, 'core' | 'telegram'>,
  agent: Actor,
  ownerId: number,
): Promise<EmulatedBot> {
  const bot = telegram.addBot({ username: 'palace_bot', name: 'Palace', ownerId })
  const { id: botId, username, token } = bot.about()
  await core.bots.add(agent, { botId, username, name: 'Palace', token, ownerId, managed: true })
  await untilPolls(bot)
  return bot
}

/** The agent's phone, on which it has made the bot `palace_bot` with Telegram's own dialog; the bot works. */
export async function ownBotOf(product: Product) {
  const { telegram } = product
  telegram.setCanManageBots(true)
  const ben = await product.memberPhone(OWNER, AGENT)
  await ben.press('🤖 My bot')
  const { keyboard } = await ben.waitFor('sells under your name')
  const link = keyboard.flat().find(({ text }) => text === '➕ Make a bot')?.value ?? ''
  const dialog = { ...telegram.newBotDialog(link), name: 'Proxy Palace', username: 'palace_bot' }
  const made = telegram.createManagedBot(OWNER.id, dialog)
  await untilPolls(made)
  return { ben, made }
}
