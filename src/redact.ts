/**
 * Takes secrets out of a text that people will read.
 *
 * @param secrets texts that must never be shown, such as the bot token, which Telegram's addresses contain
 * @returns the text with `[secret]` in their places, and in that of a user with its password in any address
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  return (text) =>
    secrets
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
      .replaceAll(/\/\/[^\s/@:]*:[^\s/@]*@/g, '//[secret]@')
}
