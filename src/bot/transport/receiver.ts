import type { Update } from 'grammy/types'

/** Resolves when an update of a bot has been handled, or turned away. */
export type TakeUpdate = (update: Update) => Promise<void>

/** One of the ways in which updates come in: long polling or a webhook. */
export interface Receiver {
  /**
   * Tells Telegram how updates are received; may be repeated.
   *
   * @throws Telegram's refusal, or that it cannot be reached
   */
  connect(): Promise<void>
  /** Begins to receive; called after {@link connect}. */
  start(): void
  /** Ends what is in hand and takes no more. */
  stop(): Promise<void>
  /** Whether updates can come in. */
  readonly alive: boolean
}
