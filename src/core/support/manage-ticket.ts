import { type Actor, requireAgent } from '../access/actor.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { ServiceError } from '../errors.ts'
import { findTicket } from './read-tickets.ts'
import { authorOf } from './ticket.ts'
import { happened } from '../facts/happened.ts'

/**
 * Closes a ticket; the customer is told when support has done it (rules 15.4). A closed one stays as it is.
 *
 * @param closer undefined: the shop
 * @throws invalid_state
 */
export async function closeTicket(
  deps: Essentials,
  closer: Actor | undefined,
  ticketNo: string,
): Promise<void> {
  await deps.db.write(async (tx) => {
    const ticket = await findTicket(tx, closer, ticketNo)
    const now = deps.clock.now()
    const closed = await tx.$kysely
      .updateTable('tickets')
      .set({ status: 'closed', updatedAt: now })
      .where('id', '=', ticket.id)
      .where('status', '<>', 'closed')
      .returning('id')
      .executeTakeFirst()
    if (!closed || authorOf(ticket, closer?.id) === 'customer') return
    const { accountId: userId, topic } = ticket
    happened(tx, { kind: 'support.closed', userId, ticketNo, topic, at: now.toISOString() })
  })
}

/**
 * Passes a ticket of an agent's customer on to the shop, which gets what the customer wrote last (rules 15.3).
 *
 * @throws invalid_state
 */
export async function passTicketOn(deps: Essentials, agent: Actor, ticketNo: string): Promise<void> {
  await deps.db.write(async (tx) => {
    const ticket = await findTicket(tx, agent, ticketNo)
    if (ticket.agentId !== agent.id) throw new ServiceError('invalid_state')
    const now = deps.clock.now()
    await tx.$kysely
      .updateTable('tickets')
      .set({ agentId: null, status: 'open', updatedAt: now })
      .where('id', '=', ticket.id)
      .execute()
    const { id, text, fileKind, fileId } = await tx.$kysely
      .selectFrom('ticketMessages')
      .select(['id', 'text', 'fileKind', 'fileId'])
      .where('ticketId', '=', ticket.id)
      .where('author', '=', 'customer')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const file = fileId === null ? null : { kind: fileKind as 'photo' | 'document', id: fileId }
    const { username, topic } = ticket
    const news = { ticketNo, username, topic, text, file }
    happened(tx, { kind: 'support.asked', agentId: null, messageId: id, news })
  })
}

/**
 * Sets whether an agent answers the tickets of its sub-users itself, from now on (rules 15.3).
 *
 * @throws agent_required
 */
export async function setTakesTickets(
  { db, clock }: Essentials,
  agent: Actor,
  takes: boolean,
): Promise<void> {
  requireAgent(agent)
  await db.write((tx) =>
    tx.$kysely
      .updateTable('accounts')
      .set({ takesTickets: takes, updatedAt: clock.now() })
      .where('id', '=', agent.id)
      .execute(),
  )
}

export async function takesTickets({ db }: Essentials, agent: Pick<Actor, 'id'>): Promise<boolean> {
  const found = await db.read.$kysely
    .selectFrom('accounts')
    .select('takesTickets')
    .where('id', '=', agent.id)
    .executeTakeFirst()
  return found?.takesTickets ?? false
}

/** Returns the topic of a forum in which a ticket is answered; undefined when it has none yet. */
export async function threadOf(
  { db }: Essentials,
  chatId: number,
  ticketNo: string,
): Promise<number | undefined> {
  const found = await db.read.$kysely
    .selectFrom('ticketThreads as h')
    .innerJoin('tickets as t', 't.id', 'h.ticketId')
    .select('h.threadId')
    .where('t.ticketNo', '=', ticketNo)
    .where('h.chatId', '=', chatId)
    .executeTakeFirst()
  return found?.threadId
}

/** Remembers the topic of a forum for a ticket, in the place of one that was deleted there. */
export async function setThread(
  { db }: Essentials,
  chatId: number,
  ticketNo: string,
  threadId: number,
): Promise<void> {
  await db.write((tx) =>
    tx.$kysely
      .insertInto('ticketThreads')
      .columns(['ticketId', 'chatId', 'threadId'])
      .expression(({ selectFrom }) =>
        selectFrom('tickets')
          .select(({ val }) => ['id', val(chatId).as('chatId'), val(threadId).as('threadId')])
          .where('ticketNo', '=', ticketNo),
      )
      .onConflict((known) => known.columns(['ticketId', 'chatId']).doUpdateSet({ threadId }))
      .execute(),
  )
}
