import { type TicketAuthor, TicketStatus, TicketSubject } from '../../generated/prisma/enums.ts'
import type { Queryable } from '../database/queries.ts'
import type { TicketTopic, Written } from '../facts/support-message.ts'

export const TICKET_STATUSES = Object.values(TicketStatus)
/** What a ticket can be about. */
export const TICKET_SUBJECTS = Object.values(TicketSubject)

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

/** Selects {@link Ticket}s: `tickets` as `t`, their accounts as `u`, the proxies that they are about as `i`; see {@link ticketOf}. */
export function selectTickets(db: Queryable['$kysely']) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('accounts as u', 'u.id', 't.accountId')
    .leftJoin('instances as i', (on) =>
      on.on('t.subject', '=', 'proxy').onRef('i.instanceNo', '=', 't.reference'),
    )
    .select(['t.id', 't.ticketNo', 't.accountId', 'u.username', 't.agentId', 't.subject', 't.reference'])
    .select(['t.status', 't.updatedAt', 'i.ip', 'i.port'])
}

/** Joins both parts of a topic to the text by which a customer's ticket on it is found; empty without a topic. */
export function topicKey(topic: TicketTopic | undefined): string {
  return topic ? `${topic.subject} ${topic.reference}` : ''
}

/** Converts a row of {@link selectTickets} to a ticket. */
export function ticketOf<Row extends Omit<Ticket, 'topic'> & Stored>({
  subject,
  reference,
  ip,
  port,
  ...ticket
}: Row): Omit<Row, keyof Stored> & Pick<Ticket, 'topic'> {
  const topic =
    subject === null || reference === null
      ? null
      : { subject, reference, ...(ip !== null && { address: `${ip}:${port}` }) }
  return { ...ticket, topic }
}

interface Stored {
  readonly subject: TicketSubject | null
  readonly reference: string | null
  readonly ip: string | null
  readonly port: number | null
}

/** Returns as whom somebody writes into a ticket; undefined when it is none of theirs. `writerId` undefined: the shop. */
export function authorOf(
  { accountId, agentId }: Pick<Ticket, 'accountId' | 'agentId'>,
  writerId: number | undefined,
): TicketAuthor | undefined {
  if (writerId === undefined) return 'shop'
  if (writerId === accountId) return 'customer'
  return writerId === agentId ? 'agent' : undefined
}
