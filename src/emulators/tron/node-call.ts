import type { Hex20 } from './address.ts'
import type { View } from './view.ts'

/** Parameters from a query or a JSON body, of unknown types. */
export type Parameters = Readonly<Record<string, unknown>>

/** Returns a parameter as a text, empty when there is none. */
export function textOf(parameter: unknown): string {
  return typeof parameter === 'string' || typeof parameter === 'number' || typeof parameter === 'boolean'
    ? String(parameter)
    : ''
}

/** One call of a node: what it has seen, and how it is asked to write and read addresses. */
export interface NodeCall {
  readonly view: View
  /** The newest block that this interface shows; for `/walletsolidity`, the newest irreversible one. */
  readonly newest: number
  readonly visible: boolean
  readonly address: (hex: Hex20) => string
  readonly readAddress: (parameter: unknown) => Hex20 | undefined
}
