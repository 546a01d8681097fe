import type { Actor } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { literal } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { MAX_PAGE, type Page } from '../page.ts'
import { authorOf, selectTickets, type Ticket, type TicketMessage, ticketOf } from './ticket.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const TICKETS_PER_PAGE = 8
/** Maximum number of messages of a ticket that are shown, the latest. */
const LATEST = 10

export interface TicketThread extends Ticket {
  /** The latest messages, oldest first. */
  readonly messages: readonly TicketMessage[]
  /** Number of messages before these. */
  readonly earlier: number
}

/**
 * Reads a ticket with its latest messages (rules 15.3).
 *
 * @param reader undefined: the shop
 * @throws invalid_state for a ticket that the reader has nothing to do with
 */
export async function readTicket(
  { db }: Essentials,
  reader: Actor | undefined,
  ticketNo: string,
): Promise<TicketThread> {
  const { id, ...ticket } = await findTicket(db.read, reader, ticketNo)
  const { total } = await db.read.$kysely
    .selectFrom('ticketMessages')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('ticketId', '=', id)
    .executeTakeFirstOrThrow()
  const latest = await db.read.$kysely
    .selectFrom('ticketMessages')
    .select(['author', 'text', 'fileKind', 'fileId', 'createdAt'])
    .where('ticketId', '=', id)
    .orderBy('id', 'desc')
    .limit(LATEST)
    .execute()
  const messages = latest.toReversed().map(({ fileKind, fileId, ...message }) => ({
    ...message,
    file: fileId === null ? null : { kind: fileKind as 'photo' | 'document', id: fileId },
  }))
  return { ...ticket, messages, earlier: total - messages.length }
}

/**
 * Finds a ticket by its number, for its customer, the agent that answers it, or the shop.
 *
 * @param reader undefined: the shop
 * @throws invalid_state
 */
export async function findTicket(
  db: Readable,
  reader: Actor | undefined,
  ticketNo: string,
): Promise<Ticket & { readonly id: number }> {
  const found = await selectTickets(db.$kysely).where('t.ticketNo', '=', ticketNo).executeTakeFirst()
  if (!found || !authorOf(found, reader?.id)) throw new ServiceError('invalid_state')
  return ticketOf(found)
}

/**
 * Lists a page of the tickets of a customer, of those that an agent answers beside its own, or of the shop: those that wait for support
 * first, then those that wait for the customer, then closed ones; of each the latest first.
 *
 * @param reader undefined: the shop
 */
export async function listTickets(
  { db }: Essentials,
  reader: Actor | undefined,
  wanted = 1,
): Promise<Page<Ticket> & { readonly open: number }> {
  const page = Math.min(Math.max(wanted, 1), MAX_PAGE)
  const listed = selectTickets(db.read.$kysely).where(({ eb, or }) =>
    reader
      ? or([eb('t.accountId', '=', reader.id), eb('t.agentId', '=', reader.id)])
      : eb('t.agentId', 'is', null),
  )
  const { total, open } = await listed
    .clearSelect()
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('total'),
      fn.count<number>(eb.case().when('t.status', '=', 'open').then(1).end()).as('open'),
    ])
    .executeTakeFirstOrThrow()
  const items = await listed
    .orderBy(({ eb }) =>
      eb
        .case('t.status')
        .when('open')
        .then(literal(0))
        .when('waiting')
        .then(literal(1))
        .else(literal(2))
        .end(),
    )
    .orderBy('t.updatedAt', 'desc')
    .orderBy('t.id', 'desc')
    .offset((page - 1) * TICKETS_PER_PAGE)
    .limit(TICKETS_PER_PAGE)
    .execute()
  return {
    items: items.map(ticketOf),
    total,
    open,
    page,
    pageSize: TICKETS_PER_PAGE,
  }
}
