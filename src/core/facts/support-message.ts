import type { TicketSubject } from '../../generated/prisma/client.ts'

/** What a ticket is about: an order of proxies or of traffic, a proxy or a top-up by its number, or an amount that is missing. */
export interface TicketTopic {
  readonly subject: TicketSubject
  readonly reference: string
  /** Current address of a proxy, `ip:port`, by which people name it. */
  readonly address?: string
}

/** A file that somebody has sent, which Telegram keeps. */
export interface SentFile {
  readonly kind: 'photo' | 'document'
  readonly id: string
}

/** What somebody has written. */
export interface Written {
  readonly text: string
  readonly file: SentFile | null
}
