import type { TicketTopic } from '../../core/facts/support-message.ts'
import { TICKET_SUBJECTS } from '../../core/support/ticket.ts'
import { action } from '../kit/action.ts'
import { flag, oneOf, optional, pageAsLeft, pageNumber, text } from '../kit/parameters.ts'
import type { Button } from '../kit/screen.ts'
import type { View } from '../kit/view.ts'

const ticket = { ticketNo: text }

/** Buttons of customers, and of agents that answer them. */
export const SUPPORT = {
  list: action('sup', { page: pageAsLeft }),
  /** Writes about something, or about nothing in particular. */
  ask: action('spa', { subject: optional(oneOf(TICKET_SUBJECTS)), reference: optional(text) }),
  view: action('spv', ticket),
  write: action('spw', ticket),
  close: action('spx', ticket),
  passOn: action('spp', ticket),
  takes: action('spt', { on: flag }),
} as const

/** Buttons of tickets in the operator's chats. */
export const DESK = {
  list: action('dkl', { page: pageNumber }),
  view: action('dkv', ticket),
  write: action('dkw', ticket, 'ticket.answer'),
  close: action('dkx', ticket, 'ticket.close'),
} as const

/**
 * Returns the button that leads to support, where there is any.
 *
 * @param topic what the question is about; without it, the button leads to the tickets so far
 */
export function supportButtons(
  { texts, support = false }: Pick<View, 'texts' | 'support'>,
  topic?: TicketTopic,
): Button[] {
  if (support === false) return []
  const { button } = texts.support
  if (support !== 'tickets') return [{ text: button, url: support.url }]
  return [{ text: button, data: topic ? SUPPORT.ask.data(topic) : SUPPORT.list.data() }]
}
