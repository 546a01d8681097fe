import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { TopUpStatus, TransferState } from '../../generated/prisma/enums.ts'
import type { Readable } from '../database/database.ts'
import { beginsWith } from '../database/dialect.ts'
import { type HeldOf, record, Time, UsdtDigits, UsdtText } from '../record.ts'
import type { NetworkTraits } from '../top-ups/payment-network.ts'
import { type Transaction, transactionsIn } from '../top-ups/transfer-names.ts'

/** A top-up by USDT. */
export const FoundTopUpRecord = record(
  {
    kind: z.literal('top_up'),
    orderNo: z.string(),
    username: z.string(),
    status: z.enum(TopUpStatus),
    payUnits: UsdtText,
    createdAt: Time,
  },
  { names: { payUnits: 'pay_amount' } },
)
export type FoundTopUp = HeldOf<typeof FoundTopUpRecord>

/** A transfer to the wallet. */
export const FoundTransferRecord = record(
  {
    kind: z.literal('transfer'),
    /** Id of the network over which it came. */
    network: z.string(),
    txid: z.string(),
    index: z.int(),
    units: UsdtDigits,
    state: z.enum(TransferState),
    /** Number of the top-up that it has paid; null where it has paid none. */
    topUpNo: z.string().nullable(),
    username: z.string().nullable(),
  },
  { names: { index: 'log_index', units: 'amount', topUpNo: 'order_no' } },
)
export type FoundTransfer = HeldOf<typeof FoundTransferRecord> & {
  readonly id: number
  /** When the operator decided about it; null where nobody did. */
  readonly resolvedAt: string | null
}

const MOST = 10

const eb = expressionBuilder<DB & { x: DB['usdtTransfers'] }, 'x'>()

/** Finds top-ups by their number or that of the caller, and `confirming` ones whose payment was seen in this transaction. */
export function topUpsNumbered(
  db: Readable,
  text: string,
  networks: readonly NetworkTraits[],
): Promise<FoundTopUp[]> {
  const transactions = transactionsIn(networks, text)
  const topUps = selectTopUps(db)
  return listed(
    transactions.length === 0
      ? topUps.where(({ or, eb }) =>
          or([eb('t.orderNo', '=', text.toUpperCase()), eb('t.clientOrderNo', '=', text)]),
        )
      : topUps
          .where(({ eb, or, and }) =>
            or(
              transactions.map(({ network, txid }) =>
                and([eb('t.network', '=', network), eb('t.seenTxid', '=', txid)]),
              ),
            ),
          )
          .where('t.status', '=', 'confirming'),
  )
}

/** Finds top-ups whose number begins with the text. */
export async function topUpsLike(db: Readable, text: string): Promise<FoundTopUp[]> {
  const number = text.toUpperCase()
  if (!/^[A-Z]\d/.test(number)) return []
  return listed(selectTopUps(db).where(({ ref }) => beginsWith(ref('t.orderNo'), number)))
}

function selectTopUps({ $kysely }: Readable) {
  return $kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.orderNo', 'u.username', 't.status', 't.payUnits', 't.createdAt'])
    .orderBy('t.id', 'desc')
    .limit(MOST)
}

async function listed(query: ReturnType<typeof selectTopUps>): Promise<FoundTopUp[]> {
  return (await query.execute()).map((topUp) => ({ kind: 'top_up', ...topUp }))
}

/** Finds the transfers of a transaction. */
export async function transfersOf(
  db: Readable,
  text: string,
  networks: readonly NetworkTraits[],
): Promise<FoundTransfer[]> {
  const transactions = transactionsIn(networks, text)
  if (transactions.length === 0) return []
  const isOne = ({ network, txid }: Transaction) =>
    eb.and([eb('x.network', '=', network), eb('x.txid', '=', txid)])
  return transfers(selectTransfers(db).where(eb.or(transactions.map(isOne))))
}

/** Finds transfers whose transaction id begins with the text. */
export async function transfersLike(db: Readable, text: string): Promise<FoundTransfer[]> {
  if (!/^[\p{L}\p{N}_-]{6,}$/u.test(text)) return []
  return transfers(
    selectTransfers(db).where(({ ref, or }) =>
      or([text, text.toLowerCase()].map((beginning) => beginsWith(ref('x.txid'), beginning))),
    ),
  )
}

function selectTransfers({ $kysely }: Readable) {
  return $kysely
    .selectFrom('usdtTransfers as x')
    .leftJoin('topUps as t', 't.id', 'x.topUpId')
    .leftJoin('accounts as u', 'u.id', 't.userId')
    .select([
      'x.id',
      'x.network',
      'x.txid',
      'x.logIndex as index',
      'x.units',
      'x.state',
      'x.resolvedAt',
      't.orderNo as topUpNo',
      'u.username',
    ])
    .orderBy('x.logIndex')
    .limit(MOST)
}

async function transfers(query: ReturnType<typeof selectTransfers>): Promise<FoundTransfer[]> {
  return (await query.execute()).map((transfer) => ({ kind: 'transfer', ...transfer }))
}
