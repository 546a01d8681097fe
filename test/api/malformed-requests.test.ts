import { expect, test } from 'vitest'
import { BALANCE, CREATE, expectRefusal, LIST, openApi, orderBody, PRODUCTS } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

/** For cases that change nothing. */
const standing = shared(openApi)

const LOGIN = '/auth/login'
const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  ['cut off', '{"username":"a"'],
  ['empty', ''],
  ['no JSON', 'username=a&password=b'],
  ['with a trailing comma', '{"username":"a",}'],
  ['with NaN', '{"username":NaN}'],
  ['with __proto__', '{"username":"a","password":"b","__proto__":{"role":"agent"}}'],
  ['with a hidden __proto__', '{"username":"a","password":"b","\\u005f_proto__":{"role":"agent"}}'],
  [
    'with constructor.prototype',
    '{"username":"a","password":"b","constructor":{"prototype":{"role":"agent"}}}',
  ],
  ['with half of a surrogate pair', '{"username":"\\ud800abc","password":"b"}'],
  ['with half of a surrogate pair as a key', '{"\\udc00":"abc","password":"b"}'],
  ['in invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['in UTF-16', Buffer.from('{"username":"a","password":"b"}', 'utf16le')],
])('A body %s is malformed', async (_, payload) => {
  const { call } = standing()
  const answer = await call('POST', LOGIN, { payload, headers: JSON_TYPE })
  expectRefusal(answer, 400, 'malformed_json')
  expect(answer.body.message).toBe('The request body is not valid JSON')
})

test('Whole surrogate pairs, a byte order mark and a charset of UTF-8 are fine', async () => {
  const { call } = await openApi()
  const attempt = (payload: string, type = 'application/json') =>
    call('POST', LOGIN, { payload, headers: { 'content-type': type } })
  const credentials = '{"username":"\\ud83d\\ude00","password":"\\\\ud800"}'
  for (const answer of [
    await attempt(credentials),
    await attempt(`\ufeff${credentials}`),
    await attempt(credentials, 'application/json; charset=UTF-8'),
    await attempt(credentials, 'application/json;charset="utf-8"'),
  ]) {
    expectRefusal(answer, 401, 'invalid_credentials')
  }
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
  'nonsense',
  '',
])('The media type "%s" is not supported', async (type) => {
  const { call } = standing()
  const answer = await call('POST', LOGIN, {
    payload: Buffer.from('{"username":"a","password":"b"}'),
    headers: { 'content-type': type },
  })
  expectRefusal(answer, 415, 'unsupported_media_type')
})

test.each([null, 5, 'text', true, [1]])(
  'A body that is %j instead of an object is refused',
  async (value) => {
    const { call } = standing()
    const answer = await call('POST', LOGIN, { payload: JSON.stringify(value), headers: JSON_TYPE })
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors).toEqual([
      { field: 'body', rule: 'invalid_type', message: 'must be an object' },
    ])
  },
)

test('A body of 256 KiB is read, one byte more is too large', async () => {
  const { call } = await openApi()
  const body = (bytes: number) => {
    const frame = '{"username":"nobody","password":"wrong","filler":""}'
    return frame.replace('""}', `"${'x'.repeat(bytes - frame.length)}"}`)
  }
  const attempt = (bytes: number) => call('POST', LOGIN, { payload: body(bytes), headers: JSON_TYPE })
  expectRefusal(await attempt(256 * 1024), 401, 'invalid_credentials')
  expectRefusal(await attempt(256 * 1024 + 1), 413, 'payload_too_large')
})

test.each([
  ['GET', '/nope'],
  ['PURGE', '/nope'],
  ['POST', `${LOGIN}/`],
  ['GET', '/%ff'],
  ['GET', '/%'],
  ['GET', `/${'x'.repeat(5000)}`],
  ['GET', '/docs/static/nope.js'],
])('%s %s is no endpoint, in our own words', async (method, path) => {
  const { server } = standing()
  for (const [base, message] of [
    ['/a/api', 'There is no such endpoint'],
    ['/b/api', '接口不存在'],
  ]) {
    const response = await server.inject({ method: method as 'GET', url: base + path })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({
      code: 404,
      error: 'route_not_found',
      message,
      msg: message,
      data: null,
      request_id: response.headers['x-request-id'],
    })
  }
})

test('Outside the base addresses there is nothing either, whatever the body', async () => {
  const { server } = await openApi()
  for (const url of ['/', '/c/api/auth/login', '/apis/auth/login']) {
    const response = await server.inject({ method: 'POST', url, payload: '{broken', headers: JSON_TYPE })
    expect({ url, status: response.statusCode, error: response.json().error }).toEqual({
      url,
      status: 404,
      error: 'route_not_found',
    })
  }
})

