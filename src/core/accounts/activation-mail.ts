import { createHmac } from 'node:crypto'

/** What a new user must learn by mail; the mailer words it. */
export interface ActivationMail {
  readonly to: string
  readonly username: string
  readonly link: string
  /** Hours for which the link is good. */
  readonly validHours: number
  /** The same for every repetition of this mail, so that a mail server can tell that it is one. */
  readonly id: string
}

/** How it went; `rejected` when a repetition would be rejected too. */
export type MailResult =
  { readonly status: 'sent' } | { readonly status: 'rejected'; readonly reason: string }

/** Sends mail; throws when nobody knows whether it did (a network fault), which leads to a repetition. */
export interface Mailer {
  sendActivation(mail: ActivationMail): Promise<MailResult>
}

/**
 * Makes the tokens of activation links. They are derived, not drawn: a mail that has to be sent again after a crash carries
 * the same link, and still the database holds nothing but a hash of it.
 */
export class ActivationTokens {
  readonly #key: Buffer

  /** @param secret of the service; the key is derived from it, so that no token is ever a signature of something else */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('activation links').digest()
  }

  /** @param jobId the job that sends the mail: another mail gets another token */
  tokenFor(accountId: number, jobId: number): string {
    return createHmac('sha256', this.#key).update(`${accountId} ${jobId}`).digest('base64url')
  }
}
