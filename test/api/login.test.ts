import { expect, test } from 'vitest'
import { expectRefusal, openApi } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { PASSWORD } from '../support/service.ts'

/** For cases that change nothing. */
const standing = shared(openApi)

const LOGIN = '/auth/login'

test('Logging in answers a token that opens the other endpoints, and who it belongs to', async () => {
  const { agent, call } = await openApi()
  const { id } = await agent({ name: 'agent', balance: 12.5 })
  const { status, headers, body } = await call('POST', LOGIN, {
    payload: { username: 'agent', password: PASSWORD },
  })
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({
    code: 0,
    message: 'Login successful',
    msg: 'Login successful',
    data: {
      token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
      user: { id, username: 'agent', balance: 12.5, status: 'active', role: 'agent' },
    },
  })
  const authorization = `Bearer ${body.data.token}`
  expect((await call('GET', '/open/app/user/balance/current', { headers: { authorization } })).status).toBe(
    200,
  )
})

test('The username is found whatever its case', async () => {
  const { agent, call } = await openApi()
  await agent({ name: 'Agent-Smith' })
  expect(
    (await call('POST', LOGIN, { payload: { username: 'AGENT-smith', password: PASSWORD } })).status,
  ).toBe(200)
})

test('A wrong password, an unknown user and a deleted user get the same answer', async () => {
  const { agent, call, db } = await openApi()
  await agent({ name: 'agent' })
  const { id } = await agent({ name: 'gone' })
  await db.write((tx) => tx.account.update({ where: { id }, data: { status: 'deleted' } }))
  const answers = await Promise.all(
    [
      { username: 'agent', password: 'wrong-password' },
      { username: 'nobody', password: PASSWORD },
      { username: 'gone', password: PASSWORD },
    ].map((payload) => call('POST', LOGIN, { payload })),
  )
  for (const answer of answers) {
    expectRefusal(answer, 401, 'invalid_credentials')
    expect(answer.body.message).toBe('Invalid username or password')
    expect(answer.body.data).toBeNull()
  }
  const chinese = await call('POST', LOGIN, {
    payload: { username: 'nobody', password: 'wrong' },
    base: '/b/api',
  })
  expect(chinese.body.message).toBe('用户名或密码错误')
})

test('A disabled account learns that it is disabled, but only with the right password', async () => {
  const { agent, call, db } = await openApi()
  const { id } = await agent({ name: 'agent' })
  await db.write((tx) => tx.account.update({ where: { id }, data: { status: 'disabled' } }))
  expectRefusal(
    await call('POST', LOGIN, { payload: { username: 'agent', password: PASSWORD } }),
    403,
    'account_disabled',
  )
  expectRefusal(
    await call('POST', LOGIN, { payload: { username: 'agent', password: 'wrong' } }),
    401,
    'invalid_credentials',
  )
})

test('The eleventh attempt after ten wrong passwords waits, however the client calls itself, and then works again', async () => {
  const { agent, call, clock } = await openApi()
  await agent({ name: 'agent' })
  const attempt = (password: string, forwardedFor: string) =>
    call('POST', LOGIN, {
      payload: { username: 'agent', password },
      headers: { 'x-forwarded-for': forwardedFor },
    })
  for (let n = 0; n < 10; n += 1)
    expectRefusal(await attempt('wrong', `192.0.2.${n}`), 401, 'invalid_credentials')
  const refused = await attempt(PASSWORD, '192.0.2.99')
  expectRefusal(refused, 429, 'too_many_attempts')
  expect(Number(refused.headers['retry-after'])).toBe(15 * 60)
  clock.advance(15 * 60_000)
  expect((await attempt(PASSWORD, '192.0.2.99')).status).toBe(200)
})

test('Fifteen log-ins with the right password at once all succeed', async () => {
  const { agent, call } = await openApi()
  await agent({ name: 'agent' })
  const attempts = await Promise.all(
    Array.from({ length: 15 }, () =>
      call('POST', LOGIN, { payload: { username: 'agent', password: PASSWORD } }),
    ),
  )
  expect(attempts.map(({ status }) => status)).toEqual(Array(15).fill(200))
})

test('One address that tries one password on many usernames waits after thirty', async () => {
  const { call } = await openApi()
  const attempts = await Promise.all(
    Array.from({ length: 31 }, (_, n) =>
      call('POST', LOGIN, { payload: { username: `user-${n}`, password: 'wrong' } }),
    ),
  )
  expect(attempts.filter(({ body }) => body.error === 'invalid_credentials')).toHaveLength(30)
  expect(attempts.filter(({ body }) => body.error === 'too_many_attempts')).toHaveLength(1)
})

test.each([
  [{}, ['username', 'password']],
  [{ username: 'agent' }, ['password']],
  [{ username: 5, password: ['x'] }, ['username', 'password']],
  [{ username: '', password: '' }, ['username', 'password']],
  [{ username: 'x'.repeat(257), password: 'y' }, ['username']],
])('Credentials %j are refused by field', async (payload, fields) => {
  const { call } = standing()
  const answer = await call('POST', LOGIN, { payload })
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors.map(({ field }) => field)).toEqual(fields)
})
