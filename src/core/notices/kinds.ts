import type { BackupProblem, ShopRole } from '../../generated/kysely/tables.ts'
import type { EndedSecrets } from '../ended-secrets.ts'
import type { BackupPlace } from '../backups/backup-maker.ts'
import type { Content } from '../broadcasts/content.ts'
import type { ErrorCode } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { DifferenceKind, SupplierDifference } from '../supply/compare-books.ts'
import type { Ticket, Written } from '../support/ticket.ts'
import type { Bytes } from '../traffic/bytes.ts'

/** Facts of the event for the text of a notice, beside its kind and subject. Times are ISO 8601. */
export interface NoticeFacts {
  readonly order_ready: OrderFacts
  readonly order_partial: OrderFacts
  readonly order_failed: OrderFacts
  /** The supplier takes longer than it should. */
  readonly order_delayed: { readonly ordered: number }
  readonly renewal_done: {
    readonly orderNo: string
    readonly count: number
    readonly amount: Micros
    readonly balance: Micros
    readonly expireTime: string
    /** False for a renewal that somebody asked for and a supplier has carried out; missing in others. */
    readonly automatic?: boolean
  }
  readonly renewal_failed: {
    readonly orderNo: string
    readonly count: number
    readonly reason: ErrorCode
    /** What the balance lacks, when that is the reason. */
    readonly shortfall?: Micros
    /** What was given back, when the supplier did not renew them. */
    readonly refund?: Micros
    readonly expireTime: string
    /** As for `renewal_done`. */
    readonly automatic?: boolean
  }
  /** A supplier was asked for other credentials of a proxy. */
  readonly credentials_changed: {
    readonly orderNo: string
    readonly instanceNo: string
    /** False: it refused, and the old ones hold. */
    readonly changed: boolean
  }
  /** The operator has ended proxies before their time, and given nothing back. */
  readonly proxies_ended: { readonly orderNo: string; readonly count: number; readonly reason: string }
  readonly expiring_72h: ExpiryFacts
  readonly expiring_24h: ExpiryFacts
  readonly expired: { readonly orderNo: string; readonly count: number; readonly renewableUntil: string }
  /** The checks say that a proxy is dead. */
  readonly proxy_dead: {
    readonly orderNo: string
    readonly instanceNo: string
    readonly instanceId: number
    readonly ip: string
    readonly port: number
    /** Of the first failure in a row. */
    readonly since: string
  }
  /** What became of a replacement that was not done at once. */
  readonly replacement_ended: {
    readonly orderNo: string
    readonly instanceNo: string
    readonly instanceId: number
    readonly status: 'done' | 'refunded' | 'declined'
    readonly oldIp: string
    readonly oldPort: number
    readonly newIp: string | null
    readonly newPort: number | null
    readonly refund: Micros
    /** Of the operator. */
    readonly note: string
  }
  readonly traffic_80: TrafficFacts
  readonly traffic_100: TrafficFacts
  readonly low_balance: {
    readonly balance: Micros
    /** Cost of the automatic renewals of the next days. */
    readonly needed: Micros
    /** Up to when the balance pays for them. */
    readonly until: string
  }
  /** The agent or the operator has given money or taken it. */
  readonly balance_adjusted: {
    /** Positive: given. */
    readonly amount: Micros
    readonly balance: Micros
    /** What a person wrote; null for nothing. */
    readonly remark: string | null
    readonly by: 'agent' | 'operator'
    /** Username of the agent; missing in notices of an older version. */
    readonly agent?: string
    /** What the agent has paid for, or released; missing when it has given or taken the money itself. */
    readonly cause?: { readonly kind: 'traffic' | 'renewal' | 'release'; readonly orderNo: string }
  }
  /** A sub-user was deleted, and the rest of its balance is the agent's again. */
  readonly balance_returned: {
    readonly username: string
    readonly amount: Micros
    readonly balance: Micros
  }
  /** A webhook was switched off: nothing was delivered for a week, or it answered that it is gone. */
  readonly webhook_off: {
    readonly webhookId: number
    readonly host: string
    readonly reason: 'failing' | 'gone'
  }
  /** The account was logged in at another chat. */
  readonly new_log_in: {
    /** Of the person there, as Telegram tells them. */
    readonly personName: string | null
    readonly telegramName: string | null
    readonly at: string
  }
  /** The operator has taken an address from the white list of a traffic account. */
  readonly address_freed: {
    readonly cidr: string
    readonly productNo: string
    readonly nameEn: string
    readonly nameZh: string
  }
  /** The operator has moved the account to another agent, or to none: what the old one could hold of it has ended. */
  readonly agent_changed: {
    /** Username of the new agent; null: the shop. */
    readonly agent: string | null
    readonly ended: EndedSecrets
  }
  /** A sub-user asks its agent for money. */
  readonly money_wanted: MoneyWanted & {
    readonly userId: number
    /** Missing in notices of an older version. */
    readonly requestId?: number
  }
  /** The agent, or the shop where it is null, does not give what was asked for. */
  readonly money_declined: { readonly agent: string | null; readonly missing: Micros }
  /** A newcomer has registered by a link of the agent. */
  readonly sub_user_joined: {
    /** Its start balance. */
    readonly trial: Micros
    /** The start balance that it did not get, because the agent could not pay it; else 0. */
    readonly missing: Micros
  }
  /** A customer has written to support, which is its agent. */
  readonly support_question: SupportNews
  /** Support has answered. */
  readonly support_answer: SupportNews
  /** Support has closed a ticket. */
  readonly support_closed: Pick<Ticket, 'ticketNo' | 'topic'>
  /** What became of a payout. */
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

/** The facts of notices to the operator. */
export interface OperatorNoticeFacts {
  readonly transfer_unmatched: {
    readonly txid: string
    readonly from: string
    /** USDT in units of 10^-6; decimal digits, because a hostile contract may name any number. */
    readonly units: string
    readonly reason: string
    readonly blockTime: string
  }
  /** Somebody says that an unmatched transfer is the payment for a top-up. */
  readonly transfer_claimed: NoFacts
  /** A payment was credited to a disabled account. */
  readonly account_credited_anyway: {
    readonly username: string
    readonly orderNo: string
    readonly credited: Micros
  }
  /** A user without an agent, or an agent, asks for money. */
  readonly money_wanted: MoneyWanted
  /** A customer has written to support. */
  readonly support_question: SupportNews
  readonly chain_stale: { readonly lastSuccessAt: string | null; readonly reason: string }
  readonly chain_back: { readonly staleSince: string }
  readonly chain_bad_key: NoFacts
  /** Few pay amounts are left for an amount. */
  readonly top_up_slots_low: { readonly amountUnits: number; readonly free: number }
  readonly reconciliation_mismatch: {
    /** USDT in units of 10^-6, decimal digits: on the chain, and by the books. */
    readonly chainUnits: string
    readonly bookUnits: string
    readonly asOf: string
  }
  readonly books_wrong: { readonly differences: number; readonly examples: readonly string[] }
  readonly stock_low: {
    readonly productNo: string
    readonly nameEn: string
    readonly nameZh: string
    readonly free: number
    /** Whether the notice is about the product as a whole; missing (true) in notices of an older version. */
    readonly told?: boolean
    /** Locations in which few are left, or none. */
    readonly places?: readonly {
      readonly countryCode: string
      readonly state: string
      readonly cityCode: string
      readonly free: number
    }[]
  }
  /** Returned proxies, or proxies used before an upgrade, wait for new credentials. */
  readonly stock_resting: { readonly products: readonly RestingOfProduct[] }
  /** So many proxies of a supplier fail at once that none is called dead. */
  readonly supplier_incident: {
    readonly supplier: string
    /** Of the last quarter of an hour. */
    readonly checked: number
    readonly failing: number
  }
  /** A customer asks for another proxy, which needs a decision. */
  readonly replacement_wanted: {
    readonly replacementNo: string
    readonly username: string
    readonly orderNo: string
    readonly nameEn: string
    readonly nameZh: string
    readonly ip: string
    readonly port: number
    readonly ground: 'dead' | 'young' | 'none'
    readonly reason: string
  }
  /** An agent wants earnings to be paid out, which needs a decision; the subject is the number of the payout. */
  readonly payout_wanted: {
    readonly username: string
    readonly amount: Micros
    /** What to send, in units of 10^-6 USDT, and where to. */
    readonly usdtUnits: number
    readonly address: string
  }
  /** It is not known what became of a request to a supplier: the operator decides. */
  readonly supplier_in_doubt: CallFacts & {
    readonly kind: string
    readonly count: number
    readonly expectedCost: Micros
  }
  /** A supplier has accepted a request long ago, and does not end it. */
  readonly supplier_slow: CallFacts & {
    readonly kind: string
    readonly count: number
    /** When it was sent. */
    readonly since: string
  }
  /** A supplier charged more than it had said, and the sale of its offer was paused. */
  readonly supplier_price_changed: CallFacts & { readonly expected: Micros; readonly charged: Micros }
  /** A supplier opened more proxies than it was asked for, or some that are in use: nobody gets them. */
  readonly supplier_extra: CallFacts & { readonly ordered: number; readonly extra: number }
  /** Proxies of a supplier end before the term that was bought. */
  readonly supplier_short_term: CallFacts & { readonly expireTime: string; readonly boughtUntil: string }
  /** Sent without the outbox, into which nothing can be written on a full disk. */
  readonly disk_low: { readonly full: boolean; readonly freeBytes: number; readonly totalBytes: number }
  /** A chat of those who run the shop cannot be written to; `person`: whose own chat it is. */
  readonly chat_gone: OperatorsChatFacts
  readonly chat_back: OperatorsChatFacts
  /** Telegram refuses a notice, which is not tried again. */
  readonly message_refused: {
    readonly chatId: number
    /** Of the notice. */
    readonly kind: string
    readonly subject: string
    /** In the words of Telegram. */
    readonly reason: string
  }
  /** A backup failed, or not everywhere it was to stand; told again when another problem takes its place. */
  readonly backup_failed: {
    readonly problem: BackupProblem
    readonly detail: string
    /** Where it stands nevertheless. */
    readonly places: readonly BackupPlace[]
  }
  readonly backup_works: { readonly bytes: number; readonly places: readonly BackupPlace[] }
  /** When the last good backup was made; null when there is none. */
  readonly backup_old: { readonly since: string | null }
  /** Background jobs have begun to keep failing. */
  readonly jobs_failing: { readonly ids: readonly number[] }
  readonly daily_summary: DayFigures
  /** What was sold, of the last minute or of the last day, for chats that have chosen it. */
  readonly sales: SalesFacts
  readonly sales_of_day: SalesFacts
  /** The update feed has a newer version than the one that runs. */
  readonly version_newer: { readonly newest: string; readonly running: string }
  /** Somebody has opened a link and runs the shop, too. */
  readonly person_joined: { readonly name: string; readonly role: ShopRole; readonly telegramId: number }
  /** `daysLeft` is null when nothing was spent lately. */
  readonly supplier_balance_low: {
    readonly connection: string
    readonly balance: Micros
    readonly daysLeft: number | null
  }
  /** The balance at a supplier expires soon, or has expired. */
  readonly supplier_balance_expires: {
    readonly connection: string
    readonly balance: Micros | null
    /** YYYY-MM-DD */
    readonly expiresOn: string
    readonly over: boolean
  }
  /** A supplier has refused a request because the balance there does not suffice. */
  readonly supplier_balance_short: CallFacts
  /** The gateway had worked, and calls no more; it calls again. */
  readonly gateway_silent: GatewayTrouble
  readonly gateway_back: GatewayTrouble
  /** No exit of a pool works; one does again. */
  readonly pool_without_exit: GatewayTrouble
  readonly pool_with_exit: GatewayTrouble
  /** Deliveries to webhooks that take what they get are due since then; none is any more. */
  readonly webhooks_late: { readonly since: string; readonly webhooks: number }
  readonly webhooks_back: { readonly since: string }
  readonly supplier_differences: {
    readonly connection: string
    readonly counts: Readonly<Partial<Record<DifferenceKind, number>>>
    /** The first of them. */
    readonly examples: readonly SupplierDifference[]
  }
}

interface GatewayTrouble {
  /** Null when it is about the gateway itself. */
  readonly pool: string | null
  readonly since: string
}

interface OperatorsChatFacts {
  readonly chatId: number
  readonly person: string | null
}

/** A request to a supplier. */
interface CallFacts {
  /** Name of the connection. */
  readonly connection: string
  readonly callNo: string
  readonly orderNo: string
}

export interface RestingOfProduct {
  readonly nameEn: string
  readonly nameZh: string
  readonly resting: number
}

export type NoFacts = Readonly<Record<string, never>>

interface MoneyWanted {
  readonly username: string
  /** What the balance lacks for the purchase. */
  readonly missing: Micros
}

interface OrderFacts {
  readonly ordered: number
  readonly delivered: number
  readonly refund: Micros
  /** How many are missing because the check before the delivery failed; missing where there are none. */
  readonly dead?: number
}

interface ExpiryFacts {
  readonly orderNo: string
  readonly count: number
  readonly expireTime: string
  /** What the balance lacks for the automatic renewal of the proxies. */
  readonly shortfall?: Micros
}

interface TrafficFacts {
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly used: Bytes
  readonly total: Bytes
}

interface TopUpFacts {
  readonly orderNo: string
  /** USDT in units of 10^-6. */
  readonly payUnits: number
  /** What the balance gained, and what it is now. */
  readonly credited: Micros
  readonly balance: Micros
  /** The operator assigned the payment. */
  readonly manual: boolean
}

interface PayoutFacts {
  readonly amount: Micros
  /** USDT in units of 10^-6. */
  readonly usdtUnits: number
  readonly address: string
  /** The transaction with which it was paid; else empty. */
  readonly txid: string
  /** Why it was refused; else empty. */
  readonly reason: string
}

/** What was written into a ticket. */
type SupportNews = Pick<Ticket, 'ticketNo' | 'username' | 'topic'> & Written

/** A day of the shop, UTC. */
export interface DayFigures {
  /** YYYY-MM-DD */
  readonly day: string
  readonly staticOrders: number
  readonly dynamicOrders: number
  /** What the shop got, and what it gave back, without the part of agents. */
  readonly revenue: Micros
  readonly refunds: Micros
  /** What agents earned, less what refunds took back; missing where it is nothing, and in figures of an older version. */
  readonly agents?: Micros
  /** Of supplied products: what suppliers charged, and what is left of the revenue; missing where there are none. */
  readonly cost?: Micros
  readonly margin?: Micros
  readonly topUps: number
  readonly toppedUp: Micros
  readonly newUsers: number
  /** Traffic that was used; missing in figures of an older version. */
  readonly trafficBytes?: Bytes
  /** Number of background jobs that keep failing, and the worst of them; missing in figures of an older version. */
  readonly failedJobs: number
  readonly failing?: readonly { readonly id: number; readonly kind: string; readonly reason: string | null }[]
  /** Missing where there are no exits, and in figures of an older version. */
  readonly gateway?: {
    /** Whether it works when the figures are made, and how many of its exits do. */
    readonly atWork: boolean
    readonly healthy: number
    readonly exits: number
    /** What exits did on the day: most errors first, then most bytes. */
    readonly used: readonly { readonly id: number; readonly bytes: number; readonly errors: number }[]
  }
  readonly stock: readonly {
    readonly productNo: string
    readonly nameEn: string
    readonly nameZh: string
    readonly free: number
    /** Proxies that wait for new credentials; missing in figures of an older version. */
    readonly resting?: number
  }[]
}

export interface SalesFacts {
  readonly count: number
  readonly amount: Micros
  readonly largest: readonly Sale[]
}

export interface Sale {
  readonly username: string
  /** Of the buyer; null for a customer of the shop. */
  readonly agent: string | null
  readonly nameEn: string
  readonly nameZh: string
  readonly kind: 'order' | 'renewal' | 'traffic'
  /** Proxies, or bytes of traffic. */
  readonly count: number
  /** What the buyer paid. */
  readonly amount: Micros
}

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
export type OperatorNoticeKind = keyof OperatorNoticeFacts

/**
 * What can be switched off in a chat, but not that somebody else has changed the balance or the agent, nor what was written to support; in the order in
 * which settings show it.
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

/** The facts with which a kind must be announced; optional for kinds without facts. */
type Data<Facts> = Facts extends NoFacts ? { readonly data?: Facts } : { readonly data: Facts }

/** The content of a notice; a chat gets each kind and subject once. */
export type About<AllFacts, Kind extends keyof AllFacts> = {
  [Each in Kind]: { readonly kind: Each; readonly subject: string } & Data<AllFacts[Each]>
}[Kind]
