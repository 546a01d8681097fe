import type { Actor } from '../access/actor.ts'
import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import {
  closeTicket,
  passTicketOn,
  setTakesTickets,
  setThread,
  takesTickets,
  threadOf,
} from './manage-ticket.ts'
import { listTickets, readTicket } from './read-tickets.ts'
import { openTicket, writeTicket } from './write-ticket.ts'

/** Questions of customers, to their agent or the shop. */
export function supportPart(deps: Essentials, supportContact: string | undefined) {
  const bind = binding(deps)
  return {
    /** Where customers write: a contact elsewhere, tickets, or false: nowhere, as nobody would read them (rules 15.1). */
    way: async () =>
      supportContact === undefined
        ? (await isAnybodyTold(deps, 'support_question')) && ('tickets' as const)
        : { url: supportContact },
    /** The same for the customers of an agent under its brand, who write tickets where it or the shop reads them (rules 20.4). */
    ticketsOf: async (agentId: number) =>
      ((await takesTickets(deps, { id: agentId })) || (await isAnybodyTold(deps, 'support_question'))) &&
      ('tickets' as const),
    open: bind(openTicket),
    write: (actor: Actor, input: Parameters<typeof writeTicket>[2]) => writeTicket(deps, actor, input),
    read: (actor: Actor, ticketNo: string) => readTicket(deps, actor, ticketNo),
    list: (actor: Actor, page?: number) => listTickets(deps, actor, page),
    close: (actor: Actor, ticketNo: string) => closeTicket(deps, actor, ticketNo),
    passOn: bind(passTicketOn),
    takesTickets: bind(takesTickets),
    setTakesTickets: bind(setTakesTickets),
    /** Topics of forums in which the shop answers tickets. */
    threadOf: bind(threadOf),
    setThread: bind(setThread),
  }
}
