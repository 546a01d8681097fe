import { z } from 'zod'
import { toText } from '../core/money.ts'
import { RefundInput } from '../core/orders/refund-order.ts'
import { Money, record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { NOT_OF_THE_ORDER } from './order.ts'
import { counted } from './table.ts'

const RefundRecord = record(
  {
    refundNo: z.string(),
    orderNo: z.string(),
    username: z.string(),
    amount: Money,
    balance: Money,
    released: z.string().array(),
  },
  { names: { released: 'released_instances' } },
)

const { shape } = RefundInput

/** Gives back what was paid for an order, or a part of it (rules 4.10). */
export const refundAction = action({
  name: 'refund',
  summary: 'give back what was paid for an order, or a part of it; the customer is told',
  input: {
    orderNo: typed(shape.orderNo, '<order>', 'number of an order of proxies or of traffic'),
    instances: typed(
      shape.instances,
      '--instances <numbers...>',
      'numbers of proxies; by default the whole order',
    ),
    amount: typed(
      shape.amount,
      '--amount <amount>',
      'how much; by default everything that was not given back yet',
    ),
    release: typed(shape.release, '--release', 'end the proxies, too; by default they run on'),
    reason: typed(shape.reason, '--reason <text>', 'why; the customer reads it'),
  },
  answer: RefundRecord.schema,
  idempotent: true,
  refusals: { instance_not_found: NOT_OF_THE_ORDER },
  async question({ orderNo, instances, amount, release }, { core, currency }) {
    const { most, username, active } = await core.operator.orders.quoteRefund({ orderNo, instances })
    const all = `${toText(most)} ${currency}`
    const much = typeof amount === 'number' ? `${amount} of ${all}` : all
    const ends = release && active > 0 ? ` and end ${counted(active, 'proxy', 'proxies')}` : ''
    return `Give ${much} back to ${username}${ends}?`
  },
  async run({ core, by, currency, requestKey }, input) {
    const done = await core.operator.orders.refund(by, { ...input, requestKey })
    const { username, amount, refundNo, balance, released } = done
    const ended = released.length > 0 ? `; ended ${counted(released.length, 'proxy', 'proxies')}` : ''
    return {
      data: RefundRecord.show(done),
      text: `Gave ${toText(amount)} ${currency} back to ${username} (${refundNo}); balance ${toText(balance)} ${currency}${ended}`,
    }
  },
})
