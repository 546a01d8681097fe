import { z } from 'zod'
import { Prisma, TopUpStatus } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { jsonObject, type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { type Page, paging } from '../page.ts'
import type { Usdt } from './usdt.ts'

export const TOP_UP_STATUSES = Object.values(TopUpStatus)
export type { TopUpStatus }

/** A top-up as it stands (rules 8.6). */
export interface TopUp {
  readonly id: number
  readonly orderNo: string
  readonly clientOrderNo: string | null
  readonly userId: number
  readonly username: string
  readonly wallet: string
  readonly contract: string
  readonly amount: Usdt
  /** With the tail that tells this payment from all others. */
  readonly payAmount: Usdt
  /** 10^-6 of the account currency per USDT, as it was at the creation. */
  readonly rate: Micros
  /** What the payment adds, or has added, to the balance. */
  readonly creditAmount: Micros
  readonly status: TopUpStatus
  readonly late: boolean
  /** Of the payment, as soon as it was seen on the chain. */
  readonly txid: string | null
  /** Who paid, and when its block was made; once it is irreversible. */
  readonly fromAddress: string | null
  readonly blockTime: string | null
  /** Received, all payments together. */
  readonly paidAmount: Usdt | null
  /** Where the chat goes on after the payment. */
  readonly reference: string | null
  readonly createdAt: string
  readonly expiresAt: string
  /** Up to which block time a payment is still credited by itself. */
  readonly matchUntil: string
  readonly paidAt: string | null
  readonly cancelledAt: string | null
}

const topUpJson = jsonObject({
  id: 't.id',
  orderNo: 't.order_no',
  clientOrderNo: 't.client_order_no',
  userId: 't.user_id',
  username: 'u.username',
  wallet: 't.wallet',
  contract: 't.contract',
  amount: 't.amount_units',
  payAmount: 't.pay_units',
  rate: 't.rate',
  creditAmount: 't.credit_amount',
  status: 't.status',
  late: "json(iif(t.late, 'true', 'false'))",
  txid: 'coalesce(p.txid, t.seen_txid)',
  fromAddress: 'p.from_address',
  blockTime: `coalesce(p.block_time,
    (SELECT block_time FROM chain_candidates WHERE t.status = 'confirming' AND txid = t.seen_txid))`,
  paidAmount: '(SELECT sum(CAST(units AS INTEGER)) FROM usdt_transfers WHERE top_up_id = t.id)',
  reference: 't.reference',
  createdAt: 't.created_at',
  expiresAt: 't.expires_at',
  matchUntil: 't.match_until',
  paidAt: 't.paid_at',
  cancelledAt: 't.cancelled_at',
})

/** The payment `p` that made a top-up `t` paid is the first of its transfers. */
const TOP_UPS = Prisma.sql`top_ups t JOIN accounts u ON u.id = t.user_id
  LEFT JOIN usdt_transfers p ON p.id = (SELECT min(id) FROM usdt_transfers WHERE top_up_id = t.id)`

export const TopUpFilter = z
  .object({
    ...paging,
    status: z.enum(TOP_UP_STATUSES).optional(),
    orderNo: z.string().max(64).optional(),
    userId: z.int().positive().optional(),
    /** Both days included. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

/** Top-ups that the actor may see, newest first: its own and, for an agent, those of its direct sub-users (rules 8.13). */
export async function listTopUps(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof TopUpFilter> = {},
): Promise<Page<TopUp>> {
  const { page, pageSize, status, orderNo, userId, startDate, endDate } = parseInput(TopUpFilter, input)
  const conditions = Prisma.join(
    [
      visibleTo(actor, 't.user_id'),
      ...(userId ? [Prisma.sql`t.user_id = ${userId}`] : []),
      ...(status ? [Prisma.sql`t.status = ${status}`] : []),
      ...(orderNo
        ? [
            Prisma.sql`(t.order_no = ${orderNo} OR t.user_id = ${actor.id} AND t.client_order_no = ${orderNo})`,
          ]
        : []),
      ...(startDate ? [Prisma.sql`t.created_at >= ${startDate}`] : []),
      ...(endDate ? [Prisma.sql`t.created_at < ${endOf(endDate)}`] : []),
    ],
    ' AND ',
  )
  const [row] = await selectJson<{ total: number; items: TopUp[] }>(
    db.read,
    Prisma.sql`SELECT json_object(
        'total', (SELECT count(*) FROM top_ups t WHERE ${conditions}),
        'items', (SELECT json_group_array(json(record)) FROM (
                    SELECT ${topUpJson} AS record FROM ${TOP_UPS} WHERE ${conditions}
                    ORDER BY t.id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}))) AS json`,
  )
  return { items: row?.items ?? [], total: row?.total ?? 0, page, pageSize }
}

/**
 * One top-up.
 *
 * @param orderNo its number, or the one that the actor gave it (rules 4.3)
 * @throws order_not_found, also when it is somebody else's
 */
export async function getTopUp({ db }: CoreDeps, actor: Actor, orderNo: string): Promise<TopUp> {
  const topUp = await find(
    db.read,
    Prisma.sql`(t.order_no = ${orderNo} OR t.user_id = ${actor.id} AND t.client_order_no = ${orderNo})
      AND ${visibleTo(actor, 't.user_id')} ORDER BY t.order_no = ${orderNo} DESC LIMIT 1`,
  )
  if (!topUp) throw new ServiceError('order_not_found')
  return topUp
}

/** The top-up that a caller made under its own number; undefined when there is none. */
export function topUpOfClient(db: Readable, userId: number, clientOrderNo: string) {
  return find(db, Prisma.sql`t.user_id = ${userId} AND t.client_order_no = ${clientOrderNo}`)
}

/** Any top-up, for the operator; undefined when there is none with this number. */
export function topUpOfNumber({ db }: CoreDeps, orderNo: string): Promise<TopUp | undefined> {
  return find(db.read, Prisma.sql`t.order_no = ${orderNo}`)
}

/** The top-up as it stands; for those who know that it is there. */
export async function readTopUp(db: Readable, orderNo: string): Promise<TopUp> {
  const topUp = await find(db, Prisma.sql`t.order_no = ${orderNo}`)
  if (!topUp) throw new Error(`top-up ${orderNo} does not exist`)
  return topUp
}

async function find(db: Readable, which: Prisma.Sql): Promise<TopUp | undefined> {
  const [topUp] = await selectJson<TopUp>(
    db,
    Prisma.sql`SELECT ${topUpJson} AS json FROM ${TOP_UPS} WHERE ${which}`,
  )
  return topUp
}
