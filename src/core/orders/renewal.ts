import { z } from 'zod'
import { RenewalStatus, type Role } from '../../generated/prisma/enums.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { rowsAsJson } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import { type Held, Money, record, Time } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'

export { RenewalStatus }
export const RENEWAL_STATUSES = Object.values(RenewalStatus)

/** Fields shown of a renewal as it stands (rules 5.7). */
export const RENEWAL = {
  orderNo: z.string(),
  renewOrderNo: z.string(),
  userId: z.int().meta({ description: 'Who owns the proxies, and pays' }),
  username: z.string(),
  automatic: z.boolean().meta({ description: 'Made by the service, because the proxies renew themselves' }),
  status: z.enum(RENEWAL_STATUSES).meta({
    description:
      '`processing` until the supplier has answered; `success`: renewed, be it in part; `failed`: no proxy was renewed',
  }),
  failReason: z.string().nullable().meta({ description: 'Why proxies were not renewed; null: all were' }),
  amount: Money,
  refundedAmount: Money.meta({ description: 'Given back for proxies that were not renewed' }),
  instances: record({
    instanceNo: z.string(),
    status: z.enum(RENEWAL_STATUSES),
    oldExpireTime: Time,
    newExpireTime: Time.meta({
      description:
        'When the term ends now; while it is `processing`, when it will end at the latest; the old one when it `failed`',
    }),
  }).array(),
  balance: Money.meta({ description: 'Of the order’s user, right after the payment' }),
  createdAt: Time,
}

export interface Renewal extends Held<typeof RENEWAL> {
  /** Time of the supplier's answer, null until then; for the own stock the time of the renewal, in its first answer null. */
  readonly endedAt: string | null
}

/** Query of {@link Renewal}s, each with the hash of its request: `renewals` as `r`, of the order `o`. */
export function selectRenewals(db: Queryable['$kysely']) {
  return db
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .innerJoin('ledgerEntries as e', (on) =>
      on.on(({ eb, val, ref }) => eb('e.source', '=', eb(val('renewal:'), '||', ref('r.renewOrderNo')))),
    )
    .select(['r.requestHash as hash', 'o.orderNo', 'r.renewOrderNo', 'r.amount', 'e.balanceAfter as balance'])
    .select(['o.userId', 'u.username', 'r.automatic', 'r.status', 'r.failReason', 'r.refundedAmount'])
    .select(['r.createdAt', 'r.endedAt'])
    .select(({ selectFrom }) => {
      const renewed = selectFrom('renewedInstances as n').innerJoin('instances as i', 'i.id', 'n.instanceId')
      const items = renewed
        .select(['n.id', 'i.instanceNo', 'n.oldExpireTime', 'n.newExpireTime', 'n.failed'])
        .whereRef('n.renewalId', '=', 'r.id')
      return rowsAsJson(items, 'id', { failed: true }).as('instances')
    })
}

type Row = Awaited<ReturnType<typeof firstRenewal>>[number]

/** Makes a renewal of a row of {@link selectRenewals}, with the status of each proxy. */
export function toRenewal({ hash: _hash, instances, ...renewal }: Row): Renewal {
  return {
    ...renewal,
    instances: instances.map(({ id: _id, failed, ...instance }) => ({
      ...instance,
      ...(failed && { newExpireTime: instance.oldExpireTime }),
      status: failed ? 'failed' : renewal.status,
    })),
  }
}

/**
 * Finds the renewal that a caller asked for under a number of its own: the answer to a repeated request (rules 4.3), as it stands now.
 *
 * @throws idempotency_conflict when the number was used for another renewal
 */
export async function findFirst(
  db: Readable,
  actor: Actor,
  appOrderNo: string,
  hash: string,
): Promise<Renewal | undefined> {
  const [first] = await firstRenewal(db, { callerId: actor.id, appOrderNo })
  if (first && first.hash !== hash)
    throw new ServiceError('idempotency_conflict', { data: { app_order_no: appOrderNo } })
  return first && toRenewal(first)
}

const firstRenewal = compiled<{ callerId: number; appOrderNo: string }>()((db, { callerId, appOrderNo }) =>
  selectRenewals(db).where('r.callerId', '=', callerId).where('r.appOrderNo', '=', appOrderNo),
)

/**
 * Returns a renewal of an order that the actor may see.
 *
 * @param number its number, or the one that the actor gave it
 * @throws order_not_found, also when it is somebody else's
 */
export async function getRenewal({ db }: Essentials, actor: Actor, number: string): Promise<Renewal> {
  const { role, id: actorId } = actor
  const [renewal] = await renewalOfNumber(db.read, { role }, { actorId, number })
  if (!renewal) throw new ServiceError('order_not_found')
  return toRenewal(renewal)
}

const renewalOfNumber = compiledByShape<{ role: Role }, { actorId: number; number: string }>()(
  (db, { role }, { actorId, number }) =>
    selectRenewals(db)
      .where(({ eb, or, and }) =>
        or([
          eb('r.renewOrderNo', '=', number),
          and([eb('r.callerId', '=', actorId), eb('r.appOrderNo', '=', number)]),
        ]),
      )
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId')))
      .orderBy(({ eb }) => eb('r.renewOrderNo', '=', number), 'desc')
      .limit(1),
)
