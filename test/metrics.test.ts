import { Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import type { MetricsOptions } from '../src/api/metrics.ts'
import { createServer } from '../src/api/server.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { productVersion } from '../src/product-version.ts'
import { addBotOf, SECRET_PART } from './support/agent-bots.ts'
import { BALANCE, openApi } from './support/api.ts'
import { command } from './support/command-line.ts'
import { batch } from './support/gateway-wire.ts'
import { PATIENCE } from './support/patience.ts'
import { onPostgres } from './support/postgres.ts'
import { ANN, startProduct } from './support/product.ts'

const TOKEN = 'metrics-token-of-the-tests'

/** `name{label="x"}` → value. */
function samples(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}

/** Counts requests only. */
function counting(token: string | undefined, local: boolean): MetricsOptions {
  const registry = new Registry()
  return { registry, text: () => registry.metrics(), token, local }
}

describe('the metrics', () => {
  it('count requests by route and time them, whatever addresses are asked for', async () => {
    const { agent, as, server, call } = await openApi({ api: { metrics: counting(undefined, true) } })
    const { get } = await as(await agent())
    await get(BALANCE)
    await get(BALANCE)
    await call('GET', BALANCE)
    for (const path of ['/x', '/y', '/z']) await call('GET', path)
    const response = await server.inject('/metrics')
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4')
    const route = `method="GET",route="/api${BALANCE}"`
    expect(samples(response.body)).toMatchObject({
      [`http_requests_total{${route},status="200"}`]: 2,
      [`http_requests_total{${route},status="401"}`]: 1,
      'http_requests_total{method="GET",route="none",status="404"}': 3,
      [`http_request_duration_seconds_count{${route}}`]: 3,
    })
  })

  it('tell how the gateway and its exits do', async () => {
    const product = await startProduct({ server: createServer }, { metricsToken: TOKEN })
    const address = new URL('/metrics', product.app.addresses['api'])
    const headers = { authorization: `Bearer ${TOKEN}` }
    const read = async () => samples(await (await fetch(address, { headers })).text())
    expect(await read()).toMatchObject({ reseller_gateway_up: 0, reseller_gateway_bytes_total: 0 })
    const { core } = product
    const { id } = await core.operator.exits.add(SHELL, { pool: 'dynamic_1' })
    await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url: 'http://10.0.0.1:80' })
    const exit = { id, healthy: true, reason: null, connect_ms: 1, connections: 1, bytes: 70, errors: 2 }
    const started_at = '2026-03-01T00:00:00.000Z'
    await core.gateway.countUsage(
      'gateway-of-the-tests',
      batch(1, {
        exits: [exit],
        gateway: { started_at, workers: 1, connections: 3, accepted: 5, refused: { no_exit: 4 } },
      }),
    )
    expect(await read()).toMatchObject({
      reseller_gateway_up: 1,
      reseller_gateway_connections: 3,
      reseller_gateway_accepted_total: 5,
      'reseller_gateway_refused_total{reason="no_exit"}': 4,
      'reseller_gateway_exits{pool="dynamic_1"}': 2,
      'reseller_gateway_exits_healthy{pool="dynamic_1"}': 1,
      [`reseller_gateway_exit_bytes_total{exit="${id}",pool="dynamic_1"}`]: 70,
      [`reseller_gateway_exit_errors_total{exit="${id}",pool="dynamic_1"}`]: 2,
    })
  })

  it('tell how the bots of agents do, and see a command of another process within seconds', async () => {
    const product = await startProduct(
      { server: createServer },
      { metricsToken: TOKEN, agentBots: { most: [3] } },
    )
    const { core, database } = product
    const address = new URL('/metrics', product.app.addresses['api'])
    const headers = { authorization: `Bearer ${TOKEN}` }
    const read = async () => samples(await (await fetch(address, { headers })).text())
    const NONE = { 'reseller_agent_bots{state="active"}': 0, reseller_agent_bots_receiving: 0 }
    expect(await read()).toMatchObject(NONE)
    await core.operator.createAgent(SHELL, { username: 'seller', password: 'long-enough-password' })
    const { token } = await core.accounts.logIn({
      username: 'seller',
      password: 'long-enough-password',
      address: 'test',
    })
    const seller = await core.accounts.authenticate(token)
    const [botId, username] = [7_000_000_001, 'palace_bot']
    product.telegram.addBot({ username, token: `${botId}:${SECRET_PART}` })
    await addBotOf(core, seller, { botId, username })
    const until = (expected: object) =>
      vi.waitFor(async () => expect(await read()).toMatchObject(expected), PATIENCE)
    await until({ 'reseller_agent_bots{state="active"}': 1, reseller_agent_bots_receiving: 1 })
    product.telegram.addUser(ANN)
    product.telegram.bot('palace_bot').inject({ kind: 'unauthorized' })
    product.telegram.bot('palace_bot').send(ANN.id, 'hello')
    await until({
      'reseller_agent_bot_updates_total{bot="palace_bot"}': 1,
      'reseller_agent_bot_refusals_total{bot="palace_bot",status="401"}': 1,
    })
    await command(['bot', 'pause', 'palace_bot'], { database, drivers: {} })
    await until({ ...NONE, 'reseller_agent_bots{state="halted"}': 1 })
    await command(['bot', 'resume', 'palace_bot'], { database, drivers: {} })
    await until({ 'reseller_agent_bots{state="active"}': 1, reseller_agent_bots_receiving: 1 })
  })

  it('tell what the loop and the database do', async () => {
    const product = await startProduct({ server: createServer }, { metricsToken: TOKEN })
    const address = new URL('/metrics', product.app.addresses['api'])
    const headers = { authorization: `Bearer ${TOKEN}` }
    const read = async () => samples(await (await fetch(address, { headers })).text())
    expect(await read()).toMatchObject({ reseller_outbox_pending: 0, reseller_outbox_oldest_age_seconds: 0 })

    const { token } = await product.core.accounts.logIn({
      username: 'customer',
      password: 'customer-password',
      address: 'test',
    })
    const customer = await product.core.accounts.authenticate(token)
    const term = { ipCount: 1, duration: 1, unit: 3 as const }
    await product.core.orders.createStatic(customer, { poolId: 'ISP', userId: customer.id, ...term })
    await product.until("SELECT 1 FROM static_orders WHERE status = 'active'")
    const before = new Date(Date.now() - 60_000).toISOString()
    await product.edit(
      "INSERT INTO jobs (kind, key, run_at, attempts, created_at) VALUES ('deliver_digest', '9', '2999-01-01T00:00:00.000Z', 3, ?)",
      before,
    )
    await product.edit(
      "INSERT INTO chats (id, language, created_at, updated_at) VALUES (9, 'en', ?, ?)",
      before,
      before,
    )
    for (const subject of ['S1', 'S2'])
      await product.edit(
        "INSERT INTO notices (chat_id, kind, subject, created_at) VALUES (9, 'order_completed', ?, ?)",
        subject,
        before,
      )
    const after = await read()
    expect(after).toMatchObject({
      'reseller_jobs_claimed_total{kind="complete_static_order"}': 1,
      'reseller_job_duration_seconds_count{kind="complete_static_order"}': 1,
      'reseller_jobs_waiting{kind="deliver_digest"}': 1,
      'reseller_jobs_retried{kind="deliver_digest"}': 1,
      reseller_outbox_pending: 2,
    })
    expect(after['reseller_outbox_oldest_age_seconds']).toBeGreaterThanOrEqual(60)
    if (!onPostgres) expect(after['reseller_database_size_bytes{file="main"}']).toBeGreaterThan(0)
    expect(after['reseller_database_write_group_jobs_count']).toBeGreaterThan(0)
    expect(after['reseller_database_write_wait_seconds_count']).toBe(
      after['reseller_database_write_group_jobs_count'],
    )
    expect(after).toHaveProperty('nodejs_eventloop_lag_p99_seconds')
    // The name of the version before.
    expect(after['outbox_pending']).toBe(2)
    expect(after).toHaveProperty(
      `reseller_build_info{version="${productVersion()}",node="${process.version}"}`,
      1,
    )
  })
})

