import type { Essentials } from '../jobs/essentials.ts'
import { readSetting, writeSetting } from '../database/settings.ts'

/** Setting: JSON. */
const BOT = 'bot'

/** The bot of this shop at Telegram. */
export interface BotAccount {
  /** The number before the colon of its token, too. */
  readonly id: number
  readonly username: string
}

/** Keeps who the bot is, so that commands know it without asking Telegram. */
export async function keepBot({ db }: Pick<Essentials, 'db'>, { id, username }: BotAccount): Promise<void> {
  const value = JSON.stringify({ id, username })
  if ((await readSetting({ db }, BOT)) !== value) await db.write((tx) => writeSetting(tx, BOT, value))
}

/** The bot that ran here last; undefined before the first start. */
export async function keptBot({ db }: Pick<Essentials, 'db'>): Promise<BotAccount | undefined> {
  const value = await readSetting({ db }, BOT)
  return value === undefined ? undefined : (JSON.parse(value) as BotAccount)
}
