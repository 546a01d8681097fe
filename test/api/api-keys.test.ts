import { expect, test } from 'vitest'
import type { ApiOptions } from '../../src/api/server.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { API_KEY_SCOPES, type ApiKeyScope } from '../../src/core/api-keys/api-key.ts'
import { BALANCE, expectRefusal, openApi } from '../support/api.ts'
import { PASSWORD } from '../support/service.ts'

const KEYS = '/open/app/user/api-keys'
const PASSWORD_PATH = '/open/app/user/password'

type Api = Awaited<ReturnType<typeof openApi>>
interface Made {
  readonly id: number
  readonly key: string
}

/** Calls with a key. */
const withKey = (api: Api, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return { get: (path: string) => api.call('GET', path, { headers }), headers }
}

async function stage(options: Partial<ApiOptions> = {}) {
  const api = await openApi({ api: options })
  const agent = await api.agent()
  const user = await api.customer(agent, { balance: 10 })
  return { api, agent, user, client: await api.as(user) }
}

async function makeKey(client: Awaited<ReturnType<Api['as']>>, scopes: readonly ApiKeyScope[], more = {}) {
  const made = await client.post(KEYS, { name: 'robot', scopes, ...more })
  expect(made.status).toBe(200)
  return made.body.data as unknown as Made
}

test('A key works in place of a token until it is revoked', async () => {
  const { api, client, user } = await stage()
  const { id, key } = await makeKey(client, ['read'])
  expect(key).toMatch(new RegExp(`^prk_${id}_[A-Za-z0-9]{40}$`))
  const robot = withKey(api, key)
  expect((await robot.get(BALANCE)).body.data).toMatchObject({ user_id: user.id, balance: 10 })
  await api.db.write(() => Promise.resolve())
  const listed = (await client.get(KEYS)).body
  expect(listed.data.items).toMatchObject([
    { id, status: 'active', name: 'robot', scopes: ['read'], addresses: [], expires_at: null },
  ])
  expect(listed.data.items[0]).toHaveProperty('last_used_at', api.clock.now().toISOString())
  expect(JSON.stringify(listed)).not.toContain(key.slice(-40))
  expect(JSON.stringify(api.log)).not.toContain(key.slice(-40))
  const other = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  for (const wrong of [other, `prk_999_${key.slice(-40)}`, 'prk_', `${key}.`, 'prk_1_short'])
    expectRefusal(await withKey(api, wrong).get(BALANCE), 401, 'token_invalid')

  const rival = await api.as(await api.agent())
  expectRefusal(await rival.delete(`${KEYS}/${id}`), 404, 'api_key_not_found')
  expectRefusal(await client.delete(`${KEYS}/x`), 404, 'api_key_not_found')
  expect((await client.delete(`${KEYS}/${id}`)).body.data).toMatchObject({ id, status: 'revoked' })
  expectRefusal(await robot.get(BALANCE), 401, 'token_invalid')
})

test('A key ends with its term and its account, and lives through a new password', async () => {
  const { api, agent, user, client } = await stage()
  const { key } = await makeKey(client, ['read'], { days: 2 })
  const robot = withKey(api, key)
  const changed = await client.put(PASSWORD_PATH, { old_password: PASSWORD, new_password: 'other secret' })
  expect(changed.body.data).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 })
  expectRefusal(await client.get(BALANCE), 401, 'token_invalid')
  const fresh = withKey(api, changed.body.data.token)
  expect((await fresh.get(BALANCE)).status).toBe(200)
  expect((await robot.get(BALANCE)).status).toBe(200)
  await api.core.accounts.setSubUserStatus(agent, user.id, { status: 'disabled' })
  expectRefusal(await robot.get(BALANCE), 403, 'account_disabled')
  await api.core.accounts.setSubUserStatus(agent, user.id, { status: 'active' })
  api.clock.advance(2 * 86_400_000)
  expectRefusal(await robot.get(BALANCE), 401, 'token_invalid')
  await api.core.accounts.deleteSubUser(agent, user.id)
  expectRefusal(await robot.get(BALANCE), 401, 'token_invalid')
})

test('A key works from its addresses only', async () => {
  const { api, client } = await stage({ trustedProxies: ['127.0.0.1'] })
  const here = await makeKey(client, ['read'], { addresses: ['127.0.0.1', '2001:db8::/32'] })
  const range = await makeKey(client, ['read'], { addresses: ['127.0.0.77/8'] })
  const elsewhere = await makeKey(client, ['read'], { addresses: ['192.0.2.0/24', '127.0.0.2'] })
  expect((await withKey(api, here.key).get(BALANCE)).status).toBe(200)
  expect((await withKey(api, range.key).get(BALANCE)).status).toBe(200)
  const refused = await withKey(api, elsewhere.key).get(BALANCE)
  expectRefusal(refused, 403, 'address_not_allowed')
  expect(refused.body.data).toEqual({ address: '127.0.0.1' })
  const forwarded = { ...withKey(api, elsewhere.key).headers, 'x-forwarded-for': '192.0.2.9:20000' }
  expect((await api.call('GET', BALANCE, { headers: forwarded })).status).toBe(200)
  for (const addresses of [['example.com'], ['10.0.0.0/1'], ['10.0.0.0/33'], [7]])
    expectRefusal(
      await client.post(KEYS, { name: 'x', scopes: ['read'], addresses }),
      422,
      'validation_error',
    )
})

