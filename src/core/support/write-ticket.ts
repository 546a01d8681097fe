import { z } from 'zod'
import { type Actor, maySee } from '../access/actor.ts'
import { secondsSince } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { findTicket } from './read-tickets.ts'
import { authorOf, type Ticket, TICKET_SUBJECTS, topicKey } from './ticket.ts'
import { happened } from '../facts/happened.ts'
import type { TicketTopic } from '../facts/support-message.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of messages that a customer writes within {@link WINDOW_MS}. */
const MOST_MESSAGES = 20
const WINDOW_MS = 10 * 60_000
/** Maximum number of characters below the head of a message of Telegram, and of the caption of a file (Bot API: 4096 and 1024). */
const MAX_TEXT = 3500
const MAX_CAPTION = 800

export const TicketText = z.string().trim().max(MAX_TEXT)

const File = z.object({ kind: z.enum(['photo', 'document']), id: z.string().min(1).max(256) })

const Message = z
  .object({
    text: TicketText,
    file: File.nullish().transform((file) => file ?? null),
    /** Identifies the chat and its message, which is taken once, however often it comes. */
    source: z.string().min(1).max(64),
  })
  .refine(({ text, file }) => text !== '' || file, { path: ['text'], error: 'required' })
  .refine(({ text, file }) => !file || text.length <= MAX_CAPTION, {
    path: ['text'],
    error: 'caption_too_long',
  })

const Topic = z.object({ subject: z.enum(TICKET_SUBJECTS), reference: z.string().regex(/^\w{1,40}$/) })

const OpenInput = Message.safeExtend({ topic: Topic.optional() })
const WriteInput = Message.safeExtend({ ticketNo: z.string().max(64) })

type TicketRow = Ticket & { readonly id: number }

/**
 * Writes a customer's message to support about a topic (rules 15.1, 15.2): into its ticket on the topic that is not closed, or a new one.
 *
 * @throws invalid_state for a topic that is not the customer's, rate_limited, validation_error
 */
export async function openTicket(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof OpenInput>,
): Promise<string> {
  const { topic, ...message } = parseInput(OpenInput, input)
  return deps.db.write(async (tx) => {
    const before = await ticketOfSource(tx, message.source)
    if (before) return before
    if (topic) await requireOwn(tx, actor, topic)
    const number = (await unclosed(tx, actor.id, topic)) ?? (await addTicket(deps, tx, actor, topic))
    const ticket = await findTicket(tx, actor, number)
    await addMessage(deps, tx, ticket, actor, message)
    return number
  })
}

/**
 * Writes into a ticket, for its customer, the agent that answers it, or the shop (rules 15.2, 15.4). A closed one is open again.
 *
 * @param writer undefined: the shop
 * @returns the number of the ticket: where the customer has meanwhile a newer one on the same topic, that one
 * @throws invalid_state, rate_limited, validation_error
 */
export async function writeTicket(
  deps: Essentials,
  writer: Actor | undefined,
  input: z.input<typeof WriteInput>,
): Promise<string> {
  const { ticketNo, ...message } = parseInput(WriteInput, input)
  return deps.db.write(async (tx) => {
    const before = await ticketOfSource(tx, message.source)
    if (before) return before
    const meant = await findTicket(tx, writer, ticketNo)
    const number = (await unclosed(tx, meant.accountId, meant.topic ?? undefined)) ?? ticketNo
    await addMessage(deps, tx, await findTicket(tx, writer, number), writer, message)
    return number
  })
}

