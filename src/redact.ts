/** Tokens of bots as @BotFather writes them, at any place of a text, such as in an address of the Bot API. */
const BOT_TOKENS = /(?<!\d)\d{5,16}:[\w-]{30,}/g

/**
 * Makes a function that removes secrets from a text that people will read.
 *
 * @param secrets texts that must never be shown, such as the bot token, which Telegram's addresses contain
 * @returns a function that puts `[secret]` in their places, in that of the token of any bot (agents add theirs while the service runs),
 *   and in that of user and password in any URL
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  return (text) =>
    secrets
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
      .replaceAll(BOT_TOKENS, '[secret]')
      .replaceAll(/\/\/[^\s/@:]*:[^\s/@]*@/g, '//[secret]@')
}