test('What a key is made of is checked, and the same request makes one key', async () => {
  const { client } = await stage()
  for (const body of [
    { name: '', scopes: ['read'] },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['all'] },
    { name: 'x', scopes: ['read'], days: 0 },
    { scopes: ['read'] },
  ])
    expectRefusal(await client.post(KEYS, body), 422, 'validation_error')
  const options = { headers: { 'idempotency-key': 'once' } }
  const body = { name: 'robot', scopes: ['orders', 'read'] }
  const [first, again] = [await client.post(KEYS, body, options), await client.post(KEYS, body, options)]
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data).toEqual(first.body.data)
  expect(first.body.data).toMatchObject({ scopes: ['read', 'orders'] })
  for (let count = 1; count < 50; count += 1) await client.post(KEYS, { name: `${count}`, scopes: ['read'] })
  const refused = await client.post(KEYS, body)
  expectRefusal(refused, 422, 'validation_error')
  expect(refused.body.data.errors).toMatchObject([{ field: 'name', rule: 'too_many_keys' }])
})

/** What no key may do: it could make itself more powerful, or take the account over, or send money out of the shop. */
const FOR_PEOPLE = [
  'logOut',
  'createApiKey',
  'revokeApiKey',
  'changePassword',
  'requestPayout',
  'cancelPayout',
  'createWebhook',
  'changeWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'replayFailedDeliveries',
  'replayDelivery',
]

test('Each endpoint takes exactly the keys that have its scope', async () => {
  const { api, agent } = await stage()
  const client = await api.as(agent)
  const keys = new Map<ApiKeyScope, string>()
  for (const scope of API_KEY_SCOPES) keys.set(scope, (await makeKey(client, [scope])).key)
  const forPeople: string[] = []
  for (const endpoint of ENDPOINTS) {
    if (!('scope' in endpoint)) continue
    const { method, path, name, scope, variants } = endpoint
    if (scope === null) forPeople.push(name)
    // Whatever only reads needs `read`, and nothing else does.
    const reads = method === 'GET' || endpoint.changesNothing === true
    expect([name, scope === 'read']).toEqual([name, reads])
    const base = variants?.includes('A') === false ? '/b/api' : '/a/api'
    for (const [held, key] of keys) {
      const answer = await api.call(method, path.replace(/:\w+/g, '1'), {
        base,
        headers: { authorization: `Bearer ${key}` },
        ...(method !== 'GET' && { payload: {} }),
      })
      const refused = answer.body.error === 'scope_missing'
      const missing = scope === null ? null : [scope].flat().find((wanted) => wanted !== held)
      expect([name, held, refused]).toEqual([name, held, missing !== undefined])
      if (refused) expect(answer.body.data).toEqual({ scope: missing })
    }
  }
  expect(forPeople.toSorted()).toEqual(FOR_PEOPLE.toSorted())
})

test('A token ends when its owner logs out with it, and no other', async () => {
  const { api, user, client } = await stage()
  const second = await api.as(user)
  expect(second.token).not.toBe(client.token)
  expect((await client.post('/auth/logout')).body.data).toBeNull()
  expectRefusal(await client.get(BALANCE), 401, 'token_invalid')
  expectRefusal(await client.post('/auth/logout'), 401, 'token_invalid')
  // The last character of a signature can be written in several ways, which are all the same token.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of letters)
    expectRefusal(await withKey(api, client.token.slice(0, -1) + letter).get(BALANCE), 401, 'token_invalid')
  expect((await second.get(BALANCE)).status).toBe(200)

  api.clock.advance(2 * 86_400_000)
  await api.core.jobs.sweepEndedTokens()
  expect(await api.db.read.endedToken.count()).toBe(0)
})

test('The own password is changed with the old one', async () => {
  const { api, user, client } = await stage()
  const wrong = { old_password: 'not it', new_password: 'other secret' }
  expectRefusal(await client.put(PASSWORD_PATH, wrong), 401, 'invalid_credentials')
  const short = { old_password: PASSWORD, new_password: 'short' }
  expectRefusal(await client.put(PASSWORD_PATH, short), 422, 'validation_error')
  expect((await client.get(BALANCE)).status).toBe(200)
  await client.put(PASSWORD_PATH, { old_password: PASSWORD, new_password: 'other secret' })
  const { username } = user
  const logIn = (password: string) => api.call('POST', '/auth/login', { payload: { username, password } })
  expectRefusal(await logIn(PASSWORD), 401, 'invalid_credentials')
  expect((await logIn('other secret')).status).toBe(200)
})
