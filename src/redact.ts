/**
 * Makes a function that removes secrets from a text that people will read.
 *
 * @param secrets texts that must never be shown, such as the bot token, which Telegram's addresses contain
 * @returns a function that puts `[secret]` in their places, and in that of user and password in any URL
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  return (text) =>
    secrets
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
      .replaceAll(/\/\/[^\s/@:]*:[^\s/@]*@/g, '//[secret]@')
}
