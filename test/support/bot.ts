import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type BotOptions, createBot } from '../../src/bot/create-bot.ts'
import type { Core } from '../../src/core/core.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { createPhone } from './phone.ts'
import { BASE_URL, JWT_SECRET, openService, PASSWORD, type ServiceOptions } from './service.ts'
import { serveTelegram } from './telegram-server.ts'

export const BOT_TOKEN = '42:token-of-the-tests-0123456789abcdefgh'
export const MEMBER = { username: 'customer', password: PASSWORD }

export interface StartBotOptions extends Partial<Omit<BotOptions, 'core'>> {
  /** Changes the service before the bot gets it: something in it is broken or slow. */
  readonly change?: (core: Core) => Core
  readonly operatorChats?: readonly number[]
  readonly suppliers?: ServiceOptions['suppliers']
  readonly drivers?: ServiceOptions['drivers']
  readonly backups?: ServiceOptions['backups']
  readonly machine?: ServiceOptions['machine']
  readonly agentBots?: ServiceOptions['agentBots']
}

/**
 * The bot alone, with the service behind it and an emulator of Telegram, for tests of what no other door can bring about. It has
 * one account, {@link MEMBER}. What it logs is kept as it is: nothing hides a secret that a line should not hold.
 */
export async function startBot({
  change = (core) => core,
  operatorChats = [],
  suppliers,
  drivers,
  backups,
  machine,
  agentBots,
  ...options
}: StartBotOptions = {}) {
  const service = await openService({
    operatorChats,
    ...(suppliers && { suppliers }),
    ...(drivers && { drivers }),
    backups,
    machine,
    agentBots,
  })
  await service.customer(await service.agent(), { name: MEMBER.username, balance: 50 })
  const { telegram, apiRoot, shortcut, close } = await serveTelegram(BOT_TOKEN)
  const log: string[] = []
  const bot = createBot({
    core: change(service.core),
    clock: service.clock,
    token: BOT_TOKEN,
    apiRoot,
    shortcut,
    secret: JWT_SECRET,
    linkBases: {
      traffic: `${BASE_URL}/open/app/dynamic/extract/`,
      proxies: `${BASE_URL}/open/app/static/proxies/`,
    },
    logger: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
    ...options,
  })
  await bot.start()
  onTestFinished(async () => {
    await bot.stop()
    await close()
  })
  return {
    ...service,
    telegram,
    bot,
    log,
    /** Lines about something that is a bug. */
    bugs: () => log.filter((line) => line.includes('"level":50')),
    /** @param username the bot that the person talks with, of those in the emulator; default: the shop's */
    phone: (user: EmulatedUser, username?: string) =>
      createPhone(username === undefined ? telegram : telegram.bot(username), user),
  }
}

/** A promise that the test settles. */
export function gate<Value = void>() {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>((resolve) => (open = resolve))
  return { open, opened }
}
