import { z } from 'zod'
import { ENTRY_TYPES, ORDER_TYPES } from '../../core/ledger/book-entry.ts'
import type { SystemRemark } from '../../core/ledger/system-remarks.ts'
import type { Transaction } from '../../core/records/list-transactions.ts'
import type { Language, Texts } from '../language.ts'
import { Money, money, Time } from './fields.ts'

/** One change of one balance (rules 7.1). */
export const TransactionRecord = z
  .strictObject({
    id: z.int(),
    transaction_no: z.string(),
    user_id: z.int().meta({ description: 'Whose balance it is' }),
    username: z.string(),
    agent_id: z.int().nullable().meta({ description: "The user's agent" }),
    type: z.enum(ENTRY_TYPES).meta({
      description:
        'Why the balance changed; `promotion`: what the balance of an agent paid of the purchase of a sub-user with its promotion ' +
        'code, or got back of that',
    }),
    order_type: z.enum(ORDER_TYPES).nullable(),
    order_no: z.string().nullable(),
    amount: Money.meta({ description: 'Signed change of the balance' }),
    balance_before: Money,
    balance_after: Money,
    status: z.literal('success').meta({ description: 'A change that fails leaves no record' }),
    operator_id: z
      .int()
      .nullable()
      .meta({ description: 'The account that caused it; null for the operator of the service' }),
    remark: z.string().meta({
      description:
        'As it was sent with the order or adjustment, or why it was cancelled; what the service itself remarks is in the language of the answer',
    }),
    created_at: Time,
  })
  .meta({ id: 'Transaction' })

/** Remarks that the service itself makes, by kind. */
const SYSTEM_REMARKS: Readonly<Record<SystemRemark, Texts>> = {
  initial_balance: { en: 'Initial balance', zh: '初始余额' },
  adjusted_by_agent: { en: 'Adjusted by the agent', zh: '代理商调整' },
  account_deleted: { en: 'Account deleted', zh: '账号已删除' },
  renewal: { en: 'Renewal', zh: '续费' },
  earnings: { en: 'Earnings', zh: '收益' },
}

function remarkIn(language: Language, { remark, remarkKind, renewOrderNo }: Transaction): string {
  return remarkKind ? `${SYSTEM_REMARKS[remarkKind][language]} ${renewOrderNo ?? ''}`.trim() : remark
}

export function toTransaction(entry: Transaction, language: Language): z.infer<typeof TransactionRecord> {
  return {
    id: entry.id,
    transaction_no: entry.transactionNo,
    user_id: entry.userId,
    username: entry.username,
    agent_id: entry.agentId,
    type: entry.type,
    order_type: entry.orderType,
    order_no: entry.orderNo,
    amount: money(entry.amount),
    balance_before: money(entry.balanceAfter - entry.amount),
    balance_after: money(entry.balanceAfter),
    status: 'success',
    operator_id: entry.operatorId,
    remark: remarkIn(language, entry),
    created_at: entry.createdAt,
  }
}

export const consumptionExample: z.infer<typeof TransactionRecord> = {
  id: 12,
  transaction_no: 'T20261120175700123Z8Y7X6W5',
  user_id: 2,
  username: 'customer',
  agent_id: 1,
  type: 'consumption',
  order_type: 'static',
  order_no: 'S20261120175700123Q2W3E4R5',
  amount: -5,
  balance_before: 50,
  balance_after: 45,
  status: 'success',
  operator_id: 2,
  remark: '',
  created_at: '2026-11-20T17:57:00.123Z',
}

export const transferExample: z.infer<typeof TransactionRecord> = {
  ...consumptionExample,
  id: 4,
  transaction_no: 'T20261120170000456K1L2M3N4',
  type: 'transfer_in',
  order_type: null,
  order_no: null,
  amount: 50,
  balance_before: 0,
  balance_after: 50,
  operator_id: 1,
  remark: 'Initial balance',
  created_at: '2026-11-20T17:00:00.456Z',
}
