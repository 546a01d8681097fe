import { z } from 'zod'
import type { SystemRemark } from '../../core/ledger/system-remarks.ts'
import { TRANSACTION, type Transaction } from '../../core/records/list-transactions.ts'
import { Money, record } from '../../core/record.ts'
import type { Language, Texts } from '../language.ts'

const { balanceAfter, operatorId, remark, createdAt, ...change } = TRANSACTION

/** One change of one balance (rules 7.1). */
export const TransactionRecord = record(
  {
    ...change,
    balanceBefore: Money,
    balanceAfter,
    status: z.literal('success').meta({ description: 'A change that fails leaves no record' }),
    operatorId,
    remark,
    createdAt,
  },
  { id: 'Transaction' },
)

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

export function toTransaction(entry: Transaction, language: Language) {
  return TransactionRecord.show({
    ...entry,
    balanceBefore: entry.balanceAfter - entry.amount,
    status: 'success',
    remark: remarkIn(language, entry),
  })
}

const consumption: Transaction = {
  id: 12,
  transactionNo: 'T20261120175700123Z8Y7X6W5',
  userId: 2,
  username: 'customer',
  agentId: 1,
  type: 'consumption',
  orderType: 'static',
  orderNo: 'S20261120175700123Q2W3E4R5',
  amount: -5_000_000,
  balanceAfter: 45_000_000,
  operatorId: 2,
  remark: '',
  remarkKind: null,
  renewOrderNo: null,
  createdAt: '2026-11-20T17:57:00.123Z',
}

export const consumptionExample = toTransaction(consumption, 'en')

export const transferExample = toTransaction(
  {
    ...consumption,
    id: 4,
    transactionNo: 'T20261120170000456K1L2M3N4',
    type: 'transfer_in',
    orderType: null,
    orderNo: null,
    amount: 50_000_000,
    balanceAfter: 50_000_000,
    operatorId: 1,
    remarkKind: 'initial_balance',
    createdAt: '2026-11-20T17:00:00.456Z',
  },
  'en',
)
