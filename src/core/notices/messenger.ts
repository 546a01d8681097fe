import type { Actor } from '../access/actor.ts'
import type { ChatLocale } from '../chat-locale.ts'
import type { ProxyFormat } from '../proxy-formats.ts'
import type { DigestKind, NoticeFacts, OwnKind } from './kinds.ts'
import type { OperatorFacts, OperatorFactKind } from '../facts/operator-facts.ts'
import type { Broadcast } from './content.ts'

/** A chat that gets a notice. */
interface Recipient extends ChatLocale {
  readonly proxyFormat: ProxyFormat
  /** Who is logged in there. */
  readonly recipient: Actor
  /** Whether other accounts are logged in there, too, so that it must be said whose notice it is. */
  readonly amongOthers: boolean
}

/** The content of a notice: its kind, its subject and the facts of the event. */
interface Told<Kind, Facts> {
  readonly kind: Kind
  readonly subject: string
  readonly facts: Facts
}

/** A notice to an account about its own records, or about an order that it placed for a sub-user. */
export type Notice = { [Kind in OwnKind]: Recipient & Told<Kind, NoticeFacts[Kind]> }[OwnKind]

/** Notices to an agent about its sub-users: all of a kind that came in within a short time; at least one. */
export type Digest = {
  [Kind in DigestKind]: Recipient & {
    readonly kind: Kind
    readonly items: readonly (Omit<Told<Kind, NoticeFacts[Kind]>, 'kind'> & { readonly about: SubUser })[]
  }
}[DigestKind]

export interface SubUser {
  readonly id: number
  readonly username: string
}

/** A notice to the operator, in a chat where nobody needs to be logged in. */
export type OperatorNotice = {
  [Kind in OperatorFactKind]: Omit<Recipient, 'recipient' | 'amongOthers'> & Told<Kind, OperatorFacts[Kind]>
}[OperatorFactKind]

/** The live screen of a chat of the operator that shows a broadcast. */
export interface BroadcastScreen extends ChatLocale {
  readonly messageId: number
  readonly broadcast: Broadcast
}

/**
 * Outcome of an attempt to send a notice: `blocked` when the chat cannot be written to, `held` when its bot does not work now, `void` when the notice is no longer valid,
 * `refused` when it would be refused each time, `later` when it certainly or possibly did not arrive.
 */
export type DeliveryResult =
  | { readonly status: 'sent' }
  | { readonly status: 'blocked' }
  | { readonly status: 'held' }
  | { readonly status: 'void' }
  | { readonly status: 'refused'; readonly reason: string }
  | {
      readonly status: 'later'
      readonly retryAfterMs?: number
      readonly reason: string
      /** The failure is not about this message: Telegram cannot be reached, or limits the rate. */
      readonly waiting?: boolean
    }

/** Sends notices to people; implemented by the bot. */
export interface Messenger {
  tell(notice: Notice): Promise<DeliveryResult>
  tellAboutSubUsers(digest: Digest): Promise<DeliveryResult>
  tellOperator(notice: OperatorNotice): Promise<DeliveryResult>
  /** Updates the screen with the progress of a broadcast; best effort. */
  showProgress(screen: BroadcastScreen): Promise<void>
}
