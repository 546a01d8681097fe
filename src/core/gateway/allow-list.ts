import type { Expression } from 'kysely'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { addressRange, type AddressRange, isOfClients } from '../address-range.ts'
import { isOfferedCountry } from '../catalog/offered-places.ts'
import { isCountryCode } from '../catalog/country-code.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { madeBy, makerMayAct } from '../access/makers.ts'
import { noneIfEmpty } from '../none-if-empty.ts'
import { type HeldOf, record } from '../record.ts'
import { mainAccount, type WhichAccount } from './main-account.ts'
import type { Allowed } from './wire.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of ranges of one traffic account. */
export const MOST_ADDRESSES = 50
/** Shortest prefixes in bits: the network of a site. A wider range would keep other customers from their own addresses. */
const LEAST_PREFIX = { ipv4: 24, ipv6: 48 } as const

export const AllowListInput = z.object({
  productNo: z.string().min(1).max(64),
  /** The owner of the traffic; by default the caller. */
  userId: z.int().positive().nullish(),
  /** Addresses or ranges of clients; all that were allowed before and are missing here are removed. */
  addresses: z
    .array(addressRange(LEAST_PREFIX).refine(isOfClients, { error: 'not_of_a_client' }))
    .max(MOST_ADDRESSES),
  /** Country in which the traffic of these clients leaves; any when missing. */
  country: z
    .string()
    .overwrite((code) => code.toUpperCase())
    .refine((code) => code === '' || isCountryCode(code), { error: 'not_a_country_code' })
    .nullish()
    .transform(noneIfEmpty),
  /** Session by which these clients keep their exit; without it each request may get another one. */
  session: z
    .string()
    .regex(/^(?:[A-Za-z0-9]{6,16})?$/, 'not_a_session')
    .nullish()
    .transform(noneIfEmpty),
})

/** Addresses whose clients use a traffic account without a password (rules 12.8). */
export const AllowListRecord = record(
  {
    userId: z.int().meta({ description: 'Whose traffic it is' }),
    productNo: z.string(),
    addresses: z.array(z.string()).meta({ description: 'Addresses, and ranges in CIDR notation' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'ISO 3166-1 alpha-2: where their traffic leaves; null: anywhere' }),
    session: z.string().nullable().meta({ description: 'They keep their exit; null: any exit each time' }),
  },
  { id: 'AllowList' },
)

export type AllowList = HeldOf<typeof AllowListRecord>

export const ALLOW_LIST_EXAMPLE: AllowList = {
  userId: 2,
  productNo: 'DYN-1',
  addresses: ['192.0.2.7', '198.51.100.0/28'],
  country: null,
  session: null,
}

/** A range of client addresses, with country and session of its traffic. */
export type AllowedRange = z.output<typeof Allowed>

/**
 * Returns the addresses whose clients use a traffic account without a password (rules 12.8).
 *
 * @throws product_not_found, also when none of it was ever bought, and what targeting refuses
 */
export async function getAllowList(
  { db }: Essentials,
  actor: Actor,
  which: WhichAccount,
): Promise<AllowList> {
  return listOfAccount(db.read, await mainAccount(db.read, actor, which))
}

/**
 * Replaces the addresses whose clients use a traffic account without a password (rules 12.8).
 *
 * @throws validation_error (also for an address of another account), and what {@link getAllowList} refuses
 */
export async function setAllowList(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof AllowListInput>,
): Promise<AllowList> {
  const { addresses, country = null, session = null, ...which } = parseInput(AllowListInput, input)
  return deps.db.write(async (tx) => {
    const account = await mainAccount(tx, actor, which)
    if (country !== null && !isOfferedCountry(account, country))
      throw InvalidInput.of('country', 'not_offered')
    await tx.$kysely.deleteFrom('allowedAddresses').where('trafficId', '=', account.id).execute()
    for (const [index, { cidr, low, high }] of addresses.entries()) {
      await refuseTaken(tx, account.id, `addresses.${index}`, { low, high })
      await tx.$kysely
        .insertInto('allowedAddresses')
        .values({
          trafficId: account.id,
          cidr,
          low,
          high,
          country: country && country.toLowerCase(),
          session,
          ...madeBy(actor),
          createdAt: deps.clock.now(),
        })
        .execute()
    }
    return listOfAccount(tx, account)
  })
}

/** Refuses a range that overlaps a stored one. As stored ranges are disjoint, it compares only the last that begins before its end. */
async function refuseTaken(
  tx: Tx,
  trafficId: number,
  field: string,
  { low, high }: Pick<AddressRange, 'low' | 'high'>,
): Promise<void> {
  const nearest = await tx.$kysely
    .selectFrom('allowedAddresses')
    .select(['trafficId', 'high'])
    .where('low', '<=', high)
    .orderBy('low', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!nearest || nearest.high < low) return
  throw InvalidInput.of(field, nearest.trafficId === trafficId ? 'named_twice' : 'address_of_another_account')
}

/** Returns the ranges of traffic accounts for the feed of the gateways, without those that a disabled agent has entered (rules 2.28). */
export async function allowedOf(
  db: Queryable,
  trafficIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AllowedRange[]>> {
  const found = new Map<number, AllowedRange[]>()
  for (const { trafficId, ...range } of await findWorking(db, { trafficIds }))
    found.set(trafficId, [...(found.get(trafficId) ?? []), range])
  return found
}

async function listOfAccount(
  db: Queryable,
  { id, userId, productNo }: { readonly id: number; readonly userId: number; readonly productNo: string },
): Promise<AllowList> {
  const ranges = await findAllowed(db, { trafficIds: [id] })
  const { country = null, session = null } = ranges[0] ?? {}
  return {
    userId,
    productNo,
    addresses: ranges.map(({ cidr }) => cidr),
    country: country && country.toUpperCase(),
    session,
  }
}

const allowed = (db: Queries, trafficIds: Expression<readonly number[]>) =>
  db
    .selectFrom('allowedAddresses as a')
    .select(['a.trafficId', 'a.cidr', 'a.country', 'a.session'])
    .where('a.trafficId', 'in', listOf(trafficIds))
    .orderBy('a.id')

const findAllowed = compiled<{ trafficIds: readonly number[] }>()((db, { trafficIds }) =>
  allowed(db, trafficIds),
)

const findWorking = compiled<{ trafficIds: readonly number[] }>()((db, { trafficIds }) =>
  allowed(db, trafficIds)
    .innerJoin('traffic as t', 't.id', 'a.trafficId')
    .where(({ ref }) => makerMayAct(ref('a.madeBy'), ref('t.userId'))),
)
