import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerSchema, type Endpoint } from '../../src/api/endpoint.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import { Tokens } from '../../src/core/accounts/tokens.ts'
import { VARIANTS } from '../../src/api/variants.ts'
import { type Answer, orderBody } from '../support/api.ts'
import { JWT_SECRET, PASSWORD } from '../support/service.ts'
import { openShop } from '../support/top-ups.ts'

/** Who asks. Everything that is asked for, or about, belongs to `owner`, a sub-user of `agent`. */
const ROLES = ['agent', 'rival', 'owner', 'foreign', 'anonymous', 'disabled', 'deleted', 'inactive'] as const
type Role = (typeof ROLES)[number]

/** Appears in whatever shows something of the owner. */
const OWNER = 'owner-of-all-this'

/**
 * An error, `ok`, or for answers that may or may not show something of the owner (a case with `reveals`) whether they do.
 */
type Outcome = string

interface Case {
  readonly reveals?: true
  /** Makes what the request is about, for each role anew. */
  readonly request: (stage: Stage) => Request | Promise<Request>
  /** What the roles get that have a token which is good. */
  readonly expected: Readonly<Record<'agent' | 'rival' | 'owner' | 'foreign', Outcome>>
}

interface Request {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
}

const everybody = (outcome: Outcome) => ({ agent: outcome, rival: outcome, owner: outcome, foreign: outcome })
/** For what an agent does to a sub-user. */
const AGENT_ONLY = {
  agent: 'ok',
  rival: 'not_direct_sub_user',
  owner: 'agent_required',
  foreign: 'agent_required',
}
/** For what is an agent's own. */
const AGENTS = { agent: 'ok', rival: 'ok', owner: 'agent_required', foreign: 'agent_required' }
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
/** For what is done in the name of a user. */
const OWNER_AND_AGENT = { agent: 'ok', rival: 'not_direct_sub_user', owner: 'ok', foreign: 'agent_required' }
/** For things: somebody else's are like those that do not exist. */
const unlessForeign = (refusal: Outcome) => ({ agent: 'ok', rival: refusal, owner: 'ok', foreign: refusal })
const SHOWN_TO_OWNER_AND_AGENT = { agent: 'shown', rival: 'not shown', owner: 'shown', foreign: 'not shown' }

const ONE_STATIC_IP = (userId: number) => orderBody(userId, { poolId: 'static' })
const ONE_GIGABYTE = (userId: number) => ({
  orderType: 'dynamic_proxy',
  poolId: 'dynamic',
  trafficAmount: 1,
  userId,
})

/** A webhook belongs to its account alone: not even its agent sees it. */
const OWN_WEBHOOK = {
  agent: 'webhook_not_found',
  rival: 'webhook_not_found',
  owner: 'ok',
  foreign: 'webhook_not_found',
} as const

/** Only gateways have a token for these. */
const GATEWAYS_ONLY = {
  request: () => ({}),
  expected: everybody('token_invalid'),
}

