import { vi } from 'vitest'
import { hashOf } from '../../src/core/token-hash.ts'
import type { EmulatedBot } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from './patience.ts'
import { AGENT, BEN, CUSTOMER, type Product } from './product.ts'

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
  await product.core.accounts.adjustSubUserBalance(agent, id, change as never)
}

/** How many messages of a bot a person has with a text. */
export function copiesOf(bot: EmulatedBot, { id }: { readonly id: number }, text: string): number {
  return bot.messages(id).filter((message) => message.from === 'bot' && message.text.includes(text)).length
}
