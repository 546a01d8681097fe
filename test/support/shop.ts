import { expect } from 'vitest'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { everythingStored } from './beside.ts'
import { startBot, type StartBotOptions } from './bot.ts'
import type { Phone } from './phone.ts'
import { ANN, logIn } from './product.ts'
import { PASSWORD } from './service.ts'

export type Shop = Awaited<ReturnType<typeof startShop>>

/** The bot, and Ann, who is logged in as the agent `boss` with a balance of 100. */
export async function startShop(user: EmulatedUser = ANN, options: StartBotOptions = {}) {
  const bot = await startBot(options)
  const boss = await bot.agent({ name: 'boss', balance: 100 })
  const ann = bot.phone(user)
  await logIn(ann, { username: 'boss', password: PASSWORD })
  return { ...bot, boss, ann }
}

/** Logs in as the API does. */
export function enter({ core }: Pick<Shop, 'core'>, username: string, password: string) {
  return core.accounts.logIn({ username, password, address: 'test' })
}

/** Presses a button several times at once, as an impatient thumb does; the keyboard may be gone meanwhile. */
export async function pressOften({ telegram }: Pick<Shop, 'telegram'>, phone: Phone, label: string | RegExp) {
  const { message, button } = await phone.waitForButton(label)
  const press = () => telegram.pressStale(phone.chatId, message.messageId, button.value)
  return Promise.all([press(), press(), press()])
}

/** None of the secrets stands in the log, on a phone, in any row, or in any page of a database file. */
export async function expectHidden(
  { database, path, log, telegram }: Pick<Shop, 'database' | 'path' | 'log' | 'telegram'>,
  ...secrets: readonly string[]
): Promise<void> {
  const phones = telegram.users().flatMap(({ id }) => telegram.messages(id).map(({ text }) => text))
  const everything = [await everythingStored({ database, path }), ...log, ...phones].join('\n')
  for (const secret of secrets) expect(everything.includes(secret), secret).toBe(false)
}
