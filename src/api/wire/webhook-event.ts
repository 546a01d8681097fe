import { z } from 'zod'
import { record, Time } from '../../core/record.ts'
import {
  type DeliveredEvent,
  EVENT_FACTS,
  EVENT_TYPES,
  type EventGroup,
  type EventTypeOf,
  TEST_EVENT,
} from '../../core/webhooks/events.ts'

/** The bodies of deliveries to webhooks (rules 19.2): type, time, and what the event is about, as it was right afterwards. */

const Happened = Time.meta({ description: 'When it happened' })

/** Returns the event types of a group. */
function typesOf<Group extends EventGroup>(group: Group) {
  return EVENT_TYPES.filter((type): type is EventTypeOf<Group> => type.startsWith(`${group}.`))
}

/** What an event is about. */
const DATA = {
  order: record(EVENT_FACTS.order, {
    id: 'OrderEventData',
    names: {
      ordered: 'ip_count',
      delivered: 'success_count',
      bytes: 'traffic_amount',
      refunded: 'refunded_amount',
    },
  }),
  renewal: record(EVENT_FACTS.renewal, {
    id: 'RenewalEventData',
    names: { proxies: 'count', renewed: 'renewed_count', refunded: 'refunded_amount' },
  }),
  top_up: record(EVENT_FACTS.top_up, {
    id: 'TopUpEventData',
    names: { amountUnits: 'amount', payUnits: 'pay_amount', credit: 'credit_amount' },
  }),
  traffic: record(EVENT_FACTS.traffic, { id: 'TrafficEventData' }),
  balance: record(EVENT_FACTS.balance, { id: 'BalanceEventData' }),
  sub_user: record(EVENT_FACTS.sub_user, { id: 'SubUserEventData' }),
}

/**
 * Makes the schema of the bodies of a group.
 *
 * @param description of its types
 */
function bodyOf<Group extends EventGroup>(group: Group, id: string, description: string) {
  return z
    .strictObject({
      type: z.enum(typesOf(group)).meta({ description }),
      timestamp: Happened,
      data: DATA[group].schema,
    })
    .meta({ id })
}

const OrderEvent = bodyOf(
  'order',
  'OrderEvent',
  '`created`: accepted and paid; `ready`, `partial`, `failed`: completed with all, some or no proxies (traffic is ready at once); ' +
    '`changed`: proxies have other addresses or credentials; `released`: proxies were given back; `refunded`: money was; ' +
    '`expired`: the last proxy has expired',
)
const RenewalEvent = bodyOf(
  'renewal',
  'RenewalEvent',
  '`processing`: paid, and the supplier was asked; `success`: all or some proxies were renewed; `failed`: none was',
)
const TopUpEvent = bodyOf(
  'top_up',
  'TopUpEvent',
  '`confirming`: the payment was seen on the chain; `paid`: it is irreversible, and the balance was credited, also after the ' +
    'top-up had expired or was cancelled',
)
const TrafficEvent = bodyOf(
  'traffic',
  'TrafficEvent',
  '`low`: 80 % of the traffic of a product is used; `exhausted`: all of it. Each once, until more is bought',
)
const BalanceEvent = bodyOf(
  'balance',
  'BalanceEvent',
  'The balance does not cover the automatic renewals of the next 7 days',
)
const SubUserEvent = bodyOf(
  'sub_user',
  'SubUserEvent',
  'A sub-user was created, also by a registration link, enabled, disabled or deleted',
)

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
  const [group] = event.type.split('.') as [EventGroup]
  // The type says which facts there are. Bodies have the account at the end.
  const { user_id, username, ...data } = DATA[group].show(event.facts as never)
  return { ...data, user_id, username }
}

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