describe('who reads the metrics', () => {
  const metrics = (token: string | undefined, local = false) => ({ api: { metrics: counting(token, local) } })

  it('is nobody when no token is set, outside of the sandbox', async () => {
    const { server } = await openApi(metrics(undefined))
    expect((await server.inject('/metrics')).statusCode).toBe(404)
    const { app } = await startProduct({ server: createServer })
    expect((await fetch(new URL('/metrics', app.addresses['api']))).status).toBe(404)
  })

  it('is this machine in the sandbox when no token is set, but nobody whom a proxy speaks for', async () => {
    const { server } = await openApi(metrics(undefined, true))
    const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await server.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.9.9.9'])
      expect(await status(here)).toBe(200)
    for (const there of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '10.0.0.1'])
      expect(await status(there)).toBe(404)
    for (const header of [
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'x-real-ip',
      'via',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
      'x-original-forwarded-for',
    ])
      expect(await status('127.0.0.1', { [header]: '127.0.0.1' })).toBe(404)
  })

  it('is whoever has the token when one is set', async () => {
    const { server } = await openApi(metrics(TOKEN))
    const status = async (authorization?: string) =>
      (
        await server.inject({
          url: '/metrics',
          headers: authorization === undefined ? {} : { authorization },
        })
      ).statusCode
    expect(await status(`Bearer ${TOKEN}`)).toBe(200)
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
      expect(await status(wrong)).toBe(404)
  })

  it('is nobody where nothing is measured', async () => {
    const { server } = await openApi()
    expect((await server.inject('/metrics')).statusCode).toBe(404)
  })
})
