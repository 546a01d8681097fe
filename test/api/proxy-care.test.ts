import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi, LIST } from '../support/api.ts'
import { ALIVE, scriptedProber, UNREACHED } from '../support/scripted-prober.ts'

const MINUTE = 60_000

/** A sub-user with a proxy that may be replaced at once, and its agent. */
async function withProxy(replacePolicy: 'auto' | 'ask' | 'never' = 'auto') {
  const prober = scriptedProber()
  const api = await openApi({ checks: { prober: () => prober, regular: false } })
  const agent = await api.agent({ name: 'agent' })
  const user = await api.customer(agent, { balance: 10 })
  await api.product()
  await api.core.operator.editProduct(SHELL, 'static', { replacePolicy })
  await api.stock('static', 3)
  await api.order(user)
  await api.runJobs()
  const proxy = () => api.db.read.instance.findFirstOrThrow()
  const { instanceNo } = await proxy()
  const path = `/open/app/static/instances/${instanceNo}`
  return {
    ...api,
    prober,
    agent,
    user,
    proxy,
    instanceNo,
    path,
    users: await api.as(user),
    agents: await api.as(agent),
  }
}

test('A proxy is tested by its user and by the agent, once a minute', async () => {
  const { users, agents, path, instanceNo, clock, prober, proxy } = await withProxy()
  const { body } = await users.post(`${path}/check`)
  expect(body.data).toMatchObject({
    instance_no: instanceNo,
    verdict: 'alive',
    stage: 'done',
    reason: null,
    connect_ms: 12,
    first_byte_ms: 34,
    exit_address: '198.51.100.1',
    checked_at: '2026-03-01T12:00:00.000Z',
  })
  const again = await agents.post(`${path}/check`)
  expect([again.status, again.body.error, again.headers['retry-after']]).toEqual([429, 'rate_limited', '60'])
  clock.advance(MINUTE)
  prober.dead.add((await proxy()).ip)
  const failed = await agents.post(`${path}/check`)
  expect(failed.body.data).toMatchObject({
    verdict: 'unknown',
    stage: 'connect',
    reason: 'timeout',
    exit_address: null,
  })
})

test('What the tests say of a proxy is one of its fields, moves `updated_at`, and narrows the list', async () => {
  const { users, path, clock, prober } = await withProxy()
  const seen = async () => (await users.get(path)).body.data as unknown as Readonly<Record<string, unknown>>
  const before = await seen()
  expect(before['health']).toBe('not_tested')
  clock.advance(MINUTE)
  await users.post(`${path}/check`)
  const works = await seen()
  expect([works['health'], works['updated_at']]).toEqual(['works', '2026-03-01T12:01:00.000Z'])
  clock.advance(MINUTE)
  prober.probe = () => Promise.resolve({ ...ALIVE, firstByteMs: 3_500 })
  await users.post(`${path}/check`)
  const slow = await users.get('/open/app/static/instances?health=slow')
  expect(slow.body.data.items).toMatchObject([{ instance_no: before['instance_no'], health: 'slow' }])
  expect((await users.get('/open/app/static/instances?health=works')).body.data.items).toEqual([])
  clock.advance(MINUTE)
  prober.probe = () => Promise.resolve(UNREACHED)
  await users.post(`${path}/check`)
  expect(await seen()).toMatchObject({ health: 'failing', updated_at: '2026-03-01T12:03:00.000Z' })
})

test('A proxy is replaced, keeps its number, and is found by its old address', async () => {
  const { users, agents, path, proxy, audited } = await withProxy()
  const { ip, port } = await proxy()
  const options = { headers: { 'idempotency-key': 'once' } }
  const first = await users.post(`${path}/replace`, { reason: 'blocked' }, options)
  const { ip: now } = await proxy()
  expect(first.body.data).toMatchObject({
    status: 'done',
    ground: 'young',
    reason: 'blocked',
    old: { ip, port },
    new: { ip: now, port: 8000 },
    refund_amount: 0,
  })
  const again = await users.post(`${path}/replace`, { reason: 'blocked' }, options)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data).toEqual(first.body.data)
  const history = await agents.get(`${path}/replacements`)
  expect(history.body.data.items).toEqual([first.body.data])
  for (const search of [
    ip,
    `${ip}:${port}`,
    `${ip}:${port}:u0:secret`,
    `${ip}\n192.0.2.200`,
    ip.slice(0, -1),
  ]) {
    const found = await users.get(`${LIST}?search=${encodeURIComponent(search)}`)
    expect(found.body.data.total, search).toBe(1)
  }
  await audited()
})

test('What is refused says why', async () => {
  const never = await withProxy('never')
  const refusal = await never.users.post(`${never.path}/replace`, { reason: 'blocked' })
  expect([refusal.status, refusal.body.error]).toEqual([409, 'invalid_state'])
  expect(refusal.body.data).toMatchObject({ reason: 'not_replaced' })
  const { users, path } = await withProxy()
  const missing = await users.post(`${path}/replace`, {})
  expect([missing.status, missing.body.data.errors.map(({ field }) => field)]).toEqual([422, ['reason']])
  for (const stranger of ['check', 'replace']) {
    const { status } = await users.post(`/open/app/static/instances/I0/${stranger}`, { reason: 'x' })
    expect(status).toBe(404)
  }
})

test('The echo answers only what the service asks, with the address from which it came', async () => {
  const { server, clock } = await withProxy()
  for (const token of ['x', 'a-b.c', `${'0'.repeat(9)}-${'a'.repeat(16)}.${'b'.repeat(43)}`]) {
    const { statusCode } = await server.inject({ url: `/echo/${token}` })
    expect(statusCode).toBe(404)
  }
  expect(clock.now().toISOString()).toBe('2026-03-01T12:00:00.000Z')
})
