import type { ProductProcess } from '../../support/process.ts'
import type { openSeveralShop } from '../several-shop.ts'

export type Shop = Awaited<ReturnType<typeof openSeveralShop>>

/** Something that clients do again and again. */
export interface Part {
  /** Says which one hangs. */
  readonly name: string
  /** How many clients do it at the same time. */
  readonly clients: number
  /**
   * Does it once, however often it has to be repeated.
   *
   * @returns a moment at which it was not done yet, on the clock of `performance`; undefined: nothing came of it
   */
  step(): Promise<number | undefined>
  /** Proves that all of it is there once, and nothing else. */
  prove?(): Promise<void>
  /** What a person would look at when it does not go on. */
  tell?(): string
}

/** Asks all servers in turn, again and again, until one acknowledges. */
export interface Asking {
  ask<Answer>(
    request: (
      server: ProductProcess,
      sending: { readonly token: string; readonly patienceMs: number },
    ) => Promise<Answer>,
  ): Promise<Answer>
}
