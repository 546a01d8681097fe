import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Mailer } from '../core/accounts/activation-mail.ts'
import { activationText } from './activation-text.ts'

interface MailerOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string
  /** Address of the sender, with or without a name. */
  readonly from: string
  /** The same of mails under the names of agents, which stand in place of the name; undefined: the shop's. */
  readonly agentFrom?: string | undefined
  readonly logger: Logger
}

/** Time-outs in ms; their sum is well below the lease of a job, so that no second attempt begins while one is under way. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
}

/** Sends mail through an SMTP server, with one connection per mail: mails are few, so that no pool is needed. */
export function createMailer({ url, from, agentFrom = from, logger }: MailerOptions): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS })
  return {
    sendActivation: async (mail) => {
      const { brand } = mail
      const address = addressIn(brand === undefined ? from : agentFrom)
      const domain = /@(.+)$/.exec(address)?.[1] ?? 'localhost'
      try {
        await transport.sendMail({
          from: brand === undefined ? from : { name: brand, address },
          to: mail.to,
          messageId: `<activation-${mail.id}@${domain}>`,
          // Suppresses vacation replies (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...activationText(mail),
        })
        return { status: 'sent' }
      } catch (error) {
        const reason = rejection(error)
        if (reason === undefined) throw error
        logger.warn({ username: mail.username, reason }, 'an activation mail was rejected')
        return { status: 'rejected', reason }
      }
    },
  }
}

/** Returns the address of a sender without its name. */
function addressIn(sender: string): string {
  return /[^\s<>@]+@[^\s<>@]+(?=>?$)/.exec(sender)?.[0] ?? sender
}

/**
 * Returns why a mail is rejected for good: a permanent answer (RFC 5321, 4.2.1) to the recipient or the content. After any other
 * permanent answer, such as to a wrong SMTP password, the mail is retried: the operator can fix the cause.
 */
function rejection(error: unknown): string | undefined {
  const { code, command, responseCode } = (error ?? {}) as {
    code?: string
    command?: string
    responseCode?: number
  }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined
  if (responseCode === undefined && command === 'API') return 'the address cannot be written to'
  if (command !== 'RCPT TO' && command !== 'DATA') return undefined
  return responseCode !== undefined && responseCode >= 500
    ? `${command} was answered ${responseCode}`
    : undefined
}
