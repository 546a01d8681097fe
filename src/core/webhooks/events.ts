import { z } from 'zod'
import { AccountStatus, RenewalStatus, TopUpStatus } from '../../generated/prisma/enums.ts'
import { type Held, Money, Time, Traffic, UsdtText } from '../record.ts'

/** The account that an event is about. */
const USER = {
  userId: z.int().meta({ description: 'Id of the account that it happened to' }),
  username: z.string().meta({ description: 'Its username' }),
}

/**
 * Fields shown of each group of events: the state right afterwards, without addresses and passwords of proxies. Deliveries are stored
 * with these names.
 */
export const EVENT_FACTS = {
  order: {
    orderType: z.enum(['static', 'dynamic']).meta({ description: 'Of proxies, or of traffic' }),
    orderNo: z.string(),
    appOrderNo: z.string(),
    productNo: z.string(),
    ...USER,
    status: z.string().meta({ description: 'Status of the order' }),
    ordered: z.int().nullable().meta({ description: 'Proxies that were ordered; null for traffic' }),
    delivered: z.int().nullable().meta({ description: 'Those that were delivered; null for traffic' }),
    bytes: Traffic.nullable().meta({ description: 'GB that were bought; null for proxies' }),
    amount: Money.meta({ description: 'What was paid, renewals included' }),
    refunded: Money.meta({ description: 'What was given back of it' }),
    expireTime: Time.nullable().meta({
      description: 'When the last proxy expires; null: none yet, or traffic',
    }),
  },
  renewal: {
    renewOrderNo: z
      .string()
      .nullable()
      .meta({ description: 'Number of the renewal; null: an automatic one was refused at the start' }),
    appOrderNo: z
      .string()
      .nullable()
      .meta({ description: 'Number that the application gave it; null: as before' }),
    orderNo: z.string(),
    ...USER,
    status: z.enum(RenewalStatus).meta({ description: 'Status of the renewal' }),
    automatic: z.boolean().meta({ description: 'Whether the proxies renew themselves' }),
    proxies: z.int().meta({ description: 'Proxies that it is for' }),
    renewed: z.int().meta({ description: 'Those that were renewed' }),
    amount: Money.meta({ description: 'What was paid' }),
    refunded: Money.meta({ description: 'What was given back of it' }),
    reason: z.string().nullable().meta({
      description: 'Why some or all were not renewed: the code of an error, or words; null: all were',
    }),
  },
  top_up: {
    orderNo: z.string().meta({ description: 'Number of the top-up' }),
    clientOrderNo: z.string().nullable(),
    ...USER,
    status: z.enum(TopUpStatus).meta({ description: 'Status of the top-up' }),
    amountUnits: UsdtText.meta({ description: 'USDT that was asked for' }),
    payUnits: UsdtText.meta({ description: 'USDT that must arrive, exactly' }),
    credit: Money.meta({ description: 'What the balance gets, or has got, for it' }),
    late: z.boolean().meta({ description: 'Paid after the expiry or the cancellation' }),
  },
  traffic: {
    productNo: z.string(),
    ...USER,
    used: Traffic.meta({ description: 'GB used' }),
    total: Traffic.meta({ description: 'GB bought' }),
  },
  balance: {
    ...USER,
    balance: Money,
    needed: Money.meta({ description: 'What the renewals cost' }),
    until: Time.meta({ description: 'Up to when the balance pays for them' }),
  },
  sub_user: {
    ...USER,
    status: z.enum(AccountStatus).meta({ description: 'Status of the sub-user' }),
  },
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
export type EventGroup = keyof typeof EVENT_FACTS

type GroupOf<Type extends EventType> = Type extends `${infer Group extends EventGroup}.${string}`
  ? Group
  : never
/** The types of a group, such as `order`. */
export type EventTypeOf<Group extends EventGroup> = Extract<EventType, `${Group}.${string}`>
type DeliveredFacts<Type extends EventType> = Held<(typeof EVENT_FACTS)[GroupOf<Type>]>
/** The facts of an event, without the account that it is about. */
export type FactsOf<Type extends EventType> = Omit<DeliveredFacts<Type>, keyof typeof USER>

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

/** An event as it is delivered. */
export type DeliveredEvent =
  | { [Type in EventType]: { readonly type: Type; readonly facts: DeliveredFacts<Type> } }[EventType]
  | { readonly type: typeof TEST_EVENT; readonly facts: { readonly webhookId: number } }
