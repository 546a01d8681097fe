import type { AgentBotState, BackupProblem, ShopRole } from '../../generated/kysely/tables.ts'
import type { Micros } from '../money.ts'
import type { Bytes } from '../bytes.ts'
import type { TicketTopic, Written } from './support-message.ts'
import type { DifferenceKind, SupplierDifference } from './supplier-difference.ts'
import type { BackupPlace } from './backup-place.ts'
import type { Translations } from '../translations.ts'

/** A network by its id; missing in notices from the time when there was one. */
interface OfNetwork {
  readonly network?: string
}

/** What those who run the shop are told of, by kind. Times are ISO 8601. */
export interface OperatorFacts {
  readonly transfer_unmatched: OfNetwork & {
    readonly txid: string
    readonly from: string
    /** USDT in units of 10^-6; decimal digits, because a hostile contract may name any number. */
    readonly units: string
    readonly reason: string
    readonly blockTime: string
  }
  /** Somebody claims an unmatched transfer as the payment for a top-up. */
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
  readonly chain_stale: OfNetwork & { readonly lastSuccessAt: string | null; readonly reason: string }
  readonly chain_back: OfNetwork & { readonly staleSince: string }
  readonly chain_bad_key: OfNetwork
  /** Few distinct pay amounts are left for a top-up amount. */
  readonly top_up_slots_low: { readonly amountUnits: number; readonly free: number }
  readonly reconciliation_mismatch: OfNetwork & {
    /** USDT in units of 10^-6, decimal digits: on the chain, and by the books. */
    readonly chainUnits: string
    readonly bookUnits: string
    readonly asOf: string
  }
  readonly books_wrong: { readonly differences: number; readonly examples: readonly string[] }
  readonly stock_low: {
    readonly productNo: string
    readonly names: Translations
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
    /** Number of proxies checked in the last 15 minutes. */
    readonly checked: number
    readonly failing: number
  }
  /** A customer asks for another proxy, which needs a decision. */
  readonly replacement_wanted: {
    readonly replacementNo: string
    readonly username: string
    readonly orderNo: string
    readonly names: Translations
    readonly ip: string
    readonly port: number
    readonly ground: 'dead' | 'young' | 'none'
    readonly reason: string
  }
  /** An agent wants earnings to be paid out, which needs a decision; the subject is the number of the payout. */
  readonly payout_wanted: {
    readonly username: string
    readonly amount: Micros
    /** Amount to send, in units of 10^-6 USDT, and the address to send it to. */
    readonly usdtUnits: number
    readonly address: string
  }
  /** The outcome of a request to a supplier is unknown: the operator decides. */
  readonly supplier_in_doubt: CallFacts & {
    readonly kind: string
    readonly count: number
    readonly expectedCost: Micros
  }
  /** A supplier has accepted a request long ago, and has not completed it. */
  readonly supplier_slow: CallFacts & {
    readonly kind: string
    readonly count: number
    /** Time at which the request was sent. */
    readonly since: string
  }
  /** A supplier charged more than it had said, and the sale of its offer was paused. */
  readonly supplier_price_changed: CallFacts & { readonly expected: Micros; readonly charged: Micros }
  /** A supplier opened more proxies than it was asked for, or some that are in use: nobody gets them. */
  readonly supplier_extra: CallFacts & { readonly ordered: number; readonly extra: number }
  /** Proxies of a supplier end before the term that was bought. */
  readonly supplier_short_term: CallFacts & { readonly expireTime: string; readonly boughtUntil: string }
  /** The bot of an agent has stopped by itself. */
  readonly agent_bot_stopped: {
    readonly agent: string
    readonly username: string
    readonly state: AgentBotState
    /** In Telegram's words. */
    readonly reason: string
  }
  /** Sent without the outbox, into which nothing can be written on a full disk. */
  readonly disk_low: { readonly full: boolean; readonly freeBytes: number; readonly totalBytes: number }
  /** A chat of those who run the shop cannot be written to; `person` names the owner of a private chat. */
  readonly chat_gone: OperatorsChatFacts
  readonly chat_back: OperatorsChatFacts
  /** Telegram refuses a notice, which is not tried again. */
  readonly message_refused: {
    readonly chatId: number
    /** Kind and subject of the notice. */
    readonly kind: string
    readonly subject: string
    /** Error text of Telegram. */
    readonly reason: string
  }
  /** A backup failed, or was not stored at every place; told again when the problem changes. */
  readonly backup_failed: {
    readonly problem: BackupProblem
    readonly detail: string
    /** Places where the backup was stored nevertheless. */
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
  /** Somebody has joined those who run the shop, by opening a link. */
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
  /** Deliveries to working webhooks have been overdue since `since`; none is overdue any more. */
  readonly webhooks_late: { readonly since: string; readonly webhooks: number }
  readonly webhooks_back: { readonly since: string }
  readonly supplier_differences: {
    readonly connection: string
    readonly counts: Readonly<Partial<Record<DifferenceKind, number>>>
    /** The first differences. */
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
  readonly names: Translations
  readonly resting: number
}

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
    readonly names: Translations
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
  /** Agent of the buyer; null for a customer of the shop. */
  readonly agent: string | null
  readonly names: Translations
  readonly kind: 'order' | 'renewal' | 'traffic'
  /** Proxies, or bytes of traffic. */
  readonly count: number
  /** What the buyer paid. */
  readonly amount: Micros
}

export type NoFacts = Readonly<Record<string, never>>

export interface MoneyWanted {
  readonly username: string
  /** What the balance lacks for the purchase. */
  readonly missing: Micros
}

/** What was written into a ticket. */
export interface SupportNews extends Written {
  readonly ticketNo: string
  /** Username of the customer. */
  readonly username: string
  readonly topic: TicketTopic | null
}

export type OperatorFactKind = keyof OperatorFacts

/** The facts of a kind; optional for kinds without facts. */
type Data<Facts> = Facts extends NoFacts ? { readonly data?: Facts } : { readonly data: Facts }

/** What is told of a kind; a chat gets each kind and subject once. */
export type About<AllFacts, Kind extends keyof AllFacts> = {
  [Each in Kind]: { readonly kind: Each; readonly subject: string } & Data<AllFacts[Each]>
}[Kind]

/** Something that those who run the shop are told of. The subject identifies it: it is told once. */
export type OperatorFact = About<OperatorFacts, OperatorFactKind>
