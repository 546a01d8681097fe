import { z } from 'zod'
import {
  type DeliveredEvent,
  EVENT_TYPES,
  type EventGroup,
  type EventTypeOf,
  type FactsOf,
  TEST_EVENT,
} from '../../core/webhooks/events.ts'
import { USER_STATUSES } from '../../core/accounts/sub-user.ts'
import { TOP_UP_STATUSES } from '../../core/top-ups/top-up.ts'
import { usdtText } from '../../core/usdt.ts'
import { gigabytes, Gigabytes, Money, money, Time } from './fields.ts'

/** The bodies of deliveries to webhooks (rules 19.2): type, time, and what the event is about, as it was right afterwards. */

const about = {
  user_id: z.int().meta({ description: 'Id of the account that it happened to' }),
  username: z.string().meta({ description: 'Its username' }),
}

const Happened = Time.meta({ description: 'When it happened' })

/** Returns the event types of a group. */
function typesOf<Group extends EventGroup>(group: Group) {
  return EVENT_TYPES.filter((type): type is EventTypeOf<Group> => type.startsWith(`${group}.`))
}

const OrderEvent = z
  .strictObject({
    type: z.enum(typesOf('order')).meta({
      description:
        '`created`: accepted and paid; `ready`, `partial`, `failed`: completed with all, some or no proxies (traffic is ready at once); ' +
        '`changed`: proxies have other addresses or credentials; `released`: proxies were given back; `refunded`: money was; ' +
        '`expired`: the last proxy has expired',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        order_type: z.enum(['static', 'dynamic']).meta({ description: 'Of proxies, or of traffic' }),
        order_no: z.string(),
        app_order_no: z.string(),
        product_no: z.string(),
        ...about,
        status: z.string().meta({ description: 'Status of the order' }),
        ip_count: z.int().nullable().meta({ description: 'Proxies that were ordered; null for traffic' }),
        success_count: z
          .int()
          .nullable()
          .meta({ description: 'Those that were delivered; null for traffic' }),
        traffic_amount: Gigabytes.nullable().meta({ description: 'GB that were bought; null for proxies' }),
        amount: Money.meta({ description: 'What was paid, renewals included' }),
        refunded_amount: Money.meta({ description: 'What was given back of it' }),
        expire_time: Time.nullable().meta({
          description: 'When the last proxy expires; null: none yet, or traffic',
        }),
      })
      .meta({ id: 'OrderEventData' }),
  })
  .meta({ id: 'OrderEvent' })

const RenewalEvent = z
  .strictObject({
    type: z.enum(typesOf('renewal')).meta({
      description:
        '`processing`: paid, and the supplier was asked; `success`: all or some proxies were renewed; `failed`: none was',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        renew_order_no: z
          .string()
          .nullable()
          .meta({ description: 'Number of the renewal; null: an automatic one was refused at the start' }),
        app_order_no: z
          .string()
          .nullable()
          .meta({ description: 'Number that the application gave it; null: as before' }),
        order_no: z.string(),
        ...about,
        status: z.enum(['processing', 'success', 'failed']).meta({ description: 'Status of the renewal' }),
        automatic: z.boolean().meta({ description: 'Whether the proxies renew themselves' }),
        count: z.int().meta({ description: 'Proxies that it is for' }),
        renewed_count: z.int().meta({ description: 'Those that were renewed' }),
        amount: Money.meta({ description: 'What was paid' }),
        refunded_amount: Money.meta({ description: 'What was given back of it' }),
        reason: z.string().nullable().meta({
          description: 'Why some or all were not renewed: the code of an error, or words; null: all were',
        }),
      })
      .meta({ id: 'RenewalEventData' }),
  })
  .meta({ id: 'RenewalEvent' })

const TopUpEvent = z
  .strictObject({
    type: z.enum(typesOf('top_up')).meta({
      description:
        '`confirming`: the payment was seen on the chain; `paid`: it is irreversible, and the balance was credited, also after the ' +
        'top-up had expired or was cancelled',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        order_no: z.string().meta({ description: 'Number of the top-up' }),
        client_order_no: z.string().nullable(),
        ...about,
        status: z.enum(TOP_UP_STATUSES).meta({ description: 'Status of the top-up' }),
        amount: z.string().meta({ description: 'USDT that was asked for' }),
        pay_amount: z.string().meta({ description: 'USDT that must arrive, exactly' }),
        credit_amount: Money.meta({ description: 'What the balance gets, or has got, for it' }),
        late: z.boolean().meta({ description: 'Paid after the expiry or the cancellation' }),
      })
      .meta({ id: 'TopUpEventData' }),
  })
  .meta({ id: 'TopUpEvent' })