test('Every answer tells browsers not to guess, store or tell, and allows no other origin', async () => {
  const { server } = await openApi()
  for (const url of ['/healthz', '/api/nope', '/api/%ff', `/api${BALANCE}`]) {
    const { headers } = await server.inject({ url, headers: { origin: 'https://evil.example' } })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test.each([
  '0',
  '-1',
  '1e2',
  '0x10',
  '',
  ' 1',
  '1.0',
  '+1',
  '٣',
  '99999999999999999999',
  '9999999999',
  'abc',
  '1&page=2',
])('page=%s is refused', async (page) => {
  const { agent, as } = standing()
  const client = await as(await agent())
  const answer = await client.get(`${LIST}?page=${page}`)
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors[0]?.field).toBe('page')
})

test.each(['page_size', 'pageSize'])('%s goes from 1 to 100', async (name) => {
  const { agent, as } = standing()
  const client = await as(await agent())
  for (const size of [1, 100]) {
    const { body } = await client.get(`${LIST}?${name}=${size}`)
    expect(body.data).toMatchObject({
      page_size: size,
      pageSize: size,
      page: 1,
      total: 0,
      items: [],
      list: [],
    })
  }
  for (const size of ['0', '101', '1000', 'ten']) {
    const answer = await client.get(`${LIST}?${name}=${size}`)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors[0]?.field).toBe(name)
  }
})

test.each(['1.5', '1e0', '01x', '٣', '-1', '0', '9007199254740992'])(
  'user_id=%s is refused',
  async (userId) => {
    const { agent, as } = standing()
    const client = await as(await agent())
    expectRefusal(await client.get(`${LIST}?user_id=${userId}`), 422, 'validation_error')
  },
)

test('Unknown fields of a body are ignored, unknown parameters of an address are not', async () => {
  const { agent, as } = await openApi()
  const client = await as(await agent())
  expectRefusal(await client.get(`${LIST}?colour=blue&__proto__=x`), 422, 'validation_error')
  expect((await client.post(PRODUCTS, { colour: 'blue', role: 'agent' })).status).toBe(200)
})

test('A field of the wrong type is refused by name, in the language of the caller', async () => {
  const { agent, as } = await openApi()
  const actor = await agent()
  const client = await as(actor)
  const bad = {
    poolId: 5,
    userId: '1',
    ipCount: 1.5,
    unit: 2,
    unitPrice: '5',
    totalAmount: 0.1 + 0.2,
    cycleTimes: 37,
    duration: undefined,
    cidrBlocks: [{ cidr: '10.0.0.0/24', count: 0 }],
    assignedIp: '300.1.1.1',
    remark: 'x'.repeat(256),
    orderType: 'dynamic_proxy',
  }
  const errors = async (language: string) => {
    const answer = await client.post(CREATE, orderBody(actor.id, bad), {
      headers: { 'accept-language': language },
    })
    expectRefusal(answer, 422, 'validation_error')
    return Object.fromEntries(
      answer.body.data.errors.map(({ field, rule, message }) => [field, [rule, message]]),
    )
  }
  expect(await errors('en')).toEqual({
    poolId: ['invalid_type', 'must be a string'],
    userId: ['invalid_type', 'must be a number'],
    ipCount: ['invalid_type', 'must be a whole number'],
    unit: ['invalid_value', 'must be one of: 1, 3, 4'],
    unitPrice: ['invalid_type', 'must be a number'],
    totalAmount: ['not_an_amount', 'must be an amount with at most 6 decimals and not above 1,000,000,000'],
    cycleTimes: ['too_big', 'must be at most 36'],
    duration: ['required', 'is required'],
    'cidrBlocks.0.count': ['too_small', 'must be at least 1'],
    assignedIp: ['not_an_ip_address', 'must be an IP address'],
    remark: ['too_big', 'must have at most 255 characters'],
    orderType: ['invalid_value', 'must be one of: static_proxy'],
  })
  expect(await errors('zh-CN')).toEqual({
    poolId: ['invalid_type', '必须是字符串'],
    userId: ['invalid_type', '必须是数字'],
    ipCount: ['invalid_type', '必须是整数'],
    unit: ['invalid_value', '必须是以下之一：1, 3, 4'],
    unitPrice: ['invalid_type', '必须是数字'],
    totalAmount: ['not_an_amount', '必须是金额：最多 6 位小数，且不超过 1,000,000,000'],
    cycleTimes: ['too_big', '必须不超过 36'],
    duration: ['required', '为必填项'],
    'cidrBlocks.0.count': ['too_small', '必须不少于 1'],
    assignedIp: ['not_an_ip_address', '必须是 IP 地址'],
    remark: ['too_big', '长度必须不超过 255 个字符'],
    orderType: ['invalid_value', '必须是以下之一：static_proxy'],
  })
})
