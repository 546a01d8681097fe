import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { type Held, Time } from '../record.ts'

/** What a key may do (rules 1.16); every endpoint names the one that it wants. */
export const API_KEY_SCOPES = ['read', 'orders', 'traffic', 'sub-users', 'top-ups'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

export const API_KEY_STATES = ['active', 'expired', 'revoked'] as const
export type ApiKeyState = (typeof API_KEY_STATES)[number]

/** What is shown of a key with which a program acts for an account (rules 1.15). */
export const API_KEY = {
  id: z.int().meta({ description: 'The number in the key, after `prk_`' }),
  state: z.enum(API_KEY_STATES).meta({ description: 'It works while it is `active`' }),
  name: z.string().meta({ description: 'What it is for' }),
  scopes: z.array(z.enum(API_KEY_SCOPES)).meta({ description: 'What it may do' }),
  addresses: z
    .array(z.string())
    .meta({ description: 'Addresses and CIDR ranges from which it works; empty: from any' }),
  expiresAt: Time.nullable().meta({ description: 'When it expires; null: never' }),
  revokedAt: Time.nullable().meta({ description: 'When it was revoked; null: it was not' }),
  lastUsedAt: Time.nullable().meta({ description: 'To the minute; null: never' }),
  createdAt: Time,
}

export type ApiKey = Held<typeof API_KEY>

export const API_KEY_EXAMPLE: ApiKey = {
  id: 1,
  state: 'active',
  name: 'order robot',
  scopes: ['read', 'orders'],
  addresses: ['192.0.2.0/24'],
  expiresAt: '2027-11-20T17:57:00.123Z',
  revokedAt: null,
  lastUsedAt: '2026-11-21T08:00:00.000Z',
  createdAt: '2026-11-20T17:57:00.123Z',
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
