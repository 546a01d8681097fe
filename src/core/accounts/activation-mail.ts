import { createHmac } from 'node:crypto'

/** Facts of an activation mail; the mailer writes the text. */
export interface ActivationMail {
  readonly to: string
  readonly username: string
  readonly link: string
  /** The agent under whose name it is sent (rules 20.4); undefined: the shop. */
  readonly brand: string | undefined
  /** Hours for which the link is valid. */
  readonly validHours: number
  /** The same for every repetition of this mail, so that a mail server can recognize it. */
  readonly id: string
}

/** Outcome; `rejected` when a repetition would be rejected too. */
export type MailResult =
  | { readonly status: 'sent' }
  | { readonly status: 'rejected'; readonly reason: string }

/** Sends mail; throws when it is unknown whether the mail was sent (a network fault), so that the job is retried. */
export interface Mailer {
  sendActivation(mail: ActivationMail): Promise<MailResult>
}

/**
 * Makes the tokens of activation links. They are derived, not random: a mail that has to be sent again after a crash carries the
 * same link, although the database holds only a hash of it.
 */
export class ActivationTokens {
  readonly #key: Buffer

  /** @param secret of the service; the key is derived from it, so that no token equals a signature made for another purpose */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('activation links').digest()
  }

  /** @param jobId the job that sends the mail: each mail has its own token */
  tokenFor(accountId: number, jobId: number): string {
    return createHmac('sha256', this.#key).update(`${accountId} ${jobId}`).digest('base64url')
  }
}
