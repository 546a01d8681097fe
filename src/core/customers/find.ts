import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import { customersLike, customersNamed, type FoundCustomer, FoundCustomerRecord } from './find-customers.ts'
import { type FoundOrder, FoundOrderRecord, ordersLike, ordersNumbered } from './find-orders.ts'
import {
  type FoundProxy,
  FoundProxyRecord,
  type FoundStock,
  FoundStockRecord,
  proxiesAt,
  proxiesLike,
  stockAt,
} from './find-proxies.ts'
import {
  type FoundSubAccount,
  FoundSubAccountRecord,
  subAccountsLike,
  subAccountsNamed,
} from './find-sub-accounts.ts'
import {
  type FoundTopUp,
  FoundTopUpRecord,
  type FoundTransfer,
  FoundTransferRecord,
  topUpsLike,
  topUpsNumbered,
  transfersLike,
  transfersOf,
} from './find-top-ups.ts'
import { Shown } from '../record.ts'
import type { TopUpDeps } from '../top-ups/deps.ts'

/** What a search of the operator finds. */
export type Found =
  | FoundCustomer
  | FoundOrder
  | FoundProxy
  | FoundStock
  | FoundTopUp
  | FoundTransfer
  | FoundSubAccount

/** How each kind is shown. */
const RECORDS = {
  customer: FoundCustomerRecord,
  order: FoundOrderRecord,
  proxy: FoundProxyRecord,
  stock: FoundStockRecord,
  top_up: FoundTopUpRecord,
  transfer: FoundTransferRecord,
  sub_account: FoundSubAccountRecord,
}
export const FoundRecord = new Shown(
  z.union(Object.values(RECORDS).map(({ schema }) => schema)),
  // The kind says which record it is.
  (found: Found) => RECORDS[found.kind].show(found as never),
)

/** What is searched for. */
export const Searched = z.string().trim().min(1).max(500)

type Finder = (db: Readable, text: string, networks: TopUpDeps['networks']) => Promise<Found[]>

/** Finders of exact matches, in the order in which these are shown. */
const EXACT: readonly Finder[] = [
  proxiesAt,
  stockAt,
  ordersNumbered,
  topUpsNumbered,
  transfersOf,
  customersNamed,
  subAccountsNamed,
]
/** Finders of what begins with the text. */
const BEGINNINGS: readonly Finder[] = [
  customersLike,
  ordersLike,
  topUpsLike,
  transfersLike,
  proxiesLike,
  subAccountsLike,
]

/** Minimum number of characters of a beginning; a shorter one would match almost everything. */
const SHORTEST_BEGINNING = 2

/**
 * Searches everything (rules 16.1): usernames, e-mail addresses, phone numbers, names at Telegram, numbers of orders, proxies, top-ups,
 * entries, renewals, replacements, refunds and releases, addresses and lines of proxies, transactions, usernames of traffic. Where
 * nothing matches exactly, it searches what begins with the text.
 *
 * @returns at most ten of each kind
 * @throws validation_error
 */
export async function find(
  { db, networks }: Pick<TopUpDeps, 'db' | 'networks'>,
  input: string,
): Promise<Found[]> {
  const text = parseInput(Searched, input)
  const all = async (finders: readonly Finder[]) =>
    (await Promise.all(finders.map((finder) => finder(db.read, text, networks)))).flat()
  const exact = await all(EXACT)
  return exact.length > 0 || text.length < SHORTEST_BEGINNING ? exact : all(BEGINNINGS)
}