const TrafficEvent = z
  .strictObject({
    type: z.enum(typesOf('traffic')).meta({
      description:
        '`low`: 80 % of the traffic of a product is used; `exhausted`: all of it. Each once, until more is bought',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        product_no: z.string(),
        ...about,
        used: Gigabytes.meta({ description: 'GB used' }),
        total: Gigabytes.meta({ description: 'GB bought' }),
      })
      .meta({ id: 'TrafficEventData' }),
  })
  .meta({ id: 'TrafficEvent' })

const BalanceEvent = z
  .strictObject({
    type: z.enum(typesOf('balance')).meta({
      description: 'The balance does not cover the automatic renewals of the next 7 days',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        ...about,
        balance: Money,
        needed: Money.meta({ description: 'What the renewals cost' }),
        until: Time.meta({ description: 'Up to when the balance pays for them' }),
      })
      .meta({ id: 'BalanceEventData' }),
  })
  .meta({ id: 'BalanceEvent' })

const SubUserEvent = z
  .strictObject({
    type: z.enum(typesOf('sub_user')).meta({
      description: 'A sub-user was created, also by a registration link, enabled, disabled or deleted',
    }),
    timestamp: Happened,
    data: z
      .strictObject({
        ...about,
        status: z.enum(USER_STATUSES).meta({ description: 'Status of the sub-user' }),
      })
      .meta({ id: 'SubUserEventData' }),
  })
  .meta({ id: 'SubUserEvent' })

const TestEvent = z
  .strictObject({
    type: z.literal(TEST_EVENT).meta({ description: 'Sent by `testWebhook`' }),
    timestamp: Happened,
    data: z
      .strictObject({ webhook_id: z.int().meta({ description: 'Id of the webhook' }) })
      .meta({ id: 'TestEventData' }),
  })
  .meta({ id: 'TestEvent' })

/** The body of a delivery. */
export const WebhookEventRecord = z
  .discriminatedUnion('type', [
    OrderEvent,
    RenewalEvent,
    TopUpEvent,
    TrafficEvent,
    BalanceEvent,
    SubUserEvent,
    TestEvent,
  ])
  .meta({ id: 'WebhookEvent' })

type WebhookEvent = z.infer<typeof WebhookEventRecord>

/** Makes the body of an event, the same in every attempt. */
export function toWebhookEvent(event: DeliveredEvent, timestamp: string): WebhookEvent {
  return { type: event.type, timestamp, data: toData(event) } as WebhookEvent
}

function toData(event: DeliveredEvent): WebhookEvent['data'] {
  if (event.type === TEST_EVENT) return { webhook_id: event.facts.webhookId }
  const { userId: user_id, username } = event.facts
  const [group] = event.type.split('.') as [EventGroup]
  // The type says which facts there are.
  const data = TO_DATA[group] as (facts: unknown) => object
  return { ...data(event.facts), user_id, username } as WebhookEvent['data']
}

const TO_DATA = {
  order: (order: FactsOf<EventTypeOf<'order'>>) => ({
    order_type: order.orderType,
    order_no: order.orderNo,
    app_order_no: order.appOrderNo,
    product_no: order.productNo,
    status: order.status,
    ip_count: order.ordered,
    success_count: order.delivered,
    traffic_amount: order.bytes === null ? null : gigabytes(order.bytes),
    amount: money(order.amount),
    refunded_amount: money(order.refunded),
    expire_time: order.expireTime,
  }),
  renewal: (renewal: FactsOf<EventTypeOf<'renewal'>>) => ({
    renew_order_no: renewal.renewOrderNo,
    app_order_no: renewal.appOrderNo,
    order_no: renewal.orderNo,
    status: renewal.status,
    automatic: renewal.automatic,
    count: renewal.proxies,
    renewed_count: renewal.renewed,
    amount: money(renewal.amount),
    refunded_amount: money(renewal.refunded),
    reason: renewal.reason,
  }),
  top_up: (topUp: FactsOf<EventTypeOf<'top_up'>>) => ({
    order_no: topUp.orderNo,
    client_order_no: topUp.clientOrderNo,
    status: topUp.status,
    amount: usdtText(topUp.amountUnits),
    pay_amount: usdtText(topUp.payUnits),
    credit_amount: money(topUp.credit),
    late: topUp.late,
  }),
  traffic: ({ productNo, used, total }: FactsOf<EventTypeOf<'traffic'>>) => ({
    product_no: productNo,
    used: gigabytes(used),
    total: gigabytes(total),
  }),
  balance: ({ balance, needed, until }: FactsOf<'balance.low'>) => ({
    balance: money(balance),
    needed: money(needed),
    until,
  }),
  sub_user: ({ status }: FactsOf<EventTypeOf<'sub_user'>>) => ({ status }),
} satisfies Record<EventGroup, unknown>

