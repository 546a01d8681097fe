import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import { LOCALES } from '../texts/index.ts'

/** All commands, those in no menu as well. */
const COMMANDS: ReadonlySet<string> = new Set([...Object.keys(LOCALES[FALLBACK_LANGUAGE].commands), 'chatid'])

/** Whether a text is one of the bot's commands; what else begins with a slash may be a password. */
export function isCommand(text: string | undefined): boolean {
  const [, name = ''] = /^\/(\w+)(?:@\w+)?(?:\s|$)/.exec(text ?? '') ?? []
  return COMMANDS.has(name.toLowerCase())
}
