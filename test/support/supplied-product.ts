import { SHELL } from '../../src/core/people/operator.ts'
import type { Core } from '../../src/core/core.ts'
import type { Database, Tx } from '../../src/core/database/database.ts'
import type { Clock } from '../../src/core/clock.ts'

/** What a shop needs to be of the service: the database, the clock and the core that works on them. */
interface Shop {
  readonly db: Database
  readonly clock: Clock
  readonly core: Core
}

type Offer = Parameters<Tx['supplierOffer']['create']>[0]['data']

/** An offer as tests name it; what is missing is usual. */
export type OfferOfTest = Partial<
  Pick<
    Offer,
    | 'name'
    | 'proxyType'
    | 'countryCode'
    | 'state'
    | 'cityCode'
    | 'periodUnit'
    | 'periodLength'
    | 'stock'
    | 'maxCount'
    | 'paused'
  >
> & {
  readonly offerNo: string
  /** In units of the currency; 2 when missing. */
  readonly cost?: number
  readonly projects?: readonly { readonly code: string; readonly name: string }[]
  readonly ranges?: readonly { readonly cidr: string; readonly stock: number }[]
  readonly data?: Readonly<Record<string, string>>
}

export interface ConnectionOfTest {
  readonly name?: string
  readonly driver?: string
  readonly url?: string
  /** Sealed credentials. */
  readonly credentials?: string
  /** In units of the currency; 1000 when missing, null: not known. */
  readonly balance?: number | null
  readonly refundHours?: number
  readonly concurrency?: number
  /** Account currency for one unit of the supplier's. */
  readonly rate?: number
}

const micros = (amount: number) => Math.round(amount * 1_000_000)

/** A connection, written as the operator's command would. */
export async function connection(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  options: ConnectionOfTest = {},
): Promise<number> {
  const { name = 'upstream', driver = 'reseller-api', url = 'https://upstream.example.com' } = options
  const { credentials = '', balance = 1000, refundHours = 24, concurrency = 4, rate = 1 } = options
  const now = clock.now()
  const { id } = await db.write((tx) =>
    tx.$kysely
      .insertInto('supplierConnections')
      .values({
        name,
        driver,
        url,
        credentials,
        refundHours,
        concurrency,
        rate: micros(rate),
        balance: balance === null ? null : micros(balance),
        balanceAt: balance === null ? null : now,
        syncedAt: now,
        // Tests renew the offers themselves.
        syncDueAt: new Date('2100-01-01T00:00:00.000Z'),
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

/** Offers of a connection, as a look at the supplier's catalogue would write them now. */
export async function offers(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  connectionId: number,
  list: readonly OfferOfTest[],
): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    for (const { cost = 2, projects = [], ranges = [], data = {}, ...offer } of list) {
      await tx.$kysely
        .insertInto('supplierOffers')
        .values({
          name: offer.offerNo,
          proxyType: 103,
          countryCode: 'US',
          periodUnit: 3,
          periodLength: 1,
          stock: 100,
          ...offer,
          connectionId,
          cost: micros(cost),
          projects: JSON.stringify(projects),
          ranges: JSON.stringify(ranges),
          data: JSON.stringify(data),
          seenAt: now,
          createdAt: now,
        })
        .execute()
    }
  })
}

type NewSupplied = Parameters<Core['operator']['addSuppliedProduct']>[1]

export interface SuppliedProductOfTest {
  readonly connection?: ConnectionOfTest
  /** Los Angeles at 2 and New York at 3, unless said otherwise. */
  readonly offers?: readonly OfferOfTest[]
  /** What the operator says when adding the product; a margin of 50 %, unless said otherwise. */
  readonly product?: Partial<NewSupplied>
}

export const LOS_ANGELES = { offerNo: 'LA', state: 'CA', cityCode: 'USLAX' } satisfies OfferOfTest
export const NEW_YORK = { offerNo: 'NY', state: 'NY', cityCode: 'USNYC', cost: 3 } satisfies OfferOfTest

/** A connection with offers, and a product that sells all of them. */
export async function suppliedProduct(
  service: Shop,
  {
    connection: options = {},
    offers: list = [LOS_ANGELES, NEW_YORK],
    product = {},
  }: SuppliedProductOfTest = {},
): Promise<{ readonly productNo: string; readonly connectionId: number }> {
  const connectionId = await connection(service, options)
  await offers(service, connectionId, list)
  const { productNo } = await service.core.operator.addSuppliedProduct(SHELL, {
    productNo: 'supplied',
    names: { en: 'Supplied', zh: '供应' },
    supplier: options.name ?? 'upstream',
    offers: list.map(({ offerNo }) => offerNo),
    ...(product.price === undefined ? { marginPercent: 50 } : {}),
    ...product,
  })
  return { productNo, connectionId }
}

/** Changes what the mirror says of an offer; the cost is in units of the currency. */
export async function changeOffer(
  { db }: Pick<Shop, 'db'>,
  offerNo: string,
  { cost, ...change }: { cost?: number; stock?: number; maxCount?: number; paused?: boolean; seenAt?: Date },
): Promise<void> {
  await db.write((tx) =>
    tx.$kysely
      .updateTable('supplierOffers')
      .set({ ...change, ...(cost === undefined ? {} : { cost: micros(cost) }) })
      .where('offerNo', '=', offerNo)
      .execute(),
  )
}

/** Changes a connection; the balance is in units of the currency. */
export async function changeConnection(
  { db }: Pick<Shop, 'db'>,
  {
    balance,
    ...change
  }: { balance?: number | null; status?: 'active' | 'paused'; pausedUntil?: Date | null },
): Promise<void> {
  await db.write((tx) =>
    tx.$kysely
      .updateTable('supplierConnections')
      .set({
        ...change,
        ...(balance === undefined ? {} : { balance: balance === null ? null : micros(balance) }),
      })
      .execute(),
  )
}
