import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'

/** What a key may do (rules 1.16); every endpoint names the one that it wants. */
export const API_KEY_SCOPES = ['read', 'orders', 'traffic', 'sub-users', 'top-ups'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

export const API_KEY_STATES = ['active', 'expired', 'revoked'] as const
export type ApiKeyState = (typeof API_KEY_STATES)[number]

/** A key with which a program acts for an account (rules 1.15). */
export interface ApiKey {
  readonly id: number
  readonly state: ApiKeyState
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  /** Addresses and CIDR ranges that it works from; empty: any. */
  readonly addresses: readonly string[]
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** Precise to one minute. */
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** Tells a key from an access token, which has dots. */
const KEY = /^prk_(\d{1,16})_([A-Za-z0-9]{40})$/

/** Prefix of every key. */
export const API_KEY_PREFIX = 'prk_'

/** Returns the parts of a key; undefined for what is none. */
export function partsOfApiKey(key: string): { readonly id: number; readonly secret: string } | undefined {
  const [, id, secret] = KEY.exec(key) ?? []
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret }
}

/** Query of {@link ApiKey}s without their states: `apiKeys` as `k`. */
export function selectApiKeys({ $kysely }: Readable) {
  return $kysely
    .selectFrom('apiKeys as k')
    .select(['k.id', 'k.name', 'k.expiresAt', 'k.revokedAt', 'k.lastUsedAt', 'k.createdAt'])
    .select(({ ref }) => [
      parsed<ApiKeyScope[]>(ref('k.scopes')).as('scopes'),
      parsed<string[]>(ref('k.addresses')).as('addresses'),
    ])
}

/** Returns whether a key works, or why not. */
export function stateOfApiKey(
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: Date,
): ApiKeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now.toISOString() ? 'expired' : 'active'
}
