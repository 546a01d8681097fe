import type { Essentials } from '../jobs/essentials.ts'
import { readSetting, writeSetting } from '../database/settings.ts'

/** Key of the setting that holds the {@link BotAccount} as JSON. */
const BOT = 'bot'

/** The bot of this shop at Telegram. */
export interface BotAccount {
  /** Id of the bot; also the number before the colon of its token. */
  readonly id: number
  readonly username: string
}

/** Stores the bot's id and username, so that commands know them without asking Telegram. */
export async function keepBot({ db }: Pick<Essentials, 'db'>, { id, username }: BotAccount): Promise<void> {
  const value = JSON.stringify({ id, username })
  if ((await readSetting({ db }, BOT)) !== value) await db.write((tx) => writeSetting(tx, BOT, value))
}

/** Returns the bot that ran here last; undefined before the first start. */
export async function keptBot({ db }: Pick<Essentials, 'db'>): Promise<BotAccount | undefined> {
  const value = await readSetting({ db }, BOT)
  return value === undefined ? undefined : (JSON.parse(value) as BotAccount)
}
