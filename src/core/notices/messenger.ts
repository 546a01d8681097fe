import type { Actor } from '../access.ts'
import type { Broadcast } from '../broadcasts/broadcast.ts'
import type { Language } from '../catalog/places.ts'
import type { ProxyFormat } from '../orders/proxy-formats.ts'
import type { DigestKind, NoticeFacts, NoticeKind, OperatorNoticeFacts, OperatorNoticeKind } from './kinds.ts'

/** A chat that is told something. */
interface Recipient {
  readonly chatId: number
  readonly language: Language
  readonly proxyFormat: ProxyFormat
  /** Who is logged in there. */
  readonly recipient: Actor
}

/** What is told in a notice: the kind, what it is about, and the facts of that moment. */
interface Told<Kind, Facts> {
  readonly kind: Kind
  readonly subject: string
  readonly facts: Facts
}

/** What somebody is told about its own matters, or about what it has done for a sub-user. */
export type Notice = { [Kind in NoticeKind]: Recipient & Told<Kind, NoticeFacts[Kind]> }[NoticeKind]

/** What an agent is told about its sub-users: all of a kind that came in within a short time; at least one. */
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

/** What the operator is told, in a chat where nobody need be logged in. */
export type OperatorNotice = {
  [Kind in OperatorNoticeKind]: Omit<Recipient, 'recipient'> & Told<Kind, OperatorNoticeFacts[Kind]>
}[OperatorNoticeKind]

/** The live screen of a chat of the operator that shows a broadcast. */
export interface BroadcastScreen {
  readonly chatId: number
  readonly language: Language
  readonly messageId: number
  readonly broadcast: Broadcast
}

/**
 * How an attempt to tell somebody went: `void` when there is nothing to tell any more, `later` when it is certain, or
 * possible, that nothing arrived.
 */
export type DeliveryResult =
  | { readonly status: 'sent' }
  | { readonly status: 'blocked' }
  | { readonly status: 'void' }
  | {
      readonly status: 'later'
      readonly retryAfterMs?: number
      readonly reason: string
      /** Nothing gets through at the moment, or not so fast: it is not about this message. */
      readonly waiting?: boolean
    }

/** Tells people something; the bot is one. */
export interface Messenger {
  tell(notice: Notice): Promise<DeliveryResult>
  tellAboutSubUsers(digest: Digest): Promise<DeliveryResult>
  tellOperator(notice: OperatorNotice): Promise<DeliveryResult>
  /** Shows how far a broadcast is; only the screen is lost when that fails. */
  showProgress(screen: BroadcastScreen): Promise<void>
}
