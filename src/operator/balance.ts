import { z } from 'zod'
import { OperatorAdjustment } from '../core/accounts/adjust-balance.ts'
import { toText } from '../core/money.ts'
import { Money, record } from '../core/record.ts'
import { action, typed } from './action.ts'

const { shape } = OperatorAdjustment

const AdjustmentRecord = record({
  username: z.string(),
  amount: Money,
  oldBalance: Money,
  newBalance: Money,
  currency: z.string(),
  transactionNo: z.string(),
  remark: z.string(),
  paid: z.boolean(),
})

/** Adjusts the balance of any account (rules 10.3). */
export const balanceAction = action({
  name: 'balance',
  summary: "adjust an account's balance",
  input: {
    username: typed(shape.username, '<name>', 'username of an agent or user'),
    amount: typed(shape.amount, '<amount>', 'what to add, such as 100 or -12.5'),
    remark: typed(shape.remark, '--remark <text>', 'why, 1-255 characters; kept with the entry'),
    paid: typed(
      z.boolean().default(false),
      '--paid',
      'the customer has paid for it (or was paid it) outside of the service: it counts for payouts (default: false)',
    ),
  },
  answer: AdjustmentRecord.schema,
  idempotent: true,
  async run({ core, by, currency, requestKey }, input) {
    const { remark, paid } = input
    const done = await core.operator.adjustBalance(by, { ...input, requestKey })
    const money = (micros: number) => `${toText(micros)} ${currency}`
    return {
      data: AdjustmentRecord.show({ ...done, currency, remark, paid }),
      text: `Balance of ${done.username}: ${money(done.oldBalance)} -> ${money(done.newBalance)} (${done.transactionNo})`,
    }
  },
})
