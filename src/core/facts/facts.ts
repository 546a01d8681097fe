import type { AgentBotState } from '../../generated/kysely/tables.ts'
import type { Via } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import type { EndedSecrets } from '../ended-secrets.ts'
import type { ErrorCode } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Bytes } from '../bytes.ts'
import type { OperatorFact, OperatorFactKind, SupportNews } from './operator-facts.ts'
import type { Translations } from '../translations.ts'

/**
 * Facts about accounts and what they have, by kind, with the data that hearers need. Accounts are named by their ids, times are ISO 8601.
 */
interface AccountFacts {
  readonly 'sub_user.created': OfAccount & Partial<ByAccount> & { readonly balance: Micros }
  readonly 'sub_user.enabled': OfAccount
  readonly 'sub_user.disabled': OfAccount
  readonly 'sub_user.deleted': OfAccount & Partial<ByAccount> & { readonly returned: Micros }
  /** An agent has set a status, whether it was another one before or not. */
  readonly 'sub_users.status_set': ByAccount & {
    readonly userIds: readonly number[]
    readonly status: 'active' | 'disabled'
  }
  readonly 'sub_user.edited': ByAccount &
    OfAccount & {
      /** Names of the fields. */
      readonly changed: readonly string[]
    }
  /** A newcomer has registered by a link of the agent. */
  readonly 'sub_user.joined': OfAccount & {
    /** Start balance of the newcomer. */
    readonly trial: Micros
    /** The start balance that it did not get, because the agent could not pay it; else 0. */
    readonly missing: Micros
  }
  /** The newcomer has registered, or has repeated the registration. */
  readonly 'account.registered': ByAccount & { readonly trial: Micros }
  readonly 'join_link.created': ByAccount
  readonly 'join_link.revoked': ByAccount
  readonly 'agent_bot.added': ByAccount & OfBot
  /** The agent has stopped its bot, has let it go on, or has removed it. */
  readonly 'agent_bot.commanded': ByAccount & OfBot
  /** A bot has stopped or works again, and its agent did not do it. */
  readonly 'agent_bot.changed': OfBot & {
    readonly agentId: number
    readonly agent: string
    readonly state: AgentBotState
    /** In Telegram's words; empty when the operator did it. */
    readonly reason: string
    readonly byOperator: boolean
    readonly at: string
  }
  readonly 'invite.created': ByAccount & OfAccount
  readonly 'invite.opened': ByAccount
  /** The account has given itself another password. */
  readonly 'password.changed': ByAccount
  readonly 'account.logged_out': ByAccount
  readonly 'account.logged_out_everywhere': ByAccount
  readonly 'api_key.created': ByAccount & OfApiKey
  readonly 'api_key.revoked': ByAccount & OfApiKey
  readonly 'webhook.created': ByAccount & OfWebhook
  readonly 'webhook.changed': ByAccount & OfWebhook
  readonly 'webhook.deleted': ByAccount & OfWebhook
  readonly 'webhook.secret_rotated': ByAccount & OfWebhook
  readonly 'payout.requested': ByAccount & { readonly amount: Micros }
  /** Somebody who runs the shop has done something (rules 14.4). Never holds a secret. */
  readonly 'operator.acted': {
    readonly by: {
      readonly person: { readonly id: number; readonly name: string } | null
      readonly via: Via
      /** Telegram chat and user. */
      readonly chat?: number
      readonly telegram?: number
    }
    readonly action: string
    /** The id, number, name or username that the action is about, as people search for it. */
    readonly subject: string
    /** The account that it concerns, where the subject is something else. */
    readonly username?: string
    readonly details?: Readonly<Record<string, unknown>>
  }
  /** The operator has moved the account to another agent, or to none. */
  readonly 'agent.changed': OfAccount & {
    readonly at: string
    /** Username of the new agent; null: the shop. */
    readonly agent: string | null
    readonly ended: EndedSecrets
  }
  /** The account is logged in at another chat. */
  readonly 'chat.logged_in': OfAccount & {
    readonly chatId: number
    readonly at: string
    /** Names of the person in the chat, as Telegram gives them. */
    readonly personName: string | null
    readonly telegramName: string | null
  }
  /** Somebody else has given money, taken it, or paid with it. */
  readonly 'balance.adjusted': OfAccount &
    Partial<ByAccount> & {
      /** Number of the entry, or of what was paid; told once. */
      readonly number: string
      /** Positive: given. */
      readonly amount: Micros
      readonly balance: Micros
      /** What a person wrote; null for nothing. */
      readonly remark: string | null
      readonly by: 'agent' | 'operator'
      /** Username of the agent. */
      readonly agent?: string
      /** Whether this balance was adjusted by itself, and without a request for money. */
      readonly alone?: boolean
      readonly cause?: { readonly kind: 'traffic' | 'renewal' | 'release'; readonly orderNo: string }
    }
  /** The remaining balance of a deleted sub-user has gone back to the agent. */
  readonly 'balance.returned': {
    readonly agentId: number
    readonly subject: string
    readonly username: string
    readonly amount: Micros
    readonly balance: Micros
  }
  /** The balance does not suffice for the automatic renewals of the next days. */
  readonly 'balance.low': OfAccount & {
    readonly balance: Micros
    /** Cost of these renewals. */
    readonly needed: Micros
    /** Time until which the balance pays for them. */
    readonly until: string
  }
  /** A user asks whoever gives it money: its agent, or the shop. */
  readonly 'money.wanted': OfAccount & {
    readonly agentId: number | null
    readonly username: string
    readonly requestId: number
    /** What the balance lacks for the purchase. */
    readonly missing: Micros
  }
  readonly 'money.declined': OfAccount & {
    readonly requestId: number
    /** Username of the agent; null: the shop. */
    readonly agent: string | null
    readonly missing: Micros
  }
  readonly 'payout.paid': OfPayout
  readonly 'payout.refused': OfPayout
  /** A customer has written to support: its agent, or the shop. */
  readonly 'support.asked': {
    readonly agentId: number | null
    readonly messageId: number
    readonly news: SupportNews
  }
  readonly 'support.answered': OfAccount & { readonly messageId: number; readonly news: SupportNews }
  readonly 'support.closed': OfAccount & Pick<SupportNews, 'ticketNo' | 'topic'> & { readonly at: string }
  /** An order of proxies is accepted, and paid. */
  readonly 'order.created': OfOrder
  /** The order has got its proxies: all, some, or none. */
  readonly 'order.completed': OfOrder & {
    readonly callerId: number
    readonly status: 'active' | 'partial' | 'failed'
    readonly ordered: number
    readonly delivered: number
    readonly refund: Micros
    /** Number of proxies that are missing because the check before the delivery failed. */
    readonly dead: number
  }
  /** The supplier of the order takes longer than it should. */
  readonly 'order.delayed': OfOrder & { readonly callerId: number; readonly ordered: number }
  /** Proxies have other addresses or credentials. */
  readonly 'order.changed': OfOrder
  /** Proxies were given back before their end. */
  readonly 'order.released': OfOrder
  /** The operator has given something back. */
  readonly 'order.refunded': OfOrder
  /** The order has no active proxy left. */
  readonly 'order.expired': OfOrder
  /** Traffic is paid, and can be used. */
  readonly 'traffic.bought': OfOrder
  /** 80% of the traffic of a product is used, or more. */
  readonly 'traffic.used': OfAccount & {
    /** Id of the traffic account. */
    readonly id: number
    readonly productNo: string
    readonly names: Translations
    readonly used: Bytes
    readonly total: Bytes
  }
  /** A renewal is paid, and carried out unless it is `processing`. */
  readonly 'renewal.begun': OfOrder & {
    readonly renewOrderNo: string
    readonly status: 'processing' | 'success'
  }
  /** An automatic renewal was carried out at once. */
  readonly 'renewal.automatic': OfOrder & {
    readonly renewOrderNo: string
    readonly count: number
    readonly amount: Micros
    readonly balance: Micros
    readonly expireTime: string
  }
  /** An automatic renewal was refused before it began; it is tried again. */
  readonly 'renewal.refused': OfOrder & {
    readonly count: number
    readonly reason: ErrorCode
    /** What the balance lacks, when that is the reason. */
    readonly shortfall?: Micros
    readonly expireTime: string
  }
  /** A supplier has answered to a renewal. */
  readonly 'renewal.ended': OfOrder & {
    readonly renewOrderNo: string
    readonly status: 'success' | 'failed'
    readonly callerId: number
    readonly automatic: boolean
    readonly renewed?: {
      readonly count: number
      readonly amount: Micros
      readonly balance: Micros
      readonly expireTime: string
    }
    /** Those that were not renewed, with what they had cost. */
    readonly failed?: { readonly count: number; readonly refund: Micros; readonly expireTime: string }
  }
  /** Proxies of an order end soon, and nothing will renew them. */
  readonly 'proxies.expiring': OfOrder & {
    readonly warning: 'expiring_72h' | 'expiring_24h'
    readonly count: number
    readonly expireTime: string
    /** What the balance lacks for the automatic renewal. */
    readonly shortfall?: Micros
  }
  readonly 'proxies.expired': OfOrder & {
    readonly count: number
    readonly expireTime: string
    readonly renewableUntil: string
  }
  /** The operator has ended proxies before their time, and given nothing back. */
  readonly 'proxies.ended': OfOrder & {
    readonly cancelNo: string
    readonly count: number
    readonly reason: string
  }
  /** The checks say that a proxy is dead. */
  readonly 'proxy.dead': OfOrder & {
    readonly instanceNo: string
    readonly instanceId: number
    readonly ip: string
    readonly port: number
    /** Time of the first failure in a row. */
    readonly since: string
  }
  /** The test of the proxies of an order that somebody watches has gone on, or ended. */
  readonly 'test.progressed': {
    readonly orderId: number
    readonly userId: number
    readonly isOver: boolean
    /** Whether none of the user's other proxies is to be tested either. */
    readonly areAllOver: boolean
  }
  /** A replacement that was not done at once has ended. */
  readonly 'replacement.ended': OfOrder & {
    readonly replacementNo: string
    readonly instanceNo: string
    readonly instanceId: number
    readonly status: 'done' | 'refunded' | 'declined'
    readonly oldIp: string
    readonly oldPort: number
    readonly newIp: string | null
    readonly newPort: number | null
    readonly refund: Micros
    /** Note of the operator. */
    readonly note: string
  }
  /** Other credentials of a proxy were asked for; not `changed`: the supplier refused, and the old ones hold. */
  readonly 'credentials.reset': OfOrder & {
    readonly number: string
    readonly instanceNo: string
    readonly changed: boolean
  }
  /** The operator has taken an address from the white list of a traffic account. */
  readonly 'address.freed': OfAccount & {
    readonly at: string
    readonly cidr: string
    readonly productNo: string
    readonly names: Translations
  }
  /** A webhook was switched off: nothing was delivered for a week, or it answered that it is gone. */
  readonly 'webhook.off': OfAccount & {
    readonly webhookId: number
    readonly at: string
    readonly host: string
    readonly reason: 'failing' | 'gone'
  }
  readonly 'top_up.created': OfOrder
  /** A payment of the top-up's amount is in a block. */
  readonly 'top_up.confirming': OfOrder
  /** The payment seen for a top-up has failed, or was on an abandoned fork. */
  readonly 'top_up.unconfirmed': { readonly orderNo: string }
  readonly 'top_up.paid': OfOrder &
    OfTransfer & {
      /** USDT in units of 10^-6. */
      readonly payUnits: number
      /** What the balance gained, and what it is now. */
      readonly credited: Micros
      readonly balance: Micros
      /** Whether it was paid after the expiry or the cancellation. */
      readonly late: boolean
      /** Whether the operator assigned the payment. */
      readonly manual: boolean
      readonly username: string
      /** Whether the account is disabled; it got the money nevertheless. */
      readonly disabled: boolean
    }
  readonly 'top_up.cancelled': OfOrder
  readonly 'top_up.expired': OfOrder
  /** A cancelled top-up gives its pay amount up to another one. */
  readonly 'top_up.given_up': { readonly orderNo: string }
  /** A transfer to the wallet has paid no top-up. */
  readonly 'transfer.unmatched': OfTransfer & {
    readonly from: string
    /** USDT in units of 10^-6; decimal digits, because a hostile contract may name any number. */
    readonly units: string
    readonly reason: string
    readonly blockTime: string
    /** Numbers of top-ups whose payment it may be. */
    readonly near: readonly string[]
  }
  /** Somebody claims the transfer as the payment for a top-up. */
  readonly 'transfer.claimed': OfTransfer & { readonly orderNo: string }
  /** The operator has decided what the transfer was. */
  readonly 'transfer.resolved': OfTransfer & {
    readonly state: 'matched' | 'ignored' | 'refunded'
    /** Numbers of top-ups for which it was claimed. */
    readonly claims: readonly string[]
  }
}

