import { z } from 'zod'
import type { ShownOrder } from '../core/customers/show-order.ts'
import { toText } from '../core/money.ts'
import { EndInput } from '../core/orders/end-unasked.ts'
import { CredentialsInput } from '../core/orders/give-credentials.ts'
import { DYNAMIC_ORDER } from '../core/orders/list-dynamic-orders.ts'
import { REPLACEMENT, withAddresses } from '../core/orders/replacement.ts'
import { INSTANCE_STATUSES, ORDER_STATUSES } from '../core/orders/static-order.ts'
import { addressOf } from '../core/proxy-formats.ts'
import { Money, record, Time } from '../core/record.ts'
import { action, typed } from './action.ts'
import { outcomeOf } from './replacements.ts'
import { counted, table } from './table.ts'

/** Message when `--instances` names a proxy that the order does not have. */
export const NOT_OF_THE_ORDER = 'This order has no such proxy: `order show` shows those that it has'

const { replacementNo, instanceNo, status, new: since, refundAmount } = REPLACEMENT
const ReplacedRecord = record({ replacementNo, instanceNo, status, new: since, refundAmount })

const { orderNo, appOrderNo, username, productNo, totalAmount, createdAt, trafficBytes } = DYNAMIC_ORDER
const numbers = { orderNo, appOrderNo, username, productNo }
const amounts = { totalAmount, refundable: Money, createdAt }
const names = { refundable: 'refundable_amount', trafficBytes: 'traffic_gb' } as const
const currency = z.string()
const TrafficRecord = record(
  {
    type: z.literal('dynamic'),
    ...numbers,
    status: DYNAMIC_ORDER.status,
    ...amounts,
    trafficBytes,
    currency,
  },
  { names },
)
const ProxyRecord = record({
  instanceNo,
  ip: z.string(),
  port: z.int(),
  status: z.enum(INSTANCE_STATUSES),
  expireTime: Time,
})
const ProxiesRecord = record(
  {
    type: z.literal('static'),
    ...numbers,
    status: z.enum(ORDER_STATUSES),
    ...amounts,
    instances: ProxyRecord.array(),
    currency,
  },
  { names },
)

const CredentialsRecord = record({ instanceNo, username, changed: z.boolean() })
const EndedRecord = record(
  { orderNo, username, ended: instanceNo.array() },
  { names: { ended: 'ended_instances' } },
)

const proxy = typed(CredentialsInput.shape.instanceNo, '<proxy>', 'its number')
const reason = typed(EndInput.shape.reason, '--reason <text>', 'why; the customer reads it')

/** Orders of customers and their proxies (rules 16.2, 16.4 to 16.6). */
export const orderActions = [
  action({
    name: 'order show',
    summary: 'show an order of proxies, with all of them, or of traffic',
    input: { orderNo: typed(z.string(), '<order>', 'its number') },
    answer: z.discriminatedUnion('type', [ProxiesRecord.schema, TrafficRecord.schema]),
    reads: true,
    async run({ core, currency }, { orderNo }) {
      const shown = await core.operator.orders.show(orderNo)
      const { refundable } = shown
      return {
        data:
          shown.type === 'static'
            ? ProxiesRecord.show({ ...shown.order, type: shown.type, refundable, currency })
            : TrafficRecord.show({ ...shown.order, type: shown.type, refundable, currency }),
        text: textOfOrder(shown, currency),
      }
    },
  }),
  action({
    name: 'order replace',
    summary: 'replace a proxy by an equal one, whatever its product says; the customer is told',
    input: {
      instanceNo: proxy,
      reason,
      refund: typed(
        z.boolean().default(false),
        '--refund',
        'where there is no equal one, give back the rest of the term',
      ),
    },
    answer: ReplacedRecord.schema,
    idempotent: true,
    needs: ['suppliers'],
    async run({ core, by, currency, requestKey }, input) {
      const replaced = await core.operator.orders.replace(by, { ...input, requestKey })
      return {
        data: ReplacedRecord.show(withAddresses(replaced)),
        text: `${replaced.instanceNo}: ${outcomeOf(replaced, currency)}`,
      }
    },
  }),
  action({
    name: 'order credentials',
    summary: 'give other credentials to a proxy in use; the customer is told',
    input: {
      instanceNo: proxy,
      reason: typed(
        CredentialsInput.shape.reason,
        '--reason <text>',
        'why, 1-255 characters; kept in the trail',
      ),
      password: typed(
        CredentialsInput.shape.password,
        '--password <password>',
        'of a proxy of the own stock, as it is there now; 6-50 characters',
        { reads: 'Password' },
      ),
      username: typed(
        CredentialsInput.shape.username,
        '--username <username>',
        'the same; by default it stays',
      ),
    },
    answer: CredentialsRecord.schema,
    needs: ['suppliers'],
    async run({ core, by }, input) {
      const given = await core.operator.orders.giveCredentials(by, input)
      return {
        data: CredentialsRecord.show(given),
        text: given.changed
          ? `${given.instanceNo} has other credentials`
          : `The supplier of ${given.instanceNo} is asked for other credentials`,
      }
    },
  }),
  action({
    name: 'order end',
    summary: 'end proxies of an order before their time and give nothing back; the customer is told',
    input: {
      orderNo: typed(EndInput.shape.orderNo, '<order>', 'its number'),
      instances: typed(
        EndInput.shape.instances,
        '--instances <numbers...>',
        'numbers of proxies; by default all of the order',
      ),
      reason,
    },
    answer: EndedRecord.schema,
    needs: ['suppliers'],
    refusals: {
      order_not_found: 'There is no order of proxies of this number',
      instance_not_found: NOT_OF_THE_ORDER,
    },
    async question({ orderNo, instances }, { core }) {
      const { active, username } = await core.operator.orders.quoteRefund({ orderNo, instances })
      return active === 0
        ? undefined
        : `End ${counted(active, 'proxy', 'proxies')} of ${username} without a refund?`
    },
    async run({ core, by }, input) {
      const done = await core.operator.orders.end(by, input)
      return {
        data: EndedRecord.show(done),
        text: `Ended ${counted(done.ended.length, 'proxy', 'proxies')} of ${done.username}; nothing was given back`,
      }
    },
  }),
]

function textOfOrder({ type, order, refundable }: ShownOrder, currency: string): string {
  const money = (micros: number) => `${toText(micros)} ${currency}`
  const { orderNo, username, productNo, status, totalAmount } = order
  const summary = `${orderNo} of ${username}: ${productNo}, ${status}, ${money(totalAmount)}; ${money(refundable)} can be given back`
  const proxies = type === 'static' ? order.instances : []
  const rows = proxies.map((proxy) => [proxy.instanceNo, addressOf(proxy), proxy.status, proxy.expireTime])
  return rows.length === 0
    ? summary
    : `${summary}\n${table([['PROXY', 'ADDRESS', 'STATUS', 'UNTIL'], ...rows])}`
}
