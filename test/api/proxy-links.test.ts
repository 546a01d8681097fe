import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { scriptedProber } from '../support/scripted-prober.ts'
import { PASSWORD } from '../support/service.ts'

const LINKS = '/open/app/static/links'

/** A customer with two orders, of two proxies and of one, and its agent. */
async function shop() {
  const api = await openApi({ checks: { prober: scriptedProber, regular: false } })
  const agent = await api.agent({ name: 'agent' })
  const user = await api.customer(agent, { name: 'user', balance: 100 })
  await api.product()
  await api.stock('static', 6)
  const { orderNo } = await api.order(user, { ipCount: 2 })
  await api.order(user)
  await api.runJobs()
  const client = await api.as(user)
  const create = async (body: object) =>
    (await client.post(LINKS, body)).body.data as unknown as { id: number; url: string }
  const open = (url: string) =>
    api.server.inject({ method: 'GET', url: new URL(url).pathname, remoteAddress: '203.0.113.9' })
  const read = async (url: string) => (await open(url)).body
  const inUse = () => api.db.read.instance.findMany({ where: { status: 'active' }, orderBy: { id: 'asc' } })
  return {
    ...api,
    newAgent: api.agent,
    agent,
    user,
    orderNo,
    client,
    agents: await api.as(agent),
    create,
    open,
    read,
    inUse,
  }
}

/** For cases that change nothing. */
const standing = shared(shop)

test('A link gives what is in use when it is opened, without a log-in', async () => {
  const { create, open, read, inUse, core, user, orderNo, db } = await shop()
  const { url } = await create({})
  expect(url).toMatch(/^http:\/\/localhost(:80)?\/api\/open\/app\/static\/proxies\/[\w-]{32}$/)
  const answer = await open(url)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  const proxies = await inUse()
  const lines = proxies.map(({ ip, port, username, password }) => `${ip}:${port}:${username}:${password}`)
  expect(lines).toHaveLength(3)
  expect(answer.body.split('\n')).toEqual(lines)

  const { instanceNo } = proxies[0] ?? { instanceNo: '' }
  await core.orders.cancelStatic(user, { orderNo, instances: [instanceNo] })
  expect((await read(url)).split('\n')).toEqual(lines.slice(1))

  const text = JSON.stringify(await db.read.proxyLink.findMany())
  expect(text).not.toContain(url.split('/').at(-1))
})

test('It can be of one order, in lines of any format, a table or objects', async () => {
  const { create, read, inUse, orderNo } = await shop()
  const [first, second, third] = await inUse()
  if (!first || !second || !third) throw new Error('three proxies were bought')
  const ofOrder = await create({ orderNo, format: 'password@host|port|username', delimiter: 5 })
  expect(await read(ofOrder.url)).toBe(
    [first, second].map((one) => `${one.password}@${one.ip}|${one.port}|${one.username}`).join('\t'),
  )
  const urls = await create({ orderNo, format: 'socks5' })
  expect(await read(urls.url)).toContain(
    `socks5://${first.username}:${first.password}@${first.ip}:${first.port}`,
  )
  const table = (await read((await create({ content: 'csv' })).url)).trim().split(/\r?\n/)
  expect(table).toHaveLength(4)
  expect(table[0]).toContain('order_no,instance_no,ip,port,username,password')
  expect(JSON.parse(await read((await create({ content: 'json' })).url))).toMatchObject([
    { order_no: orderNo, ip: first.ip, port: first.port, auto_renew: false },
    { ip: second.ip },
    { ip: third.ip, status: 'active' },
  ])
})

test('Whoever made it or its agent lists and revokes it; then it is unknown', async () => {
  const { create, open, client, agents, agent, user, clock, as, customer } = await shop()
  const { id, url } = await create({ content: 'json' })
  const other = await as(await customer(agent, { name: 'other' }))
  expect((await client.get(LINKS)).body.data).toEqual([
    {
      id,
      user_id: user.id,
      order_no: null,
      content: 'json',
      format: 'colon',
      delimiter: 4,
      created_at: clock.now().toISOString(),
    },
  ])
  expect((await agents.get(`${LINKS}?user_id=${user.id}`)).body.data).toHaveLength(1)
  expect((await agents.get(LINKS)).body.data).toEqual([])
  expect((await other.get(`${LINKS}?user_id=${user.id}`)).body.data).toEqual([])
  expect((await other.delete(`${LINKS}/${id}`)).body.error).toBe('route_not_found')
  expect((await open(url)).statusCode).toBe(200)
  expect((await agents.delete(`${LINKS}/${id}`)).body.data).toEqual({ revoked: 1 })
  expect((await client.delete(`${LINKS}/${id}`)).body.error).toBe('route_not_found')
  expect((await open(url)).json()).toMatchObject({ error: 'route_not_found' })
})

test('It is opened 60 times a minute, whatever other links are; the 21st ends the first', async () => {
  const { create, open, clock } = await shop()
  const [first, second] = [await create({}), await create({ content: 'csv' })]
  for (let call = 0; call < 60; call += 1) expect((await open(first.url)).statusCode).toBe(200)
  const refused = await open(first.url)
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { error: 'rate_limited' }])
  expect((await open(second.url)).statusCode).toBe(200)
  clock.advance(60_000)
  expect((await open(first.url)).statusCode).toBe(200)
  for (let made = 2; made < 21; made += 1) await create({})
  expect((await open(first.url)).statusCode).toBe(404)
  expect((await open(second.url)).statusCode).toBe(200)
})

