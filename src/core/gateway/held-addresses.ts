import { z } from 'zod'
import { addressRange } from '../address-range.ts'
import type { Queryable } from '../database/queries.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { type HeldOf, record, Time } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

const Wanted = z.object({ address: addressRange({ ipv4: 0, ipv6: 0 }) })

/** What is shown of a range on the white list of a customer. */
export const HeldAddressRecord = record(
  {
    cidr: z.string().meta({ description: 'One address, or a range in CIDR notation' }),
    username: z.string(),
    productNo: z.string(),
    createdAt: Time,
  },
  { names: { cidr: 'address' } },
)

/** A range on the white list of a customer. */
export interface HeldAddress extends HeldOf<typeof HeldAddressRecord> {
  readonly accountId: number
  readonly names: Translations
}

/** Maximum number of ranges that are listed. */
const MOST = 200

/**
 * Lists who holds an address, or part of a range, on a white list; without an address, the newest of all (rules 12.8).
 *
 * @throws validation_error (address)
 */
export async function heldAddresses(
  { db }: Pick<Essentials, 'db'>,
  address?: string,
): Promise<HeldAddress[]> {
  if (address === undefined) return heldBy(db.read).orderBy('a.id', 'desc').execute()
  return within(db.read, parseInput(Wanted, { address }).address)
}

/**
 * Removes an address or a range from the white list that holds it, and tells its customer; other ranges of the list stay.
 *
 * @param cidr exactly as the list has it
 * @throws validation_error (address) when nobody holds it
 */
export async function freeAddress(deps: Essentials, cidr: string): Promise<HeldAddress> {
  const { address } = parseInput(Wanted, { address: cidr })
  return deps.db.write(async (tx) => {
    const held = (await within(tx, address)).find((range) => range.cidr === address.cidr)
    if (!held) throw InvalidInput.of('address', 'address_held_by_nobody')
    await tx.$kysely.deleteFrom('allowedAddresses').where('low', '=', address.low).execute()
    const { accountId, productNo, names } = held
    const facts = { cidr: held.cidr, productNo, names, at: deps.clock.now().toISOString() }
    happened(tx, { kind: 'address.freed', userId: accountId, ...facts })
    return held
  })
}

/** Reads the held ranges that share an address with this one; held ranges do not overlap. */
function within(db: Queryable, { low, high }: { readonly low: string; readonly high: string }) {
  return heldBy(db).where('a.low', '<=', high).where('a.high', '>=', low).orderBy('a.low').execute()
}

const heldBy = ({ $kysely }: Queryable) =>
  $kysely
    .selectFrom('allowedAddresses as a')
    .innerJoin('traffic as t', 't.id', 'a.trafficId')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['a.cidr', 'u.id as accountId', 'u.username', 'p.productNo', NAMES])
    .select('a.createdAt')
    .limit(MOST)