/** Who may do what: an endpoint that is not here fails the test. */
const CASES: Readonly<Record<string, Case>> = {
  'POST /auth/login': {
    request: () => ({ body: { username: OWNER, password: PASSWORD } }),
    expected: everybody('ok'),
  },
  'POST /auth/logout': { request: () => ({}), expected: everybody('ok') },
  'POST /open/app/user/api-keys': {
    request: () => ({ body: { name: 'robot', scopes: ['read'] } }),
    expected: everybody('ok'),
  },
  'GET /open/app/user/api-keys': { request: () => ({}), expected: everybody('ok') },
  'DELETE /open/app/user/api-keys/:key_id': {
    request: async ({ apiKey }) => ({ params: { key_id: await apiKey() } }),
    expected: {
      agent: 'api_key_not_found',
      rival: 'api_key_not_found',
      owner: 'ok',
      foreign: 'api_key_not_found',
    },
  },
  'POST /open/app/user/webhooks': {
    request: () => ({ body: { url: 'https://example.com/hook' } }),
    expected: everybody('ok'),
  },
  'GET /open/app/user/webhooks': { request: () => ({}), expected: everybody('ok') },
  'GET /open/app/user/webhooks/:webhook_id': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() } }),
    expected: OWN_WEBHOOK,
  },
  'PATCH /open/app/user/webhooks/:webhook_id': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() }, body: { enabled: false } }),
    expected: OWN_WEBHOOK,
  },
  'DELETE /open/app/user/webhooks/:webhook_id': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() } }),
    expected: OWN_WEBHOOK,
  },
  'POST /open/app/user/webhooks/:webhook_id/secret': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() } }),
    expected: OWN_WEBHOOK,
  },
  'POST /open/app/user/webhooks/:webhook_id/test': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() } }),
    expected: OWN_WEBHOOK,
  },
  'GET /open/app/user/webhooks/:webhook_id/deliveries': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook() } }),
    expected: OWN_WEBHOOK,
  },
  'POST /open/app/user/webhooks/:webhook_id/deliveries/replay': {
    request: async ({ webhook }) => ({
      params: { webhook_id: await webhook() },
      body: { since: '2026-01-01T00:00:00Z' },
    }),
    expected: OWN_WEBHOOK,
  },
  'POST /open/app/user/webhooks/:webhook_id/deliveries/:message_id/replay': {
    request: async ({ webhook }) => ({ params: { webhook_id: await webhook(), message_id: 'msg_none' } }),
    expected: { ...OWN_WEBHOOK, owner: 'delivery_not_found' },
  },
  'PUT /open/app/user/password': {
    request: () => ({ body: { old_password: 'not the password', new_password: 'secret' } }),
    expected: everybody('invalid_credentials'),
  },
  'GET /auth/activate': {
    request: () => ({ query: { token: 'no-such-token' } }),
    expected: everybody('status 410'),
  },
  'POST /auth/activate': {
    request: () => ({ query: { token: 'no-such-token' } }),
    expected: everybody('status 410'),
  },
  'POST /open/app/user/v2': {
    request: ({ newName }) => ({ body: { username: newName(), password: 'secret' } }),
    expected: { agent: 'ok', rival: 'ok', owner: 'agent_required', foreign: 'agent_required' },
  },
  'GET /open/app/user/balance/current': {
    reveals: true,
    request: () => ({}),
    expected: { agent: 'not shown', rival: 'not shown', owner: 'shown', foreign: 'not shown' },
  },
  'GET /open/app/agent/sub-users': {
    reveals: true,
    request: () => ({ query: { search: OWNER, includeDeleted: 'true' } }),
    expected: { agent: 'shown', rival: 'not shown', owner: 'agent_required', foreign: 'agent_required' },
  },
  'GET /open/app/agent/sub-users/:user_id': {
    request: ({ owner }) => ({ params: { user_id: owner.id } }),
    expected: AGENT_ONLY,
  },
  'POST /open/app/agent/sub-users/:user_id/balance': {
    request: ({ owner }) => ({ params: { user_id: owner.id }, body: { amount: 1, remark: 'test' } }),
    expected: AGENT_ONLY,
  },
  'PATCH /open/app/agent/sub-users/:user_id/account': {
    request: async ({ subUser }) => ({
      params: { user_id: await subUser() },
      body: { password: 'new secret' },
    }),
    expected: AGENT_ONLY,
  },
  'PATCH /open/app/agent/sub-users/:user_id/status': {
    request: async ({ subUser }) => ({ params: { user_id: await subUser() }, body: { status: 'disabled' } }),
    expected: AGENT_ONLY,
  },
  'DELETE /open/app/agent/sub-users/:user_id': {
    request: async ({ subUser }) => ({ params: { user_id: await subUser() } }),
    expected: AGENT_ONLY,
  },
  'POST /open/app/agent/join-links': {
    request: () => ({ body: {} }),
    expected: { agent: 'ok', rival: 'ok', owner: 'agent_required', foreign: 'agent_required' },
  },
  'GET /open/app/agent/join-links': {
    request: () => ({}),
    expected: { agent: 'ok', rival: 'ok', owner: 'agent_required', foreign: 'agent_required' },
  },
  'DELETE /open/app/agent/join-links/:link_id': {
    request: async ({ joinLink }) => ({ params: { link_id: await joinLink() } }),
    expected: {
      agent: 'ok',
      rival: 'join_link_not_found',
      owner: 'agent_required',
      foreign: 'agent_required',
    },
  },
  'GET /open/app/agent/prices': { request: () => ({}), expected: AGENTS },
  'PUT /open/app/agent/prices': {
    request: ({ owner }) => ({ body: { user_id: owner.id, markup_percent: 50 } }),
    expected: AGENT_ONLY,
  },
  'DELETE /open/app/agent/prices': {
    request: async ({ price }) => ({ query: { user_id: await price() } }),
    expected: AGENT_ONLY,
  },
  'GET /open/app/agent/earnings': { request: () => ({}), expected: AGENTS },
  'GET /open/app/agent/earnings/entries': {
    reveals: true,
    request: async ({ earning }) => ({ query: { page_size: await earning() } }),
    expected: { ...AGENTS, agent: 'shown', rival: 'not shown' },
  },
  'POST /open/app/agent/earnings/move': {
    request: async ({ earning }) => ({ body: { amount: await earning() } }),
    expected: { ...AGENTS, rival: 'insufficient_balance' },
  },
  'GET /open/app/agent/payouts': { request: () => ({}), expected: AGENTS },
  'POST /open/app/agent/payouts': {
    request: async ({ earning }) => ({ body: { amount: await earning(), address: ADDRESS } }),
    expected: { ...AGENTS, rival: 'insufficient_balance' },
  },
  'POST /open/app/agent/payouts/:payout_no/cancel': {
    request: async ({ payout }) => ({ params: { payout_no: await payout() } }),
    expected: { ...AGENTS, rival: 'payout_not_found' },
  },
  'POST /open/app/agent/promotions': {
    request: ({ newName }) => ({ body: { code: newName(), percent: 10 } }),
    expected: AGENTS,
  },
  'GET /open/app/agent/promotions': { request: () => ({}), expected: AGENTS },
  'POST /open/app/agent/promotions/:code/stop': {
    request: async ({ promoCode }) => ({ params: { code: await promoCode() } }),
    expected: { ...AGENTS, rival: 'promo_code_not_found' },
  },
  'POST /open/app/product/query-standard/v2': { request: () => ({ body: {} }), expected: everybody('ok') },
  'GET /open/app/product/ip-ranges/v2': { request: () => ({}), expected: everybody('ok') },
  'POST /open/app/order/quote': {
    request: ({ owner }) => ({ body: ONE_STATIC_IP(owner.id) }),
    expected: OWNER_AND_AGENT,
  },
  'POST /open/app/order/create/v2': {
    request: ({ owner }) => ({ body: ONE_GIGABYTE(owner.id) }),
    expected: OWNER_AND_AGENT,
  },
  'GET /dynamic': { reveals: true, request: () => ({}), expected: SHOWN_TO_OWNER_AND_AGENT },
  'GET /dynamic/:order_id': {
    request: async ({ dynamicOrder }) => ({ params: { order_id: (await dynamicOrder()).id } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /dynamic/order-info/:order_no': {
    request: async ({ dynamicOrder }) => ({ params: { order_no: (await dynamicOrder()).orderNo } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /user/:user_id/products-flow': {
    request: ({ owner }) => ({ params: { user_id: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /user/:user_id/remaining-flow/:product_no': {
    request: ({ owner }) => ({ params: { user_id: owner.id, product_no: 'dynamic' } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/dynamic/usage': {
    request: ({ owner }) => ({ query: { product_no: 'dynamic', user_id: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'PUT /open/app/dynamic/usage/hosts': {
    request: ({ owner }) => ({ body: { product_no: 'dynamic', user_id: owner.id, keeps_hosts: true } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/dynamic/allow-list': {
    request: ({ owner }) => ({ query: { product_no: 'dynamic', user_id: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'PUT /open/app/dynamic/allow-list': {
    request: ({ owner }) => ({
      body: { product_no: 'dynamic', user_id: owner.id, addresses: ['192.0.2.1'] },
    }),
    expected: OWNER_AND_AGENT,
  },
  'POST /business/dynamic-proxy/extract (A)': {
    request: ({ owner }) => ({ body: { productNo: 'dynamic', userId: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'POST /business/dynamic-proxy/extract (B)': {
    request: ({ owner }) => ({ body: { productNo: 'dynamic', proxyType: 104, userId: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'POST /open/app/dynamic/extract': {
    request: ({ owner }) => ({ body: { productNo: 'dynamic', userId: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/dynamic/extract/:token': {
    request: async ({ publicLink }) => ({ params: { token: await publicLink() } }),
    expected: everybody('ok'),
  },
  'DELETE /open/app/dynamic/extract/:token': {
    request: async ({ publicLink }) => ({ params: { token: await publicLink() } }),
    expected: unlessForeign('route_not_found'),
  },
  'DELETE /open/app/dynamic/extract': { request: () => ({}), expected: everybody('ok') },
  'GET /open/app/dynamic/sub-accounts (B)': {
    reveals: true,
    request: () => ({}),
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'POST /open/app/dynamic/sub-accounts (B)': {
    request: ({ owner }) => ({ body: { productNo: 'dynamic', userId: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/dynamic/sub-accounts/:id (B)': {
    request: async ({ subAccount }) => ({ params: { id: await subAccount() } }),
    expected: unlessForeign('sub_account_not_found'),
  },
  'DELETE /open/app/dynamic/sub-accounts/:id (B)': {
    request: async ({ subAccount }) => ({ params: { id: await subAccount() } }),
    expected: unlessForeign('sub_account_not_found'),
  },
  'POST /open/app/dynamic/sub-accounts/:id/traffic (B)': {
    request: async ({ subAccount }) => ({
      params: { id: await subAccount() },
      body: { amount: 0.001, remark: 'test' },
    }),
    expected: unlessForeign('sub_account_not_found'),
  },
  'PATCH /open/app/dynamic/sub-accounts/:id/status (B)': {
    request: async ({ subAccount }) => ({ params: { id: await subAccount() }, body: { status: 'disabled' } }),
    expected: unlessForeign('sub_account_not_found'),
  },
  'PATCH /open/app/dynamic/sub-accounts/:id/password (B)': {
    request: async ({ subAccount }) => ({ params: { id: await subAccount() } }),
    expected: unlessForeign('sub_account_not_found'),
  },
  'POST /open/app/static/order/create-standard/v2': {
    request: ({ owner }) => ({ body: ONE_STATIC_IP(owner.id) }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/static/order/list/v2': {
    reveals: true,
    request: () => ({}),
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'GET /open/app/static/orders/:order_no': {
    request: async ({ staticOrder }) => ({ params: { order_no: await staticOrder() } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /open/app/static/instances': {
    reveals: true,
    request: async ({ instance }) => {
      await instance()
      return {}
    },
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'GET /open/app/static/instances/:instance_no': {
    request: async ({ instance }) => ({ params: { instance_no: await instance() } }),
    expected: unlessForeign('instance_not_found'),
  },
  'GET /open/app/static/order/statistics': {
    reveals: true,
    request: ({ owner }) => ({ query: { user_id: owner.id } }),
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'POST /open/app/static/order/renew': {
    request: async ({ staticOrder }) => ({ body: { order_no: await staticOrder() } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /open/app/static/renewals': {
    reveals: true,
    request: async ({ renewal, owner }) => {
      await renewal()
      return { query: { user_id: owner.id } }
    },
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'POST /open/app/static/renew': {
    request: async ({ instance }) => ({ body: { instances: [await instance()] } }),
    expected: unlessForeign('instance_not_found'),
  },
  'GET /open/app/static/renewals/:renew_order_no': {
    request: async ({ renewal }) => ({ params: { renew_order_no: await renewal() } }),
    expected: unlessForeign('order_not_found'),
  },
  'POST /open/app/static/instances/:instance_no/reset-credentials': {
    request: async ({ instance }) => ({ params: { instance_no: await instance() } }),
    // Proxies of the own stock keep their credentials.
    expected: {
      agent: 'invalid_state',
      rival: 'instance_not_found',
      owner: 'invalid_state',
      foreign: 'instance_not_found',
    },
  },
  'POST /open/app/static/order/:order_no/cancel': {
    request: async ({ staticOrder }) => ({ params: { order_no: await staticOrder() }, body: {} }),
    expected: unlessForeign('order_not_found'),
  },
  'PATCH /open/app/static/order/:order_no/auto-renew': {
    request: async ({ staticOrder }) => ({
      params: { order_no: await staticOrder() },
      body: { auto_renew: true },
    }),
    expected: unlessForeign('order_not_found'),
  },
  'PATCH /open/app/static/auto-renew': {
    request: async ({ instance }) => ({ body: { auto_renew: true, instances: [await instance()] } }),
    expected: unlessForeign('instance_not_found'),
  },
  // Nobody outside could reach the echo of this service, so that nothing can be tested; strangers do not learn even that.
  'POST /open/app/static/links': {
    request: ({ owner }) => ({ body: { userId: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/static/links': { request: () => ({}), expected: everybody('ok') },
  'DELETE /open/app/static/links/:link_id': {
    request: async ({ proxyLink }) => ({ params: { link_id: await proxyLink() } }),
    expected: unlessForeign('route_not_found'),
  },
  'GET /open/app/static/proxies/:token': {
    request: async ({ proxyToken }) => ({ params: { token: await proxyToken() } }),
    expected: everybody('ok'),
  },
  'POST /open/app/static/instances/:instance_no/check': {
    request: async ({ instance }) => ({ params: { instance_no: await instance() } }),
    expected: {
      agent: 'unavailable',
      rival: 'instance_not_found',
      owner: 'unavailable',
      foreign: 'instance_not_found',
    },
  },
  'POST /open/app/static/instances/:instance_no/replace': {
    request: async ({ instance }) => ({
      params: { instance_no: await instance() },
      body: { reason: 'does not connect' },
    }),
    expected: unlessForeign('instance_not_found'),
  },
  'GET /open/app/static/instances/:instance_no/replacements': {
    request: async ({ instance }) => ({ params: { instance_no: await instance() } }),
    expected: unlessForeign('instance_not_found'),
  },
  'GET /open/app/dashboard/info/v2': {
    request: ({ owner }) => ({ query: { target_user_id: owner.id } }),
    expected: OWNER_AND_AGENT,
  },
  'GET /open/app/user/transactions': {
    reveals: true,
    request: () => ({}),
    expected: SHOWN_TO_OWNER_AND_AGENT,
  },
  'GET /transaction/agent/transactions': {
    reveals: true,
    request: () => ({}),
    expected: { agent: 'shown', rival: 'not shown', owner: 'agent_required', foreign: 'agent_required' },
  },
  'GET /usdt/wallet-info': { request: () => ({}), expected: everybody('ok') },
  'POST /usdt/create-order': { request: () => ({ body: { amount: '25' } }), expected: everybody('ok') },
  'GET /usdt/check-status': {
    request: async ({ topUp }) => ({ query: { order_no: await topUp() } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /usdt/orders': { reveals: true, request: () => ({}), expected: SHOWN_TO_OWNER_AND_AGENT },
  'GET /usdt/orders/:order_no': {
    request: async ({ someTopUp }) => ({ params: { order_no: await someTopUp() } }),
    expected: unlessForeign('order_not_found'),
  },
  'GET /gateway/v1/accounts': GATEWAYS_ONLY,
  'POST /gateway/v1/usage': GATEWAYS_ONLY,
  'POST /usdt/claim-transfer': {
    request: async ({ someTopUp }) => ({ body: { order_no: await someTopUp(), tx_hash: 'f'.repeat(64) } }),
    expected: {
      agent: 'validation_error',
      rival: 'order_not_found',
      owner: 'validation_error',
      foreign: 'order_not_found',
    },
  },
  'POST /usdt/cancel-order': {
    request: async ({ topUp }) => ({ body: { order_no: await topUp() } }),
    expected: unlessForeign('order_not_found'),
  },
}

const name = ({ method, path, variants }: Endpoint) =>
  `${method} ${path}${variants ? ` (${variants.join(', ')})` : ''}`

test('For every endpoint it is written down who may use it', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(ENDPOINTS.map(name).toSorted())
})

/** Fields with a secret that its owner is meant to get. */
const HANDED_OUT: Readonly<Record<string, readonly string[]>> = {
  token: ['POST /auth/login', 'PUT /open/app/user/password'],
  password: [
    'GET /gateway/v1/accounts',
    'POST /business/dynamic-proxy/extract (A)',
    'POST /business/dynamic-proxy/extract (B)',
    'POST /open/app/dynamic/extract',
    'GET /open/app/dynamic/sub-accounts (B)',
    'POST /open/app/dynamic/sub-accounts (B)',
    'GET /open/app/dynamic/sub-accounts/:id (B)',
    'POST /open/app/dynamic/sub-accounts/:id/traffic (B)',
    'PATCH /open/app/dynamic/sub-accounts/:id/status (B)',
    'PATCH /open/app/dynamic/sub-accounts/:id/password (B)',
    'GET /open/app/static/instances',
    'GET /open/app/static/instances/:instance_no',
    'GET /open/app/static/orders/:order_no',
    'GET /open/app/static/order/list/v2',
    'PATCH /open/app/static/order/:order_no/auto-renew',
  ],
  // Shown when it is made.
  secret: ['POST /open/app/user/webhooks', 'POST /open/app/user/webhooks/:webhook_id/secret'],
  // A time.
  old_secret_until: [
    'POST /open/app/user/webhooks',
    'GET /open/app/user/webhooks',
    'GET /open/app/user/webhooks/:webhook_id',
    'PATCH /open/app/user/webhooks/:webhook_id',
    'DELETE /open/app/user/webhooks/:webhook_id',
    'POST /open/app/user/webhooks/:webhook_id/secret',
  ],
  // Of deliveries.
  attempts: [
    'POST /open/app/user/webhooks/:webhook_id/test',
    'GET /open/app/user/webhooks/:webhook_id/deliveries',
    'POST /open/app/user/webhooks/:webhook_id/deliveries/:message_id/replay',
  ],
}

test('No answer has a field for what the service keeps to itself', () => {
  // A transaction of the chain is public, and its name is a hash.
  const KEPT = /(?<!^tx_)hash|secret|version|_key$|token$|password|funding|^level$|attempts/i
  const found: Record<string, Set<string>> = {}
  for (const endpoint of ENDPOINTS) {
    for (const variant of Object.values(VARIANTS)) {
      const text = JSON.stringify(
        z.toJSONSchema(answerSchema(endpoint, variant), { io: 'output', unrepresentable: 'any' }),
      )
      JSON.parse(text, (_, value: unknown) => {
        const { properties } = (value ?? {}) as { properties?: object }
        for (const field of Object.keys(properties ?? {}).filter((key) => KEPT.test(key)))
          (found[field] ??= new Set()).add(name(endpoint))
        return value
      })
    }
  }
  expect(
    Object.fromEntries(Object.entries(found).map(([field, endpoints]) => [field, [...endpoints].toSorted()])),
  ).toEqual(
    Object.fromEntries(Object.entries(HANDED_OUT).map(([field, endpoints]) => [field, endpoints.toSorted()])),
  )
})

/** All roles, with something of the owner in every list. */
async function stage() {
  const api = await openShop()
  const begun = api.clock.now()
  const agent = await api.agent({ name: 'own-agent', balance: 100_000 })
  const rival = await api.agent({ name: 'rival', balance: 1000 })
  const owner = await api.customer(agent, { name: OWNER })
  const foreign = await api.customer(rival, { name: 'foreign', balance: 1000 })
  const [disabled, deleted, inactive] = [
    await api.customer(agent, { name: 'disabled' }),
    await api.customer(agent, { name: 'deleted' }),
    await api.customer(agent, { name: 'inactive' }),
  ]
  await api.core.accounts.adjustSubUserBalance(agent, owner.id, { amount: 10_000, remark: 'test' })
  await api.core.accounts.setSubUserStatus(agent, disabled.id, { status: 'disabled' })
  await api.core.accounts.deleteSubUser(agent, deleted.id)
  await api.db.write((tx) => tx.account.update({ where: { id: inactive.id }, data: { activated: false } }))
  await api.product('static', { assignIpSupported: true })
  await api.stock('static', 300)
  await api.product('dynamic', { proxyType: 104, pool: 'dynamic_2' })

  const tokens = new Tokens(JWT_SECRET, 86_400, api.clock)
  const actors: Readonly<Record<Exclude<Role, 'anonymous'>, Actor>> = {
    agent,
    rival,
    owner,
    foreign,
    disabled,
    deleted,
    inactive,
  }
  const headersOf = (role: Role): Record<string, string> =>
    role === 'anonymous' ? {} : { authorization: `Bearer ${tokens.issue(actors[role].id, 1)}` }

  /** So much the agent has earned by the owner, and it is available. */
  const earning = async () => {
    await api.core.earnings.setPrice(agent, { userId: owner.id, productNo: 'dynamic', price: 6 })
    await api.buyTraffic(owner, { poolId: 'dynamic', trafficAmount: 2 })
    return 10
  }
  let names = 0
  const newName = () => `new-${(names += 1)}`
  const made = {
    owner,
    newName,
    /** Another sub-user of the agent, for what would leave the owner without an account. */
    subUser: async () => (await api.customer(agent, { name: newName() })).id,
    /** A price of the agent for the owner; answers whose. */
    price: async () =>
      (await api.core.earnings.setPrice(agent, { userId: owner.id, markupPercent: 50 })).userId ?? 0,
    earning,
    payout: async () => {
      const amount = await earning()
      return (await api.core.earnings.requestPayout(agent, { amount, address: ADDRESS })).payout.payoutNo
    },
    apiKey: async () => (await api.core.apiKeys.create(owner, { name: 'robot', scopes: ['read'] })).id,
    /** A webhook of the owner that is on. */
    webhook: async () => {
      const { items } = await api.core.webhooks.list(owner)
      const on = items.find(({ status }) => status === 'active')
      return (on ?? (await api.core.webhooks.create(owner, { url: 'https://example.com/hook' }))).id
    },
    proxyLink: async () => (await api.core.orders.createLink(owner, {})).id,
    proxyToken: async () => (await api.core.orders.createLink(owner, {})).token,
    joinLink: async () => (await api.core.accounts.createJoinLink(agent, {})).id,
    promoCode: async () => (await api.core.promotions.create(agent, { percent: 10 })).code,
    /** An order of the owner that has been delivered. */
    staticOrder: async () => {
      const { orderNo } = await api.order(owner)
      await api.runJobs()
      return orderNo
    },
    renewal: async () => {
      const { orderNo } = await api.order(owner)
      await api.runJobs()
      return (await api.core.orders.renewStatic(owner, { order: { orderNo } })).renewOrderNo
    },
    /** Number of a proxy of the owner. */
    instance: async () => {
      const { orderNo } = await api.order(owner)
      await api.runJobs()
      const order = await api.core.orders.getStatic(owner, { orderNo })
      return order.instances[0]?.instanceNo ?? ''
    },
    dynamicOrder: async () => {
      const input = { poolId: 'dynamic', trafficAmount: 1, userId: owner.id }
      return (await api.core.orders.createDynamic(owner, input)).order
    },
    subAccount: async () => {
      const input = { productNo: 'dynamic', remark: OWNER }
      return (await api.core.traffic.createSubAccount(owner, input)).id
    },
    /** A top-up of the owner that awaits its payment; the one before is cancelled, because three of them are too many. */
    topUp: async () => {
      for (const { orderNo } of (await api.core.topUps.list(owner, { status: 'pending' })).items)
        await api.core.topUps.cancel(owner, orderNo)
      return (await api.core.topUps.create(owner, { amount: '20' })).topUp.orderNo
    },
    /** As it may be seen, whatever its state is: a new one for each role would be too many. */
    someTopUp: async () => (await api.core.topUps.list(owner)).items[0]?.orderNo ?? made.topUp(),
    /** Token of a link under which everybody can fetch credentials of the owner. */
    publicLink: async () => {
      const input = { productNo: 'dynamic', extractConfig: { method: 'api' as const } }
      return (await api.core.traffic.extract(owner, 'any', input)).linkToken ?? ''
    },
  }
  await made.staticOrder()
  await made.dynamicOrder()
  await made.subAccount()
  return { ...api, ...made, begun, headersOf }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** Sent along with every body; nothing of it may ever be taken over. */
const SMUGGLED = {
  id: 1,
  role: 'agent',
  level: 9,
  funding: 'mint',
  agent_id: 1,
  agentId: 1,
  total_recharge: 1e6,
  totalRecharge: 1e6,
  token_version: 9,
  tokenVersion: 9,
  password_hash: 'x',
  passwordHash: 'x',
  activated: false,
  created_at: '2000-01-01T00:00:00.000Z',
}

/** What all endpoints that want a token say to those who have none that is good. */
const REFUSED: Readonly<Partial<Record<Role, Outcome>>> = {
  anonymous: 'token_missing',
  disabled: 'account_disabled',
  deleted: 'user_not_found',
  inactive: 'account_not_activated',
}

test('Everybody gets what is written down, and nothing else', async () => {
  const scene = await stage()
  const found: Record<string, Record<string, Outcome>> = {}
  const expected: Record<string, Record<string, Outcome>> = {}
  for (const endpoint of ENDPOINTS) {
    const wanted = CASES[name(endpoint)]
    if (!wanted) continue
    const outcomes: Record<string, Outcome> = {}
    for (const role of ROLES) outcomes[role] = await outcomeFor(role, endpoint, wanted)
    found[name(endpoint)] = outcomes
    const asOwner = Object.fromEntries(Object.keys(REFUSED).map((role) => [role, wanted.expected.owner]))
    const strangers = endpoint.public
      ? asOwner
      : endpoint.gateway
        ? { ...asOwner, anonymous: 'token_missing' }
        : REFUSED
    expected[name(endpoint)] = { ...wanted.expected, ...strangers }
  }
  expect(found).toEqual(expected)
  await scene.audited()
  const accounts = await scene.db.read.account.findMany()
  for (const { username, role, level, funding, agentId, activated, tokenVersion, createdAt } of accounts) {
    const isAgent = username === 'own-agent' || username === 'rival'
    expect({ username, role, level, funding, agent: agentId !== null, activated, createdAt }).toEqual({
      username,
      role: isAgent ? 'agent' : 'user',
      level: isAgent ? 1 : null,
      funding: isAgent ? 'transfer' : null,
      agent: !isAgent,
      activated: username !== 'inactive',
      createdAt: scene.begun,
    })
    expect(tokenVersion).toBeLessThanOrEqual(2)
  }

  async function outcomeFor(role: Role, endpoint: Endpoint, wanted: Case): Promise<Outcome> {
    const { params = {}, query = {}, body } = await wanted.request(scene)
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
      const value = params[parameter]
      if (value === undefined) throw new Error(`${name(endpoint)}: the case has no ${parameter}`)
      return String(value)
    })
    const search = Object.entries(query).map(([key, value]) => `${key}=${value}`)
    const response = await scene.server.inject({
      method: endpoint.method,
      url: `${endpoint.variants?.includes('A') === false ? '/b/api' : '/a/api'}${path}?${search.join('&')}`,
      headers: scene.headersOf(role),
      ...(body && { payload: { ...SMUGGLED, ...body } }),
    })
    if (!String(response.headers['content-type']).startsWith('application/json'))
      return response.statusCode === 200 ? 'ok' : `status ${response.statusCode}`
    const { error, data } = response.json<Answer['body']>()
    if (error !== undefined) return error
    return wanted.reveals ? shown(data) : 'ok'
  }
})

/** Whether an answer has something of the owner: its name, or a number of orders above 0 where there are numbers only. */
function shown(data: object): Outcome {
  const text = JSON.stringify(data)
  return text.includes(OWNER) || ('total' in data && !('items' in data) && data.total !== 0)
    ? 'shown'
    : 'not shown'
}
