import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { BALANCE, expectRefusal, openApi } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { JWT_SECRET } from '../support/service.ts'

/** For cases that change nothing. */
const standing = shared(openApi)

const privateEndpoints = ENDPOINTS.filter((endpoint) => !endpoint.public)

test('Every endpoint that is not public refuses strangers before it looks at what they send', async () => {
  const { call } = await openApi()
  for (const { method, path, variants = ['A'] } of privateEndpoints) {
    const base = variants.includes('A') ? '/a/api' : '/b/api'
    const options =
      method === 'GET' ? {} : { payload: '{broken', headers: { 'content-type': 'application/json' } }
    expectRefusal(await call(method, path, { ...options, base }), 401, 'token_missing')
  }
})

test('The texts of a missing and of an invalid token are the documented ones, in both languages', async () => {
  const { call } = await openApi()
  const texts = async (headers: Record<string, string>) => [
    (await call('GET', BALANCE, { headers, base: '/a/api' })).body.message,
    (await call('GET', BALANCE, { headers, base: '/b/api' })).body.message,
  ]
  expect(await texts({})).toEqual(['Authentication token missing', '未提供认证令牌'])
  expect(await texts({ authorization: 'Bearer x' })).toEqual([
    'Invalid authentication token',
    '无效的认证令牌',
  ])
})

test.each([
  'Basic YTpi',
  'Bearer',
  'Bearer ',
  'Token abc',
  'Bearer a b',
  'Bearer ,',
  'bearerabc',
  'Bearer \u00e9',
])('The header "%s" is an invalid token', async (authorization) => {
  const { call } = standing()
  expectRefusal(await call('GET', BALANCE, { headers: { authorization } }), 401, 'token_invalid')
})

test('The scheme has no case, and a token elsewhere than in the header counts for nothing', async () => {
  const { agent, as, call } = await openApi()
  const { token } = await as(await agent())
  expect((await call('GET', BALANCE, { headers: { authorization: `bEARER ${token}` } })).status).toBe(200)
  expectRefusal(await call('GET', `${BALANCE}?token=${token}&access_token=${token}`), 401, 'token_missing')
})

function sign(header: object, claims: object, secret = JWT_SECRET, algorithm = 'sha256'): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac(algorithm, secret).update(text).digest('base64url')}`
}

test('A token that was forged, bent or not made for this is refused', async () => {
  const { agent, as, call, clock } = await openApi()
  const { id } = await agent({ name: 'agent' })
  const { token } = await as({ id, username: 'agent', role: 'agent', agentId: null, level: 1 })
  const now = Math.floor(clock.now().getTime() / 1000)
  const claims = { sub: String(id), ver: 1, iat: now, exp: now + 600 }
  const HS256 = { alg: 'HS256', typ: 'JWT' }
  const works = sign(HS256, claims)
  const [head, payload, signature] = token.split('.') as [string, string, string]
  const other = Buffer.from(JSON.stringify({ ...claims, sub: '999' })).toString('base64url')
  const forged = {
    'no algorithm': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    'oddly spelled none': `${Buffer.from('{"alg":"nOnE"}').toString('base64url')}.${payload}.${signature}`,
    HS512: sign({ alg: 'HS512' }, claims, JWT_SECRET, 'sha512'),
    'RS256 signed with the HMAC key': sign({ alg: 'RS256' }, claims),
    'another key': sign(HS256, claims, 'another secret that is long enough for it'),
    'swapped payload': `${head}.${other}.${signature}`,
    'cut signature': token.slice(0, -4),
    'padded signature': `${token}==`,
    'no signature': `${head}.${payload}`,
    'without exp': sign(HS256, { sub: String(id), ver: 1, iat: now }),
    'exp as text': sign(HS256, { ...claims, exp: 'tomorrow' }),
    expired: sign(HS256, { ...claims, exp: now }),
    'without version': sign(HS256, { sub: String(id), iat: now, exp: now + 600 }),
    'an older version': sign(HS256, { ...claims, ver: 0 }),
  }
  expect((await call('GET', BALANCE, { headers: { authorization: `Bearer ${works}` } })).status).toBe(200)
  for (const [name, bad] of Object.entries(forged)) {
    const { status, body } = await call('GET', BALANCE, { headers: { authorization: `Bearer ${bad}` } })
    expect({ name, status, error: body.error }).toEqual({ name, status: 401, error: 'token_invalid' })
  }
})

test('A token dies at once with its account, and when it expires', async () => {
  const { agent, as, db, clock } = await openApi()
  const actor = await agent()
  const client = await as(actor)
  const change = (data: object) => db.write((tx) => tx.account.update({ where: { id: actor.id }, data }))
  await change({ status: 'disabled' })
  expectRefusal(await client.get(BALANCE), 403, 'account_disabled')
  await change({ status: 'active' })
  expect((await client.get(BALANCE)).status).toBe(200)
  await change({ tokenVersion: { increment: 1 } })
  expectRefusal(await client.get(BALANCE), 401, 'token_invalid')
  await change({ tokenVersion: 1, status: 'deleted' })
  const gone = await client.get(BALANCE)
  expectRefusal(gone, 401, 'user_not_found')
  expect(gone.body.message).toBe('User not found')
  await change({ status: 'active' })
  clock.advance(86_400_000)
  expectRefusal(await client.get(BALANCE), 401, 'token_invalid')
})
