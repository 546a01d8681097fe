import { timingSafeEqual } from 'node:crypto'
import { isWithin } from '../address-range.ts'
import { batched } from '../batched.ts'
import type { Clock } from '../clock.ts'
import { compiled } from '../database/compiled.ts'
import type { Database } from '../database/database.ts'
import { listOf, parsed } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { hashOf } from '../token-hash.ts'
import { type ApiKeyScope, partsOfApiKey, stateOfApiKey } from './api-key.ts'

/** What a key is used for. */
export interface ApiKeyUse {
  /** Network address of the client. */
  readonly address: string
  /** Scopes that are needed, one or several; null: no key is accepted. */
  readonly scope: ApiKeyScope | readonly ApiKeyScope[] | null
}

/** Precision in ms of the time of the last use; a busy key does not write at each request. */
const LAST_USE_MS = 60_000

/**
 * Makes the check of keys, which reads each key as it is now (rules 1.17). Keys that come at the same time share a statement.
 *
 * @returns the check: the account of a key, and its id; it throws token_invalid (no such key, expired or revoked), address_not_allowed,
 *   scope_missing
 */
export function apiKeyCheck({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const find = batched(async (ids: readonly number[]) => {
    const found = new Map((await keysOf(db.read, { ids })).map((key) => [key.id, key]))
    return (id: number) => found.get(id)
  })
  return async (
    text: string,
    { address, scope }: ApiKeyUse,
  ): Promise<{ accountId: number; keyId: number }> => {
    const { id, secret } = partsOfApiKey(text) ?? {}
    const key = id === undefined ? undefined : await find(id)
    if (!key || secret === undefined || !isSame(key.secretHash, hashOf(secret)))
      throw new ServiceError('token_invalid')
    const now = clock.now()
    if (stateOfApiKey(key, now) !== 'active') throw new ServiceError('token_invalid')
    if (key.addresses.length > 0 && !key.addresses.some((range) => isWithin(address, range)))
      throw new ServiceError('address_not_allowed', { data: { address } })
    const missing = scope === null ? null : [scope].flat().find((wanted) => !key.scopes.includes(wanted))
    if (missing !== undefined) throw new ServiceError('scope_missing', { data: { scope: missing } })
    const before = new Date(now.getTime() - LAST_USE_MS).toISOString()
    if (key.lastUsedAt === null || key.lastUsedAt < before) noteUse(db, key.id, now, before)
    return { accountId: key.accountId, keyId: key.id }
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Stores the time of the last use. The request neither waits for it nor fails with it. */
function noteUse(db: Database, id: number, now: Date, before: string): void {
  db.write((tx) =>
    tx.$kysely
      .updateTable('apiKeys')
      .set({ lastUsedAt: now })
      .where('id', '=', id)
      .where((key) => key.or([key('lastUsedAt', 'is', null), key('lastUsedAt', '<', before)]))
      .execute(),
  ).catch(() => {})
}

const keysOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'accountId', 'secretHash', 'expiresAt', 'revokedAt', 'lastUsedAt'])
    .select(({ ref }) => [
      parsed<ApiKeyScope[]>(ref('scopes')).as('scopes'),
      parsed<string[]>(ref('addresses')).as('addresses'),
    ])
    .where('id', 'in', listOf(ids)),
)
