import type { Content } from './content.ts'
import type { FactOf } from '../facts/facts.ts'
import type { NoFacts, SupportNews } from '../facts/operator-facts.ts'
import type { Micros } from '../money.ts'

/** The facts of which the text of a notice is made, beside its kind and subject. Times are ISO 8601. */
export interface NoticeFacts {
  readonly order_ready: OrderFacts
  readonly order_partial: OrderFacts
  readonly order_failed: OrderFacts
  readonly order_delayed: Pick<FactOf<'order.delayed'>, 'ordered'>
  /** `automatic` is false when somebody asked for it and a supplier has carried it out; missing where no supplier was asked. */
  readonly renewal_done: Pick<
    FactOf<'renewal.automatic'>,
    'orderNo' | 'count' | 'amount' | 'balance' | 'expireTime'
  > &
    Partial<Pick<FactOf<'renewal.ended'>, 'automatic'>>
  readonly renewal_failed: Omit<FactOf<'renewal.refused'>, 'kind' | 'userId'> & {
    /** Amount that was given back, when the supplier did not renew them. */
    readonly refund?: Micros
  } & Partial<Pick<FactOf<'renewal.ended'>, 'automatic'>>
  readonly credentials_changed: Pick<FactOf<'credentials.reset'>, 'orderNo' | 'instanceNo' | 'changed'>
  readonly proxies_ended: Pick<FactOf<'proxies.ended'>, 'orderNo' | 'count' | 'reason'>
  readonly expiring_72h: ExpiryFacts
  readonly expiring_24h: ExpiryFacts
  readonly expired: Pick<FactOf<'proxies.expired'>, 'orderNo' | 'count' | 'renewableUntil'>
  readonly proxy_dead: Omit<FactOf<'proxy.dead'>, 'kind' | 'userId'>
  readonly replacement_ended: Omit<FactOf<'replacement.ended'>, 'kind' | 'userId' | 'replacementNo'>
  readonly traffic_80: TrafficFacts
  readonly traffic_100: TrafficFacts
  readonly low_balance: Omit<FactOf<'balance.low'>, 'kind' | 'userId'>
  /** Without `agent` in notices of an older version. */
  readonly balance_adjusted: Omit<FactOf<'balance.adjusted'>, 'kind' | 'userId' | 'number'>
  readonly balance_returned: Pick<FactOf<'balance.returned'>, 'username' | 'amount' | 'balance'>
  readonly webhook_off: Pick<FactOf<'webhook.off'>, 'webhookId' | 'host' | 'reason'>
  readonly new_log_in: Pick<FactOf<'chat.logged_in'>, 'personName' | 'telegramName' | 'at'>
  readonly address_freed: Pick<FactOf<'address.freed'>, 'cidr' | 'productNo' | 'names'>
  readonly own_bot: Pick<FactOf<'agent_bot.changed'>, 'username' | 'state' | 'reason' | 'byOperator'>
  readonly agent_changed: Pick<FactOf<'agent.changed'>, 'agent' | 'ended'>
  /** Without `requestId` in notices of an older version. */
  readonly money_wanted: Pick<FactOf<'money.wanted'>, 'username' | 'missing' | 'userId'> &
    Partial<Pick<FactOf<'money.wanted'>, 'requestId'>>
  readonly money_declined: Pick<FactOf<'money.declined'>, 'agent' | 'missing'>
  readonly sub_user_joined: Pick<FactOf<'sub_user.joined'>, 'trial' | 'missing'>
  readonly support_question: SupportNews
  readonly support_answer: SupportNews
  readonly support_closed: Pick<SupportNews, 'ticketNo' | 'topic'>
  readonly payout_paid: PayoutFacts
  readonly payout_refused: PayoutFacts
  readonly top_up_paid: TopUpFacts
  readonly top_up_late: TopUpFacts
  readonly top_up_expired: NoFacts
  readonly broadcast: Content & {
    /** Username of the agent that wrote it; null: the shop. */
    readonly sender: string | null
  }
}

type OrderFacts = Pick<FactOf<'order.completed'>, 'ordered' | 'delivered' | 'refund'> &
  /** Missing where there are none. */
  Partial<Pick<FactOf<'order.completed'>, 'dead'>>
type ExpiryFacts = Omit<FactOf<'proxies.expiring'>, 'kind' | 'userId' | 'warning'>
type TrafficFacts = Omit<FactOf<'traffic.used'>, 'kind' | 'userId' | 'id'>
type TopUpFacts = Pick<FactOf<'top_up.paid'>, 'orderNo' | 'payUnits' | 'credited' | 'balance' | 'manual'>
type PayoutFacts = Omit<FactOf<'payout.paid'>, 'kind' | 'agentId' | 'payoutNo'>

export type NoticeKind = keyof NoticeFacts
/** Kinds that report an event of an account, which a broadcast does not. */
export type NewsKind = Exclude<NoticeKind, 'broadcast'>
/**
 * Kinds that an agent gets in digests about its sub-users. A request for money, payouts and what is written to support are addressed to
 * one account, and a delay is told to those who wait.
 */
export type DigestKind = Exclude<
  NewsKind,
  | 'address_freed'
  | 'agent_changed'
  | 'balance_returned'
  | 'money_wanted'
  | 'money_declined'
  | 'new_log_in'
  | 'order_delayed'
  | 'own_bot'
  | 'proxies_ended'
  | 'payout_paid'
  | 'payout_refused'
  | 'support_question'
  | 'support_answer'
  | 'support_closed'
  | 'webhook_off'
>
/** Kinds that tell an account about itself; its agent alone is told of a newcomer. */
export type OwnKind = Exclude<NoticeKind, 'sub_user_joined'>

/**
 * The kinds that can be switched off in a chat, in the order in which settings show them. Others cannot, such as a change of balance or
 * agent by somebody else, and what was written to support.
 */
export const NOTICE_KINDS = [
  'order_ready',
  'order_partial',
  'order_failed',
  'order_delayed',
  'renewal_done',
  'renewal_failed',
  'credentials_changed',
  'expiring_72h',
  'expiring_24h',
  'expired',
  'proxy_dead',
  'replacement_ended',
  'traffic_80',
  'traffic_100',
  'low_balance',
  'address_freed',
  'money_wanted',
  'sub_user_joined',
  'top_up_paid',
  'top_up_expired',
  'top_up_late',
  'new_log_in',
  'broadcast',
] as const satisfies readonly NoticeKind[]
