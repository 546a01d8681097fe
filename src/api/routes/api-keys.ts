import { z } from 'zod'
import { API_KEY, API_KEY_EXAMPLE } from '../../core/api-keys/api-key.ts'
import { NewApiKey } from '../../core/api-keys/manage-api-keys.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { recordId } from '../../core/identifiers.ts'
import { record } from '../../core/record.ts'
import { paging } from '../wire/query.ts'

const TAG = 'API keys'

const names = { state: 'status' } as const
const ApiKeyRecord = record(API_KEY, { id: 'ApiKey', names })
const key = z.string().meta({
  description: 'To be sent as `Authorization: Bearer prk_…`; shown only once, only its hash is stored',
})
const NewApiKeyRecord = record({ ...API_KEY, key }, { id: 'NewApiKey', names })

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
  answer: NewApiKeyRecord.schema,
  idempotent: true,
  errors: ['idempotency_conflict'],
  example: {
    body: { name: 'order robot', scopes: ['read', 'orders'], addresses: ['127.0.0.0/8'], days: 365 },
    data: NewApiKeyRecord.show({
      ...API_KEY_EXAMPLE,
      addresses: ['127.0.0.0/8'],
      lastUsedAt: null,
      key: 'prk_1_9Fz0M3Jg1xkq7Qn2bV5cT8yR4uW6eA0sD1fG2hJ3',
    }),
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const addresses = body.addresses?.map(({ cidr }) => cidr)
    const input = { ...body, addresses, requestKey: idempotencyKey }
    return NewApiKeyRecord.show(replayed(await core.apiKeys.create(actor, input)))
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
  answer: listSchema(ApiKeyRecord.schema),
  example: { data: new List([ApiKeyRecord.show(API_KEY_EXAMPLE)], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const keys = await core.apiKeys.list(actor, { page, pageSize })
    return new List(keys.items.map(ApiKeyRecord.show), keys)
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
  answer: ApiKeyRecord.schema,
  errors: ['api_key_not_found'],
  example: {
    data: ApiKeyRecord.show({ ...API_KEY_EXAMPLE, state: 'revoked', revokedAt: '2026-11-21T17:57:00.123Z' }),
  },
  handle: async ({ core, params }, actor) =>
    ApiKeyRecord.show(await core.apiKeys.revoke(actor, recordId(params.key_id))),
})
