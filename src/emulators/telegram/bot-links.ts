import type { NewBot } from './types.ts'

/** A link to a bot: its chat, or the dialog that makes a bot which that bot will manage. */
export type BotLink =
  | { readonly kind: 'chat'; readonly username: string; readonly start?: string }
  | { readonly kind: 'new-bot'; readonly dialog: NewBot }

/**
 * Reads `https://t.me/USERNAME?start=PAYLOAD` and `https://t.me/newbot/MANAGER/SUGGESTED_USERNAME?name=NAME` (Telegram's deep links);
 * undefined for any other address. A payload has up to 64 letters, digits, "_" and "-"; Telegram's apps ignore any other.
 */
export function readBotLink(link: string): BotLink | undefined {
  const { host, pathname, searchParams } = URL.canParse(link) ? new URL(link) : new URL('about:blank')
  if (host !== 't.me') return undefined
  const [first = '', manager = '', username = '', ...rest] = pathname.slice(1).split('/')
  if (first === 'newbot' && manager !== '' && rest.length === 0) {
    return { kind: 'new-bot', dialog: { manager, username, name: searchParams.get('name') ?? '' } }
  }
  if (manager !== '' || !/^\w{4,32}$/.test(first)) return undefined
  const start = searchParams.get('start')
  return {
    kind: 'chat',
    username: first,
    ...(start !== null && /^[\w-]{1,64}$/.test(start) && { start }),
  }
}
