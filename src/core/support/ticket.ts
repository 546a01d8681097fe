import { TicketStatus, type TicketAuthor } from '../../generated/prisma/client.ts'
import type { Queryable } from '../database/queries.ts'

export const TICKET_STATUSES = Object.values(TicketStatus)
/** What a ticket can be about. */
export const TICKET_SUBJECTS = ['order', 'proxy', 'traffic', 'top_up', 'money'] as const
export type TicketSubject = (typeof TICKET_SUBJECTS)[number]

/** What a ticket is about: an order of proxies or of traffic, a proxy or a top-up by its number, or an amount that is missing. */
export interface TicketTopic {
  readonly subject: TicketSubject
  readonly reference: string
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

export interface TicketMessage extends Written {
  readonly author: TicketAuthor
  readonly createdAt: string
}

/** Questions of a customer about one matter. */
export interface Ticket {
  readonly ticketNo: string
  readonly accountId: number
  readonly username: string
  /** The agent that answers; null: the shop. */
  readonly agentId: number | null
  readonly topic: TicketTopic | null
  readonly status: TicketStatus
  readonly updatedAt: string
}

/** Query of {@link Ticket}s: `tickets` as `t`, their accounts as `u`; `topic` as it is stored, see {@link topicOf}. */
export function selectTickets(db: Queryable['$kysely']) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('accounts as u', 'u.id', 't.accountId')
    .select(['t.id', 't.ticketNo', 't.accountId', 'u.username', 't.agentId', 't.topic', 't.status'])
    .select('t.updatedAt')
}

/** A topic as tickets keep it: `order S…`; empty for nothing in particular. */
export function storedTopic(topic: TicketTopic | undefined): string {
  return topic ? `${topic.subject} ${topic.reference}` : ''
}

/** The topic that is stored, see {@link storedTopic}. */
export function topicOf(stored: string): TicketTopic | null {
  const [subject = '', reference = ''] = stored.split(' ')
  return stored === '' ? null : { subject: subject as TicketSubject, reference }
}

/** Who writes: the customer, or whoever answers. */
export function authorOf(
  { accountId, agentId }: Pick<Ticket, 'accountId' | 'agentId'>,
  writerId: number | undefined,
): TicketAuthor | undefined {
  if (writerId === undefined) return 'shop'
  if (writerId === accountId) return 'customer'
  return writerId === agentId ? 'agent' : undefined
}
