/** What the drivers of suppliers and the reader of the chain say in English: `$1` of a translation is what stands in brackets. */
const REASONS = {
  secretSize: /^the secret has (\d+) bytes instead of (\d+)$/,
  keyEmpty: /^the key is empty$/,
  notDecrypted: /^\w+: the data cannot be decrypted; is the secret right\?$/,
  accountDisabled: /^\w+: the account is disabled$/,
  notEncrypted: /^the address of the supplier must be https/,
  keyIsUsername: /^The key is the username, the secret the password$/,
  noLogIn: /^There is no log-in at this address: HTTP (\d+)$/,
  logInTimeout: /^The log-in was not answered in time$/,
  noConnection: /^(?:no answer|No connection to \S+): (.+)$/,
  brokenAnswer: /^No whole answer from (\S+): (.+)$/,
  timeout: /^(?:no whole answer in time|given up before the request)$/,
  tooLarge: /^the answer is too large$/,
  httpStatus: /^\w+: HTTP (\d+)$/,
  unreadable: /cannot be read$|has not the expected shape/,
  otherOrder: /the answer is about another order$/,
} as const

/** The reasons in a language other than English. */
export type ReasonWords = Readonly<Record<keyof typeof REASONS, string>>

/** Returns a reason in the language of the words; undefined for one that is not among them. */
export function translatedReason(words: ReasonWords, reason: string): string | undefined {
  const [name, known] = Object.entries(REASONS).find(([, form]) => form.test(reason)) ?? []
  if (!name || !known) return undefined
  const text = words[name as keyof ReasonWords]
  return known.exec(reason)?.[0] === reason ? reason.replace(known, text) : text
}
