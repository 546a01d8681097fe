import { randomInt } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { Username, usernameKey } from '../usernames.ts'
import { takenUsernames } from './create-account.ts'
import type { AccountDeps } from './deps.ts'

/** How a newcomer is called at Telegram. */
export interface TelegramProfile {
  readonly username?: string | undefined
  readonly firstName: string
}

/** Most characters of a name, so that a number has room behind it. */
const MOST_OF_NAME = 30
/** How many names with a number are tried at once. */
const NUMBERED = 6

const CYRILLIC =
  'а a|б b|в v|г g|д d|е e|ё e|ж zh|з z|и i|й y|к k|л l|м m|н n|о o|п p|р r|с s|т t|у u|ф f|х kh|ц ts'
const MORE_CYRILLIC = 'ч ch|ш sh|щ shch|ъ |ы y|ь |э e|ю yu|я ya|і i|ї yi|є ye|ґ g|ў u'
/** Russian, Ukrainian and Belarusian letters in Latin ones. */
const LATIN = new Map(
  `${CYRILLIC}|${MORE_CYRILLIC}`.split('|').map((pair) => pair.split(' ') as [string, string]),
)

/**
 * Suggests a free username (rules 2.5) for a newcomer: the one at Telegram, else the first name, in Latin letters where it can be written
 * in them; with a number where it is taken or too short; `user_` and a number where nothing of it can be a username. The attempts of a
 * chat are limited (rules 2.21): beyond, the name has a number anyhow.
 */
export async function suggestUsername(
  deps: AccountDeps,
  chatId: number,
  { username, firstName }: TelegramProfile,
): Promise<string> {
  const name = nameIn(username ?? '') ?? nameIn(firstName) ?? 'user'
  const numbered = Array.from(
    { length: NUMBERED },
    (_, at) => `${name}_${randomInt(1000, at < 3 ? 10_000 : 10_000_000)}`,
  )
  const [fallback = name] = numbered
  try {
    deps.joinThrottle.pass(chatId)
  } catch (error) {
    if (error instanceof ServiceError) return fallback
    throw error
  }
  const isWhole = name !== 'user' && Username.safeParse(name).success
  const candidates = isWhole ? [name, ...numbered] : numbered
  const taken = await takenUsernames(deps.db.read, candidates.map(usernameKey))
  return candidates.find((each) => !taken.has(usernameKey(each))) ?? fallback
}

/** What of a name can stand in a username; undefined when nothing can, or when it would be none even with a number. */
function nameIn(text: string): string | undefined {
  const name = Array.from(text.normalize('NFKC').toLowerCase(), (letter) => LATIN.get(letter) ?? letter)
    .join('')
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const short = Array.from(name).slice(0, MOST_OF_NAME).join('')
  return short !== '' && Username.safeParse(`${short}_1000`).success ? short : undefined
}
