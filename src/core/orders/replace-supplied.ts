import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { shopsPartOf } from '../ledger/take-back-earnings.ts'
import { type Micros, times } from '../money.ts'
import { claimOffer, intendCall } from '../supply/intend-call.ts'
import { isOnOffer, offerMoment } from '../catalog/offer-conditions.ts'
import { inSupplierCurrency } from '../supply/supplier-amount.ts'
import { endOfTerm } from '../term.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'
import { setProcessing } from './replacement.ts'
import { restOfTerm } from './rest-of-term.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Upper bound of a search: more periods than the longest term has days. */
const MOST_PERIODS = 4_000

interface NewReplacement {
  readonly id: number
  readonly replacementNo: string
  /** Whether the price of the rest of the term comes back where the purchase fails. */
  readonly mayRefund: boolean
}

/**
 * Buys another proxy of the offer from which the old one came, for so many periods that the rest of its term is covered, in the open
 * transaction (rules 5.22). Its ceiling is the cost of the offer, as the shop stands by what it sold, or the shop's part of the refund
 * that it saves, if that is more (rules 13.2).
 *
 * @returns false when the offer cannot be had now; nothing is changed then
 */
export async function buyReplacement(
  deps: Essentials,
  tx: Tx,
  proxy: ReplacedProxy,
  { id, replacementNo, mayRefund }: NewReplacement,
): Promise<boolean> {
  const now = deps.clock.now()
  const wanted = await offerFor(tx, proxy, now)
  if (!wanted || !(await claimOffer(tx, { offerId: wanted.offerId, count: 1 }))) return false
  const { offerNo, data, periods, periodUnit, periodLength, proxyType, countryCode, cityCode } = wanted
  const { connectionId, rate, expectedCost } = wanted
  const { userId: accountId, orderNo } = proxy
  const { amount, toAgent } = await restOfTerm(tx, proxy, now)
  const refund = (await shopsPartOf(tx, { accountId, orderNo, amount })) + toAgent
  await setProcessing(tx, { id, refundAccepted: mayRefund })
  await intendCall(tx, now, {
    callNo: replacementNo,
    connectionId,
    kind: 'open',
    subject: replacementNo,
    orderId: proxy.orderId,
    count: 1,
    expectedCost,
    request: {
      kind: 'open',
      offerNo,
      data,
      count: 1,
      periods,
      periodUnit,
      periodLength,
      proxyType,
      countryCode,
      cityCode,
      projectId: proxy.projectId,
      cidrBlocks: [],
      ceiling: inSupplierCurrency(Math.max(expectedCost, refund), rate),
    },
  })
  return true
}

/** Returns whether {@link buyReplacement} could buy a proxy now. */
export async function canBuyReplacement(db: Readable, proxy: ReplacedProxy, now: Date): Promise<boolean> {
  return (await offerFor(db, proxy, now)) !== undefined
}

async function offerFor(db: Readable, { locationId, expireTime }: ReplacedProxy, now: Date) {
  if (locationId === null) return undefined
  const [offer] = await offerAt(db, { locationId, ...offerMoment(now) })
  if (!offer) return undefined
  const periods = periodsUntil(offer, now, new Date(expireTime))
  const expectedCost: Micros | null | undefined = periods && times(offer.cost, periods)
  if (!periods || expectedCost === null || expectedCost === undefined) return undefined
  return offer.stock > 0 && (offer.balance ?? 0) >= expectedCost
    ? { ...offer, periods, expectedCost }
    : undefined
}

const offerAt = compiled<{ locationId: number; now: string; freshSince: string }>()(
  (db, { locationId, now, freshSince }) =>
    db
      .selectFrom('locations as l')
      .innerJoin('supplierOffers as f', 'f.id', 'l.offerId')
      .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
      .select(['f.id as offerId', 'f.offerNo', 'f.connectionId', 'f.cost', 'f.stock', 'f.proxyType'])
      .select(['f.countryCode', 'f.cityCode', 'f.periodUnit', 'f.periodLength', 'c.rate', 'c.balance'])
      .select(({ ref }) => parsed<Readonly<Record<string, string>>>(ref('f.data')).as('data'))
      .$narrowType<{ periodUnit: 1 | 3 }>()
      .where('l.id', '=', locationId)
      .where(isOnOffer({ now, freshSince })),
)

/** Returns the least number of periods after which a term that begins now ends at that time or later. */
function periodsUntil(
  { periodUnit, periodLength }: { readonly periodUnit: 1 | 3; readonly periodLength: number },
  now: Date,
  until: Date,
): number | undefined {
  for (let periods = 1; periods <= MOST_PERIODS; periods += 1) {
    const length = periods * periodLength
    if (endOfTerm(now, periodUnit === 1 ? { days: length } : { months: length }) >= until) return periods
  }
  return undefined
}