test('What becomes of a proxy shows at once: a renewal, other credentials, a replacement, the end of its term', async () => {
  const { create, read, inUse, core, user, orderNo, client, clock, runJobs } = await shop()
  const { url } = await create({ orderNo, content: 'json' })
  const shown = async () =>
    JSON.parse(await read(url)) as { ip: string; password: string; expire_time: string }[]
  const [first, second] = await inUse()
  if (!first || !second) throw new Error('two proxies were bought')
  const [bought] = await shown()
  await core.orders.renewStatic(user, { order: { orderNo }, instances: [{ instanceNo: first.instanceNo }] })
  const [renewed, other] = await shown()
  expect(Date.parse(renewed?.expire_time ?? '')).toBeGreaterThan(Date.parse(bought?.expire_time ?? ''))
  expect(other?.expire_time).toBe(bought?.expire_time)

  const credentials = { instanceNo: first.instanceNo, password: 'another-password', reason: 'leaked' }
  await core.operator.orders.giveCredentials(SHELL, credentials)
  expect((await shown())[0]?.password).toBe('another-password')

  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
  await client.post(`/open/app/static/instances/${second.instanceNo}/replace`, { reason: 'blocked' })
  const replaced = await shown()
  expect(replaced).toHaveLength(2)
  expect(replaced.map(({ ip }) => ip)).not.toContain(second.ip)

  clock.advance(40 * 86_400_000)
  await runJobs()
  expect((await shown()).map(({ ip }) => ip)).toEqual([first.ip])
  clock.advance(40 * 86_400_000)
  await runJobs()
  expect(await shown()).toEqual([])
})

test('It gives nothing while its user is disabled, and is unknown when the user is deleted', async () => {
  const { create, open, core, agent, user } = await shop()
  const { url } = await create({})
  const becomes = (status: 'disabled' | 'active') =>
    core.accounts.setSubUserStatus(agent, user.id, { status })
  await becomes('disabled')
  expect((await open(url)).json()).toMatchObject({ code: 403, error: 'account_disabled' })
  await becomes('active')
  expect((await open(url)).statusCode).toBe(200)
  await core.accounts.deleteSubUser(agent, user.id)
  expect((await open(url)).json()).toMatchObject({ code: 404, error: 'route_not_found' })
})

test('A customer who chose its password keeps it with another agent, who has the say', async () => {
  const { open, core, user, agents, as, newAgent } = await shop()
  const change = { oldPassword: PASSWORD, newPassword: 'chosen by the user' }
  await core.accounts.changePassword(user, undefined, change)
  const { id, token } = await core.orders.createLink(user, {})
  const url = `http://localhost/api/open/app/static/proxies/${token}`
  const next = await as(await newAgent({ name: 'next' }))
  await core.operator.customers.move(SHELL, { username: 'user', agent: 'next', reason: 'as asked' })
  expect((await open(url)).body.split('\n')).toHaveLength(3)
  const path = `${LINKS}?user_id=${user.id}`
  expect((await agents.get(path)).body.data).toEqual([])
  expect((await agents.delete(`${LINKS}/${id}`)).body.error).toBe('route_not_found')
  expect((await next.get(path)).body.data).toMatchObject([{ id }])
  expect((await next.delete(`${LINKS}/${id}`)).body.data).toEqual({ revoked: 1 })
})

test('The same request makes it once and tells it again', async () => {
  const { client, open } = await shop()
  const post = () => client.post(LINKS, { content: 'csv' }, { headers: { 'idempotency-key': 'once' } })
  const [first, second] = await Promise.all([post(), post()])
  const again = await post()
  expect([second.body.data, again.body.data]).toEqual([first.body.data, first.body.data])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await client.get(LINKS)).body.data).toHaveLength(1)
  const { url } = first.body.data as unknown as { url: string }
  expect((await open(url)).statusCode).toBe(200)
})

test.each([
  [{ format: 'host:port' }, 'format', 'not_a_line_format'],
  [{ content: 'xml' }, 'content', 'invalid_value'],
  [{ delimiter: 6 }, 'delimiter', 'invalid_value'],
])('It refuses %j', async (body, field, code) => {
  const { client } = standing()
  const answer = await client.post(LINKS, body)
  expect([answer.status, answer.body]).toMatchObject([422, { error: 'validation_error' }])
  expect(JSON.stringify(answer.body)).toContain(field)
  expect(JSON.stringify(answer.body)).toContain(code)
})

test('An order of somebody else has no link', async () => {
  const { orderNo, agent, as, customer } = await shop()
  const other = await as(await customer(agent, { name: 'other' }))
  expect((await other.post(LINKS, { orderNo })).body.error).toBe('order_not_found')
  const made = await (await as(agent)).post(LINKS, { orderNo, content: 'json' })
  expect(made.body.data).toMatchObject({ order_no: orderNo })
})