/** The bot of an agent, by its id and username at Telegram. */
interface OfBot {
  readonly botId: number
  readonly username: string
}

/** What an account has done itself, and from where. */
interface ByAccount {
  readonly actor: Pick<Actor, 'id' | 'origin'>
}

interface OfAccount {
  readonly userId: number
}

interface OfApiKey {
  readonly keyId: number
}

interface OfWebhook {
  readonly webhookId: number
}

interface OfOrder extends OfAccount {
  readonly orderNo: string
}

interface OfTransfer {
  /** The network of the transaction, by its id. */
  readonly network: string
  readonly txid: string
  /** Position of the transfer among the events of its transaction. */
  readonly index: number
}

interface OfPayout {
  readonly agentId: number
  readonly payoutNo: string
  readonly amount: Micros
  /** USDT in units of 10^-6. */
  readonly usdtUnits: number
  readonly address: string
  /** The transaction with which it was paid; else empty. */
  readonly txid: string
  /** Why it was refused; else empty. */
  readonly reason: string
}

type AccountFactKind = keyof AccountFacts
export type FactKind = AccountFactKind | OperatorFactKind

/** Something that has happened. */
export type Fact =
  | { [Kind in AccountFactKind]: { readonly kind: Kind } & AccountFacts[Kind] }[AccountFactKind]
  | OperatorFact

/** A fact of one kind. */
export type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>

/** What a hearer makes of facts, by kind; it ignores facts of missing kinds. */
export type Makes<Result> = {
  readonly [Kind in FactKind]?: (fact: FactOf<Kind>) => Result
}

/** Applies a table to a fact; returns undefined where the kind is missing. */
export function madeOf<Result>(table: Makes<Result>, fact: Fact): Result | undefined {
  const make = table[fact.kind] as ((fact: Fact) => Result) | undefined
  return make?.(fact)
}

/** Returns the name of a transfer, `NETWORK:TXID:INDEX`. */
export function nameOfTransfer({ network, txid, index }: OfTransfer): string {
  return `${network}:${txid}:${index}`
}
