import { SUPPORT } from '../../actions/support.ts'
import type { Button } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import type { TicketTopic } from '../../../core/facts/support-message.ts'

/**
 * The way to support, where there is one.
 *
 * @param topic what it is about; without it, the tickets so far
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