async function addMessage(
  deps: Essentials,
  tx: Tx,
  ticket: TicketRow,
  writer: Actor | undefined,
  { text, file, source }: z.output<typeof Message>,
): Promise<void> {
  const now = deps.clock.now()
  const author = authorOf(ticket, writer?.id)
  if (!author) throw new ServiceError('invalid_state')
  if (author === 'customer') await checkRate(deps, tx, ticket.accountId)
  const { id } = await tx.$kysely
    .insertInto('ticketMessages')
    .values({
      ticketId: ticket.id,
      author,
      text,
      fileKind: file?.kind ?? null,
      fileId: file?.id ?? null,
      source,
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.$kysely
    .updateTable('tickets')
    .set({ status: author === 'customer' ? 'open' : 'waiting', updatedAt: now })
    .where('id', '=', ticket.id)
    .execute()
  const { ticketNo, username, accountId, agentId, topic } = ticket
  const message = { messageId: id, news: { ticketNo, username, topic, text, file } }
  // Whoever answers is told: the agent, or the chats of the operator (rules 15.3).
  if (author === 'customer') happened(tx, { kind: 'support.asked', agentId, ...message })
  else happened(tx, { kind: 'support.answered', userId: accountId, ...message })
}

async function addTicket(
  { clock }: Essentials,
  tx: Tx,
  actor: Actor,
  topic: TicketTopic | undefined,
): Promise<string> {
  const now = clock.now()
  const agent =
    actor.agentId === null
      ? undefined
      : await tx.$kysely
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', actor.agentId)
          .where('takesTickets', '=', true)
          .where('status', '=', 'active')
          .executeTakeFirst()
  const ticketNo = newNumber('H', now)
  await tx.$kysely
    .insertInto('tickets')
    .values({
      ticketNo,
      accountId: actor.id,
      agentId: agent?.id ?? null,
      subject: topic?.subject ?? null,
      reference: topic?.reference ?? null,
      topic: topicKey(topic),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return ticketNo
}

/** Returns the number of the customer's ticket on this topic that is not closed. */
async function unclosed(
  tx: Tx,
  accountId: number,
  topic: TicketTopic | undefined,
): Promise<string | undefined> {
  const found = await tx.$kysely
    .selectFrom('tickets')
    .select('ticketNo')
    .where('accountId', '=', accountId)
    .where('topic', '=', topicKey(topic))
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  return found?.ticketNo
}

/** Returns the number of the ticket that has this message already. */
async function ticketOfSource(tx: Tx, source: string): Promise<string | undefined> {
  const found = await tx.$kysely
    .selectFrom('ticketMessages as m')
    .innerJoin('tickets as t', 't.id', 'm.ticketId')
    .select('t.ticketNo')
    .where('m.source', '=', source)
    .executeTakeFirst()
  return found?.ticketNo
}

/** @throws rate_limited */
async function checkRate({ clock }: Essentials, tx: Tx, accountId: number): Promise<void> {
  const since = new Date(clock.now().getTime() - WINDOW_MS)
  const [oldest, ...others] = await tx.$kysely
    .selectFrom('ticketMessages as m')
    .innerJoin('tickets as t', 't.id', 'm.ticketId')
    .select('m.createdAt')
    .where('t.accountId', '=', accountId)
    .where('m.author', '=', 'customer')
    .where('m.createdAt', '>', since.toISOString())
    .orderBy('m.id')
    .limit(MOST_MESSAGES)
    .execute()
  if (oldest && others.length + 1 === MOST_MESSAGES)
    throw new ServiceError('rate_limited', {
      retryAfter: Math.ceil(WINDOW_MS / 1000 - secondsSince(clock, oldest.createdAt)),
    })
}

/** @throws invalid_state for an order, a proxy or a top-up that the customer does not have */
async function requireOwn(tx: Tx, actor: Actor, { subject, reference }: TicketTopic): Promise<void> {
  const { $kysely: db } = tx
  const found = {
    order: () =>
      db
        .selectFrom('staticOrders')
        .select('id')
        .where('orderNo', '=', reference)
        .where(({ ref }) => maySee(actor, ref('userId')))
        .executeTakeFirst(),
    proxy: () =>
      db
        .selectFrom('instances')
        .select('id')
        .where('instanceNo', '=', reference)
        .where(({ ref }) => maySee(actor, ref('userId')))
        .executeTakeFirst(),
    traffic: () =>
      db
        .selectFrom('dynamicOrders')
        .select('id')
        .where('orderNo', '=', reference)
        .where(({ ref }) => maySee(actor, ref('userId')))
        .executeTakeFirst(),
    top_up: () =>
      db
        .selectFrom('topUps')
        .select('id')
        .where('orderNo', '=', reference)
        .where('userId', '=', actor.id)
        .executeTakeFirst(),
    money: () => Promise.resolve({ id: 0 }),
  } as const
  if (!(await found[subject]())) throw new ServiceError('invalid_state')
}
