import { z } from 'zod'
import { TRANSACTION, type Transaction } from '../../core/records/list-transactions.ts'
import { Money, record } from '../../core/record.ts'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import type { Language } from '../language.ts'
import { TEXTS } from '../texts/index.ts'

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

function remarkIn(language: Language, { remark, remarkKind, renewOrderNo }: Transaction): string {
  return remarkKind ? `${TEXTS[language].remarks[remarkKind]} ${renewOrderNo ?? ''}`.trim() : remark
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

export const consumptionExample = toTransaction(consumption, FALLBACK_LANGUAGE)

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
  FALLBACK_LANGUAGE,
)
