import type { FoundOrder } from '../../../core/customers/find-orders.ts'
import type { Texts } from '../../texts/index.ts'

/** The symbol of the state of an order. */
export function iconOf(texts: Texts, status: FoundOrder['status']): string {
  return status === 'exhausted' ? '⌛' : first(texts.status[status])
}

function first(text: string): string {
  return text.split(' ')[0] ?? ''
}