/** Returns the body as it is sent. */
export function webhookBody(event: DeliveredEvent, timestamp: string): string {
  return JSON.stringify(toWebhookEvent(event, timestamp))
}

/** What is sent to webhooks, for the API documents: an example of each group. */
export const WEBHOOK_EVENTS = {
  order: {
    body: OrderEvent,
    summary: 'An order was accepted, completed or changed',
    example: {
      type: 'order.ready',
      timestamp: '2026-11-20T17:57:01.456Z',
      data: {
        order_type: 'static',
        order_no: 'S20261120175700123Q2W3E4R5',
        app_order_no: 'my-order-1',
        product_no: 'STATIC-US',
        user_id: 7,
        username: 'user-1',
        status: 'active',
        ip_count: 2,
        success_count: 2,
        traffic_amount: null,
        amount: 9,
        refunded_amount: 0,
        expire_time: '2026-12-20T17:57:01.456Z',
      },
    },
  },
  renewal: {
    body: RenewalEvent,
    summary: 'Proxies were renewed, or not',
    example: {
      type: 'renewal.success',
      timestamp: '2026-12-19T17:57:00.123Z',
      data: {
        renew_order_no: 'R20261219175700123Q2W3E4R5',
        app_order_no: 'my-renewal-1',
        order_no: 'S20261120175700123Q2W3E4R5',
        user_id: 7,
        username: 'user-1',
        status: 'success',
        automatic: false,
        count: 2,
        renewed_count: 2,
        amount: 9,
        refunded_amount: 0,
        reason: null,
      },
    },
  },
  topUp: {
    body: TopUpEvent,
    summary: 'A top-up was opened, paid or ended',
    example: {
      type: 'top_up.paid',
      timestamp: '2026-11-20T18:03:00.000Z',
      data: {
        order_no: 'U20261120175700123Q2W3E4R5',
        client_order_no: 'my-top-up-1',
        user_id: 7,
        username: 'user-1',
        status: 'paid',
        amount: '100.00',
        pay_amount: '100.0037',
        credit_amount: 100.0037,
        late: false,
      },
    },
  },
  traffic: {
    body: TrafficEvent,
    summary: 'Traffic is nearly, or all, used up',
    example: {
      type: 'traffic.low',
      timestamp: '2026-11-20T18:03:00.000Z',
      data: { product_no: 'DYN-1', user_id: 7, username: 'user-1', used: 8, total: 10 },
    },
  },
  balance: {
    body: BalanceEvent,
    summary: 'The balance does not cover the next renewals',
    example: {
      type: 'balance.low',
      timestamp: '2026-11-20T18:03:00.000Z',
      data: { user_id: 7, username: 'user-1', balance: 3, needed: 9, until: '2026-11-24T17:57:01.456Z' },
    },
  },
  subUser: {
    body: SubUserEvent,
    summary: 'A sub-user was created, enabled, disabled or deleted',
    example: {
      type: 'sub_user.created',
      timestamp: '2026-11-20T18:03:00.000Z',
      data: { user_id: 8, username: 'user-2', status: 'active' },
    },
  },
  test: {
    body: TestEvent,
    summary: 'A test',
    example: { type: TEST_EVENT, timestamp: '2026-11-20T18:03:00.000Z', data: { webhook_id: 1 } },
  },
} as const satisfies Readonly<
  Record<string, { readonly body: z.ZodType; readonly summary: string; readonly example: WebhookEvent }>
>
