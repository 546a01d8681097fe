import { z } from 'zod'
import { API_KEY_SCOPES, API_KEY_STATES, type ApiKey } from '../../core/api-keys/api-key.ts'
import { NewApiKey } from '../../core/api-keys/manage-api-keys.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { Time } from '../wire/fields.ts'
import { recordId } from '../../core/identifiers.ts'
import { paging } from '../wire/query.ts'

const TAG = 'API keys'

const ApiKeyRecord = z
  .strictObject({
    id: z.int().meta({ description: 'The number in the key, after `prk_`' }),
    status: z.enum(API_KEY_STATES).meta({ description: 'It works while it is `active`' }),
    name: z.string().meta({ description: 'What it is for' }),
    scopes: z.array(z.enum(API_KEY_SCOPES)).meta({ description: 'What it may do' }),
    addresses: z
      .array(z.string())
      .meta({ description: 'Addresses and CIDR ranges from which it works; empty: from any' }),
    expires_at: Time.nullable().meta({ description: 'When it expires; null: never' }),
    revoked_at: Time.nullable().meta({ description: 'When it was revoked; null: it was not' }),
    last_used_at: Time.nullable().meta({ description: 'To the minute; null: never' }),
    created_at: Time,
  })
  .meta({ id: 'ApiKey' })

const NewApiKeyRecord = ApiKeyRecord.extend({
  key: z.string().meta({
    description: 'To be sent as `Authorization: Bearer prk_…`; shown only once, only its hash is stored',
  }),
}).meta({ id: 'NewApiKey' })

function toApiKey(key: ApiKey): z.infer<typeof ApiKeyRecord> {
  return {
    id: key.id,
    status: key.state,
    name: key.name,
    scopes: [...key.scopes],
    addresses: [...key.addresses],
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    created_at: key.createdAt,
  }
}

const example: ApiKey = {
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

/** POST /open/app/user/api-keys (rules 1.15). */
export const createApiKey = endpoint({
  name: 'createApiKey',
  method: 'POST',
  path: '/open/app/user/api-keys',
  tag: TAG,
  scope: null,
  summary: 'Make an API key',
  description:
    'A program sends it in place of an access token. The key is in this answer only. An account has at most 50 that work.',
  body: NewApiKey.extend({
    name: NewApiKey.shape.name.meta({ description: 'What it is for' }),
    scopes: NewApiKey.shape.scopes.meta({
      description:
        'What it may do; the description of each operation names the scope that it wants: `read` for all that changes nothing, ' +
        '`orders`, `traffic`, `sub-users` or `top-ups` for the rest',
    }),
    addresses: NewApiKey.shape.addresses.meta({
      description: 'Addresses and CIDR ranges from which it works; missing, null or empty: from any',
    }),
    days: NewApiKey.shape.days.meta({ description: 'After so many days it expires; missing or null: never' }),
  }).meta({ id: 'CreateApiKey' }),
  answer: NewApiKeyRecord,
  text: { en: 'API key created', zh: 'API 密钥已创建' },
  idempotent: true,
  errors: ['idempotency_conflict'],
  example: {
    body: { name: 'order robot', scopes: ['read', 'orders'], addresses: ['127.0.0.0/8'], days: 365 },
    data: {
      ...toApiKey({ ...example, addresses: ['127.0.0.0/8'], lastUsedAt: null }),
      key: 'prk_1_9Fz0M3Jg1xkq7Qn2bV5cT8yR4uW6eA0sD1fG2hJ3',
    },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const addresses = body.addresses?.map(({ cidr }) => cidr)
    const input = { ...body, addresses, requestKey: idempotencyKey }
    const made = replayed(await core.apiKeys.create(actor, input))
    return { ...toApiKey(made), key: made.key }
  },
})

/** GET /open/app/user/api-keys (rules 1.15). */
export const listApiKeys = endpoint({
  name: 'listApiKeys',
  method: 'GET',
  path: '/open/app/user/api-keys',
  tag: TAG,
  scope: 'read',
  summary: 'API keys',
  description: 'Newest first, those that work no more among them.',
  query: z.object(paging),
  answer: listSchema(ApiKeyRecord),
  example: { data: new List([toApiKey(example)], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const keys = await core.apiKeys.list(actor, { page, pageSize })
    return new List(keys.items.map(toApiKey), keys)
  },
})

/** DELETE /open/app/user/api-keys/{key_id} (rules 1.15). */
export const revokeApiKey = endpoint({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/open/app/user/api-keys/:key_id',
  params: { key_id: { description: 'Id of the key', example: 1 } },
  tag: TAG,
  scope: null,
  summary: 'Revoke an API key',
  description: 'At once and for good; the record stays.',
  answer: ApiKeyRecord,
  text: { en: 'API key revoked', zh: 'API 密钥已撤销' },
  errors: ['api_key_not_found'],
  example: { data: toApiKey({ ...example, state: 'revoked', revokedAt: '2026-11-21T17:57:00.123Z' }) },
  handle: async ({ core, params }, actor) =>
    toApiKey(await core.apiKeys.revoke(actor, recordId(params.key_id))),
})
