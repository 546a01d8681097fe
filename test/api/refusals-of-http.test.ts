import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BALANCE, expectRefusal, LIST, openApi } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { PASSWORD } from '../support/service.ts'

/** For cases that change nothing. */
const standing = shared(openApi)

const LOGIN = '/auth/login'

test('Whoever is not let in learns how to get in, and that a token was refused', async () => {
  const { call } = standing()
  const missing = await call('GET', BALANCE)
  expectRefusal(missing, 401, 'token_missing')
  expect(missing.headers['www-authenticate']).toBe('Bearer')
  for (const authorization of ['Bearer a.b.c', 'Basic YTpi', 'Bearer']) {
    const refused = await call('GET', BALANCE, { headers: { authorization } })
    expectRefusal(refused, 401, 'token_invalid')
    expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
  }
  const wrong = await call('POST', LOGIN, { payload: { username: 'nobody', password: PASSWORD } })
  expectRefusal(wrong, 401, 'invalid_credentials')
  expect(wrong.headers['www-authenticate']).toBe('Bearer')
  expect((await call('GET', '/nope')).headers).not.toHaveProperty('www-authenticate')
})

test.each([
  ['GET', LOGIN, 'POST'],
  ['POST', LIST, 'GET, HEAD'],
  ['DELETE', `${BALANCE}?x=1`, 'GET, HEAD'],
  ['PATCH', '/open/app/agent/sub-users/5', 'DELETE, GET, HEAD'],
  ['POST', '/open/app/dynamic/extract/abc', 'DELETE, GET'],
  ['DELETE', '/openapi.json', 'GET, HEAD'],
  ['POST', '/docs/', 'GET, HEAD'],
  ['POST', '', 'GET, HEAD'],
  ['PURGE', LOGIN, 'POST'],
] as const)('%s %s is not allowed, but %s', async (method, path, allowed) => {
  const { call } = standing()
  for (const [language, message] of [
    ['en', 'The endpoint does not take this method'],
    ['zh', '该接口不支持此请求方法'],
  ] as const) {
    const answer = await call(method as 'GET', path, { headers: { 'accept-language': language } })
    expectRefusal(answer, 405, 'method_not_allowed')
    expect([answer.headers.allow, answer.body.message]).toEqual([allowed, message])
  }
})

test('OPTIONS and HEAD are methods like others, and what is nowhere is not found by any', async () => {
  const { server, call } = standing()
  const status = async (method: 'OPTIONS' | 'HEAD', url: string) =>
    (await server.inject({ method, url })).statusCode
  expect(await status('OPTIONS', `/api${BALANCE}`)).toBe(405)
  expect(await status('HEAD', `/api${LOGIN}`)).toBe(405)
  expect(await status('OPTIONS', '/healthz')).toBe(405)
  for (const path of [
    '/nope',
    '/open/app/agent/sub-users/5/nope',
    '/%ff',
    '/open//app',
    `/dynamic/${'x'.repeat(200)}`,
  ])
    for (const method of ['POST', 'DELETE'] as const)
      expectRefusal(await call(method, path), 404, 'route_not_found')
})

test('A compressed body is refused, whatever is in it', async () => {
  const { call } = standing()
  const text = '{"username":"nobody","password":"x"}'
  const attempt = (payload: string | Buffer, encoding: string) =>
    call('POST', LOGIN, {
      payload,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip'])
    expectRefusal(await attempt(gzipSync(text), encoding), 415, 'unsupported_media_type')
  expectRefusal(await attempt(text, 'identity'), 401, 'invalid_credentials')
})

test('Where hosts are named, requests for others are refused before anything else', async () => {
  const { server } = await openApi({ api: { hosts: ['127.0.0.1', 'shop.example.com'] } })
  const refusal = async (host: string, url = '/healthz') => {
    const answer = await server.inject({ url, headers: { host } })
    return answer.statusCode === 200 ? 'ok' : answer.json<{ error: string }>().error
  }
  for (const host of [
    'localhost:3000',
    'LOCALHOST',
    '127.0.0.1:3000',
    '127.8.8.8',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
    'shop.example.com',
    'Shop.Example.com:8443',
  ])
    expect([host, await refusal(host)]).toEqual([host, 'ok'])
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'evil.example:3000',
    '192.0.2.1',
    '[2001:db8::1]',
    'shop.example.com.evil.example',
    'localhost@evil.example',
    'a b',
  ])
    expect([host, await refusal(host)]).toEqual([host, 'misdirected_request'])
  for (const url of ['/api/docs/', '/api/nope', '/metrics', `/api${BALANCE}`])
    expect(await refusal('evil.example', url)).toBe('misdirected_request')
})

test('A server that listens on all addresses answers under all of them, but under no name of others', async () => {
  const { server } = await openApi({ api: { hosts: ['0.0.0.0'] } })
  const status = async (host: string) =>
    (await server.inject({ url: '/healthz', headers: { host } })).statusCode
  expect(await status('192.0.2.1:3000')).toBe(200)
  expect(await status('evil.example')).toBe(421)
})
