import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { addressRange } from '../address-range.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { once } from '../requests/once.ts'
import { type Page, paging } from '../page.ts'
import { RequestKey } from '../requests/request-key.ts'
import { hashOf } from '../token-hash.ts'
import { API_KEY_PREFIX, API_KEY_SCOPES, type ApiKey, selectApiKeys, stateOfApiKey } from './api-key.ts'
import type { Essentials } from '../jobs/essentials.ts'

const DAY_MS = 86_400_000
/** Most working keys of one account. */
export const MOST_API_KEYS = 50
/** Characters of a secret: 238 bits. */
const SECRET_LENGTH = 40
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const NewApiKey = z.object({
  /** What it is for. */
  name: z.string().trim().min(1).max(50),
  scopes: z.array(z.enum(API_KEY_SCOPES)).min(1).max(API_KEY_SCOPES.length),
  /** Addresses and ranges that it works from; any when empty or missing. */
  addresses: z
    .array(addressRange({ ipv4: 8, ipv6: 16 }))
    .max(50)
    .nullish(),
  /** Days for which it works; until it is revoked when missing. */
  days: z.int().min(1).max(3650).nullish(),
})

const ApiKeyCreation = NewApiKey.extend({ requestKey: RequestKey.nullish() })

/**
 * An account makes a key for a program (rules 1.15).
 *
 * @returns the record, and the key: it is shown once, and only a hash of its secret is stored
 * @throws idempotency_conflict, validation_error, also for more than {@link MOST_API_KEYS} (`too_many_keys`)
 */
export async function createApiKey(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof ApiKeyCreation>,
): Promise<ApiKey & { readonly key: string; readonly replayed: boolean }> {
  const { requestKey, ...terms } = parseInput(ApiKeyCreation, input)
  const { name, scopes, addresses, days } = terms
  return once(deps, actor, { key: requestKey, kind: 'create_api_key', input: terms }, async (tx) => {
    const now = deps.clock.now()
    if ((await countWorking(tx, actor, now)) >= MOST_API_KEYS) throw InvalidInput.of('name', 'too_many_keys')
    const secret = newSecret()
    const id = await insertApiKey(tx, {
      accountId: actor.id,
      name,
      secretHash: hashOf(secret),
      scopes: JSON.stringify(API_KEY_SCOPES.filter((scope) => scopes.includes(scope))),
      addresses: JSON.stringify([...new Set((addresses ?? []).map(({ cidr }) => cidr))]),
      expiresAt: typeof days === 'number' ? new Date(now.getTime() + days * DAY_MS) : null,
      createdAt: now,
    })
    happened(tx, { kind: 'api_key.created', actor, keyId: id })
    return { ...(await find(tx, now, actor, id)), key: `${API_KEY_PREFIX}${id}_${secret}` }
  })
}

function newSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

const insertApiKey = compiledInsert('apiKeys')

async function countWorking(db: Readable, { id }: Actor, now: Date): Promise<number> {
  const { count } = await db.$kysely
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', id)
    .where('revokedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', now.toISOString())]))
    .executeTakeFirstOrThrow()
  return count
}

export const ApiKeyFilter = z.object(paging)

/**
 * Lists the keys of an account, newest first, also those that do not work any more.
 *
 * @throws validation_error
 */
export async function listApiKeys(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof ApiKeyFilter> = {},
): Promise<Page<ApiKey>> {
  const { page, pageSize } = parseInput(ApiKeyFilter, input)
  const { total } = await db.read.$kysely
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('accountId', '=', actor.id)
    .executeTakeFirstOrThrow()
  const rows = await selectApiKeys(db.read)
    .where('k.accountId', '=', actor.id)
    .orderBy('k.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const now = clock.now()
  return { items: rows.map((row) => ({ ...row, state: stateOfApiKey(row, now) })), total, page, pageSize }
}

/**
 * Returns one key of an account.
 *
 * @param id undefined for what cannot be one
 * @throws api_key_not_found
 */
export async function getApiKey(
  { db, clock }: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<ApiKey> {
  return find(db.read, clock.now(), actor, id)
}

/**
 * Ends a key of an account at once and for good, and with it the links and addresses that were made with it (rules 2.28).
 *
 * @throws api_key_not_found
 */
export async function revokeApiKey(
  { db, clock }: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<ApiKey> {
  return db.write(async (tx) => {
    const now = clock.now()
    const revoked = await tx.$kysely
      .updateTable('apiKeys')
      .set({ revokedAt: now })
      .where('id', '=', id ?? 0)
      .where('accountId', '=', actor.id)
      .where('revokedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (revoked) await endSecrets(tx, now, 'key_revoked', { keyId: revoked.id })
    const key = await find(tx, now, actor, id)
    happened(tx, { kind: 'api_key.revoked', actor, keyId: key.id })
    return key
  })
}

async function find(db: Readable, now: Date, actor: Actor, id = 0): Promise<ApiKey> {
  const row = await selectApiKeys(db)
    .where('k.id', '=', id)
    .where('k.accountId', '=', actor.id)
    .executeTakeFirst()
  if (!row) throw new ServiceError('api_key_not_found')
  return { ...row, state: stateOfApiKey(row, now) }
}
