import { setImmediate } from 'node:timers/promises'
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

test('Neither the time nor the size of the answer tells whose name it is', async () => {
  const { agent, call, db, clock } = await openApi()
  await agent({ name: 'active' })
  for (const status of ['disabled', 'deleted'] as const) {
    const { id } = await agent({ name: status })
    await db.write((tx) => tx.account.update({ where: { id }, data: { status } }))
  }
  const times: Record<string, number[]> = { active: [], disabled: [], deleted: [], unknown: [] }
  const answers = new Set<string>()
  for (let round = 0; round < 30; round += 1) {
    for (const [username, durations] of Object.entries(times)) {
      const begun = performance.now()
      const answer = await call('POST', LOGIN, { payload: { username, password: 'wrong-password' } })
      durations.push(performance.now() - begun)
      const { 'content-length': length, ...headers } = answer.headers
      answers.add(JSON.stringify([answer.status, answer.body.message, length, Object.keys(headers)]))
    }
    // So that nobody is refused for too many attempts.
    clock.advance(16 * 60_000)
  }
  expect(answers.size).toBe(1)
  const [fastest = 0, ...others] = Object.values(times)
    .map((durations) => durations.toSorted((a, b) => a - b)[15] ?? 0)
    .toSorted((a, b) => a - b)
  // Without a password to compare with, one of them would take a tenth.
  expect(others.at(-1)).toBeLessThan(2 * fastest)
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

test('A flood of log-ins is turned away beyond a queue, and does not slow down those who are in', async () => {
  const { agent, as, server } = await openApi()
  const client = await as(await agent())
  const flood = { on: true, outcomes: new Set<string>(), checked: [] as number[] }
  const attackers = Array.from({ length: 64 }, async (_, attacker) => {
    for (let attempt = 0; flood.on; attempt += 1) {
      const begun = performance.now()
      const response = await server.inject({
        method: 'POST',
        url: `/api${LOGIN}`,
        payload: { username: `user-${attacker}-${attempt}`, password: 'wrong' },
        remoteAddress: `10.${attacker}.${attempt >> 8}.${attempt & 255}`,
      })
      flood.outcomes.add(`${response.statusCode} ${response.json<{ error: string }>().error}`)
      if (response.statusCode === 401) flood.checked.push(performance.now() - begun)
      else expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      await setImmediate()
    }
  })
  const reads: number[] = []
  while (reads.length < 50) {
    const begun = performance.now()
    expect((await client.get('/open/app/user/balance/current')).status).toBe(200)
    reads.push(performance.now() - begun)
  }
  flood.on = false
  await Promise.all(attackers)
  expect(flood.outcomes).toEqual(new Set(['401 invalid_credentials', '503 unavailable']))
  const part = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
  // In one line with the passwords that are checked, a read would take as long as a log-in.
  expect(part(reads, 0.5)).toBeLessThan(part(flood.checked, 0.5) / 4)
  expect(part(reads, 0.98)).toBeLessThan(part(flood.checked, 0.5))
})
