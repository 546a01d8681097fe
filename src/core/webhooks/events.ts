import type { AccountStatus, RenewalStatus, TopUpStatus } from '../../generated/kysely/tables.ts'
import type { ErrorCode } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Bytes } from '../bytes.ts'

/** The state of an order right after the event; no address and no password of a proxy. */
export interface OrderEventFacts {
  readonly orderType: 'static' | 'dynamic'
  readonly orderNo: string
  readonly appOrderNo: string
  readonly productNo: string
  readonly status: string
  /** Proxies that were ordered and delivered; null for traffic. */
  readonly ordered: number | null
  readonly delivered: number | null
  /** Traffic that was bought; null for proxies. */
  readonly bytes: Bytes | null
  /** What it has cost, and what was given back, renewals included. */
  readonly amount: Micros
  readonly refunded: Micros
  readonly expireTime: string | null
}

/** The state of a renewal; its numbers are null for an automatic one that was refused before it began. */
export interface RenewalEventFacts {
  readonly renewOrderNo: string | null
  readonly appOrderNo: string | null
  readonly orderNo: string
  readonly status: RenewalStatus
  readonly automatic: boolean
  /** Proxies that it is for, and those that were renewed. */
  readonly proxies: number
  readonly renewed: number
  readonly amount: Micros
  readonly refunded: Micros
  /** Why all or some were not renewed: the code of a refusal, or what the supplier said. */
  readonly reason: ErrorCode | (string & {}) | null
}

export interface TopUpEventFacts {
  readonly orderNo: string
  readonly clientOrderNo: string | null
  readonly status: TopUpStatus
  /** USDT in units of 10^-6: what was asked for, and what has to be paid. */
  readonly amountUnits: number
  readonly payUnits: number
  /** What the balance gets, or has got, for it. */
  readonly credit: Micros
  readonly late: boolean
}

export interface TrafficEventFacts {
  readonly productNo: string
  readonly used: Bytes
  readonly total: Bytes
}

export interface LowBalanceEventFacts {
  readonly balance: Micros
  /** Cost of the automatic renewals of the next days. */
  readonly needed: Micros
  /** Time up to which the balance pays for them. */
  readonly until: string
}

export interface SubUserEventFacts {
  readonly status: AccountStatus
}

/** The facts of each group of events; those of a group are alike. */
export interface EventFacts {
  readonly order: OrderEventFacts
  readonly renewal: RenewalEventFacts
  readonly top_up: TopUpEventFacts
  readonly traffic: TrafficEventFacts
  readonly balance: LowBalanceEventFacts
  readonly sub_user: SubUserEventFacts
}

/** What accounts can be told (rules 19.2). */
export const EVENT_TYPES = [
  'order.created',
  'order.ready',
  'order.partial',
  'order.failed',
  'order.changed',
  'order.released',
  'order.refunded',
  'order.expired',
  'renewal.processing',
  'renewal.success',
  'renewal.failed',
  'top_up.created',
  'top_up.confirming',
  'top_up.paid',
  'top_up.expired',
  'top_up.cancelled',
  'traffic.low',
  'traffic.exhausted',
  'balance.low',
  'sub_user.created',
  'sub_user.enabled',
  'sub_user.disabled',
  'sub_user.deleted',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
export type EventGroup = keyof EventFacts

type GroupOf<Type extends EventType> = Type extends `${infer Group extends EventGroup}.${string}`
  ? Group
  : never
/** The types of a group, such as `order`. */
export type EventTypeOf<Group extends EventGroup> = Extract<EventType, `${Group}.${string}`>
export type FactsOf<Type extends EventType> = EventFacts[GroupOf<Type>]

/** Groups with several types, by which all of them are chosen. */
const GROUPS = ['order.*', 'renewal.*', 'top_up.*', 'traffic.*', 'sub_user.*'] as const

/** What a webhook can choose: types, and groups of them. */
export const EVENT_CHOICES = [...GROUPS, ...EVENT_TYPES] as const
export type EventChoice = (typeof EVENT_CHOICES)[number]
/** The fewest choices that cover all events; each is a switch. */
export const ALL_EVENTS = [...GROUPS, 'balance.low'] as const satisfies readonly EventChoice[]
export type EventSwitch = (typeof ALL_EVENTS)[number]

/** The event by which an account tries out a webhook. */
export const TEST_EVENT = 'webhook.test'

/** Tells whether events of a type are among what a webhook has chosen. */
export function isChosen(type: EventType, choices: readonly EventChoice[]): boolean {
  return choices.some((choice) => choice === type || choice === `${type.slice(0, type.indexOf('.'))}.*`)
}

/** Returns how many of the events of a switch of {@link ALL_EVENTS} the choices cover. */
export function coverage(of: EventSwitch, choices: readonly EventChoice[]): 'all' | 'some' | 'none' {
  const types = EVENT_TYPES.filter((type) => isChosen(type, [of]))
  const chosen = types.filter((type) => isChosen(type, choices)).length
  return chosen === types.length ? 'all' : chosen === 0 ? 'none' : 'some'
}

/** Returns the choices with all, or none, of the events of a switch. */
export function switched(of: EventSwitch, on: boolean, choices: readonly EventChoice[]): EventChoice[] {
  const others = choices.filter(
    (choice) => choice !== of && !EVENT_TYPES.some((type) => type === choice && isChosen(type, [of])),
  )
  return on ? [...others, of] : others
}

/** The account that an event is about. */
export interface EventUser {
  readonly userId: number
  readonly username: string
}

/** An event as it is delivered. */
export type DeliveredEvent =
  | { [Type in EventType]: { readonly type: Type; readonly facts: FactsOf<Type> & EventUser } }[EventType]
  | { readonly type: typeof TEST_EVENT; readonly facts: { readonly webhookId: number } }
