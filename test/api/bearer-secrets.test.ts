import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { BEARER_SECRETS, type Loss } from '../../src/core/access/bearer-secrets.ts'
import type { SecretKind } from '../../src/core/ended-secrets.ts'
import type { Mailer } from '../../src/core/accounts/activation-mail.ts'
import { handle } from '../../src/core/job-handlers.ts'
import { type Operator, SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal, openApi } from '../support/api.ts'
import { gatewayOf } from '../support/gateway-wire.ts'
import { outside, PASSWORD } from '../support/service.ts'

const REASON = { reason: 'of the test' }
const CLIENT = '203.0.113.9'
/** Telegram users, and their private chats. */
const [ANN, MAX, STRANGER] = [701, 702, 703]

/** Whether a secret opens what it opens, as of now. */
type Works = () => Promise<boolean>

const worked = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    (result) => result !== undefined,
    () => false,
  )

/**
 * Ann, a customer of the agent `old`, who chose her password, with a proxy and traffic; Bea, who waits for her activation; and Max, a
 * manager.
 */
async function shop() {
  const mails: string[] = []
  const mailer: Mailer = {
    sendActivation: async ({ link }) => {
      mails.push(link)
      return { status: 'sent' }
    },
  }
  const api = await openApi({ mailer })
  const { core, db, server } = api
  const old = await api.agent({ name: 'old', balance: 100 })
  await api.agent({ name: 'next' })
  const ann = await api.customer(old, { name: 'ann', balance: 100 })
  const bea = await core.accounts.createSubUser(old, {
    username: 'bea',
    password: PASSWORD,
    email: 'bea@example.com',
  })
  for (const chat of [ANN, MAX, STRANGER]) await core.chats.session(chat, 'en')
  await api.product()
  await api.stock('static', 2)
  await api.order(ann)
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  await api.buyTraffic(ann)
  await api.runJobs()
  await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: 700 })
  const { id } = await core.operator.people.add(SHELL, { name: 'Max', role: 'owner', telegramId: MAX })
  const max: Operator = { person: { id, name: 'Max', role: 'owner' }, via: 'chat', chat: MAX, telegram: MAX }

  const opens = async (path: string) => {
    const { statusCode } = await server.inject({ method: 'GET', url: path, remoteAddress: CLIENT })
    return statusCode === 200
  }
  const enters = (username: string, password = PASSWORD) =>
    worked(core.accounts.logIn({ username, password, address: CLIENT }))
  const gateway = gatewayOf(api)
  /** What gateways let in: passwords, and addresses of clients. */
  const letIn = async () => {
    const { accounts } = await gateway.page()
    const { username } = await db.read.traffic.findFirstOrThrow({ where: { userId: ann.id } })
    const main = accounts.find((account) => account.username === username)
    return main?.status === 'active' ? main : undefined
  }
  /** Secrets of each kind, made by somebody; each is made in the order of this table. */
  const makers = (maker: typeof old, by: Operator) =>
    ({
      api_key: async () => {
        const { key } = await core.apiKeys.create(ann, { name: 'key', scopes: ['read'] })
        return () => worked(core.accounts.authenticate(key, { address: CLIENT, scope: 'read' }))
      },
      webhook: async () => {
        const { id } = await core.webhooks.create(ann, { url: 'https://hooks.example.com/' })
        await core.webhooks.test(ann, id)
        return async () => (await core.webhooks.lanes()).some((lane) => lane.id === id)
      },
      activation_link: async () => {
        const handlers = core.jobs.handlers(outside())
        for (const job of await core.jobs.queue.claim(32, 1000)) await handle(handlers, job)
        const token = new URL(mails.at(-1) ?? '').searchParams.get('token') ?? ''
        return () => worked(core.accounts.activate(token))
      },
      invitation: async () => {
        const { token } =
          by === SHELL
            ? await core.accounts.createInvite(old, ann.id)
            : await core.operator.customers.link(by, { username: 'ann', ...REASON })
        return () => worked(core.chats.openInvite(STRANGER, token))
      },
      person_link: async () => {
        const { start } = await core.operator.people.invite(by, { name: 'Zoe', role: 'owner' })
        const token = start.slice('staff_'.length)
        return () => worked(core.people.openInvite({ chatId: STRANGER, telegramId: STRANGER }, token))
      },
      web_log_in: async () => {
        const { code } = await core.operator.webLogIns.offer(max)
        const { token } = await core.people.openLogIn(code, 'a browser')
        return () => worked(core.people.operatorOfToken(token))
      },
      join_link: async () => {
        const { start } = await core.accounts.createJoinLink(maker, {})
        return () => worked(core.accounts.joinOffer(STRANGER, start.slice('join_'.length)))
      },
      proxy_link: async () => {
        const { token } = await core.orders.createLink(maker, { userId: ann.id })
        return () => opens(`/api/open/app/static/proxies/${token}`)
      },
      extraction_link: async () => {
        const { linkToken } = await core.traffic.extract(maker, 'any', {
          userId: ann.id,
          extractConfig: { method: 'api' },
        })
        return () => opens(`/api/open/app/dynamic/extract/${linkToken}`)
      },
      allowed_address: async () => {
        const list = { productNo: 'traffic', userId: ann.id, addresses: [CLIENT] }
        await core.traffic.setAllowList(maker, list)
        return async () => (await letIn())?.allow.length === 1
      },
      gateway_password: async () => {
        const before = await letIn()
        return async () => (await letIn())?.password === before?.password
      },
      password: async () => () => enters('ann'),
      log_in: async () => {
        const { token } = await core.accounts.logIn({ username: 'ann', password: PASSWORD, address: CLIENT })
        return () => worked(core.accounts.authenticate(token))
      },
    }) satisfies Record<SecretKind, () => Promise<Works>>
  return { ...api, old, ann, bea, max, makers, enters }
}

type World = Awaited<ReturnType<typeof shop>>

interface Case {
  /** Makes the loss happen. */
  readonly lose: (world: World) => Promise<unknown>
  /** Ends it again, where it lasts for a while. */
  readonly undo?: (world: World) => Promise<unknown>
}

const LOSSES: Readonly<Record<Exclude<Loss, 'key_revoked'>, Case>> = {
  move: {
    lose: async ({ core }) => {
      for (const username of ['ann', 'bea'])
        await core.operator.customers.move(SHELL, { username, agent: 'next', ...REASON })
    },
  },
  new_password: {
    lose: async ({ core, old, ann, bea }) => {
      for (const { id } of [ann, bea]) await core.accounts.editSubUserAccount(old, id, { password: PASSWORD })
    },
  },
  new_link: { lose: ({ core, old, ann }) => core.accounts.createInvite(old, ann.id) },
  log_out: {
    lose: async ({ core }) => {
      for (const username of ['ann', 'bea'])
        await core.operator.customers.logOut(SHELL, { username, ...REASON })
    },
  },
  disabling: {
    lose: ({ core, old, ann }) => core.accounts.setSubUserStatus(old, ann.id, { status: 'disabled' }),
    undo: ({ core, old, ann }) => core.accounts.setSubUserStatus(old, ann.id, { status: 'active' }),
  },
  deletion: {
    lose: async ({ core, old, ann, bea }) => {
      for (const { id } of [ann, bea]) await core.accounts.deleteSubUser(old, id)
    },
  },
  agent_disabled: {
    lose: ({ core }) => core.operator.editAgent(SHELL, 'old', { enabled: false }),
    undo: ({ core }) => core.operator.editAgent(SHELL, 'old', { enabled: true }),
  },
  person: { lose: ({ core }) => core.operator.people.edit(SHELL, 'Max', { role: 'support' }) },
}

const KINDS = Object.keys(BEARER_SECRETS) as SecretKind[]
/** Of these a use would change what comes after. */
const ONCE: readonly SecretKind[] = ['activation_link', 'invitation', 'person_link']

function effect(kind: SecretKind, loss: Loss): 'ends' | 'refused' | 'stays' {
  const { ends, refused }: { ends: object; refused: readonly Loss[] } = BEARER_SECRETS[kind]
  return loss in ends ? 'ends' : refused.includes(loss) ? 'refused' : 'stays'
}

for (const [loss, { lose, undo }] of Object.entries(LOSSES) as [keyof typeof LOSSES, Case][]) {
  test(`each secret that another one made does what the table says of: ${loss}`, async () => {
    const world = await shop()
    const made = world.makers(world.old, loss === 'person' ? world.max : SHELL)
    const secrets: { kind: SecretKind; works: Works }[] = []
    for (const kind of KINDS) secrets.push({ kind, works: await made[kind]() })
    for (const { kind, works } of secrets)
      if (!ONCE.includes(kind)) expect([kind, await works()]).toEqual([kind, true])
    await lose(world)
    // The log-in of a person is that in its own chat, which has a test of its own.
    const walked = secrets.filter(({ kind }) => !(loss === 'person' && kind === 'log_in'))
    for (const { kind, works } of walked)
      if (!undo || !ONCE.includes(kind) || effect(kind, loss) !== 'stays')
        expect([kind, await works()]).toEqual([kind, effect(kind, loss) === 'stays'])
    if (!undo) return
    await undo(world)
    for (const { kind, works } of walked)
      expect([kind, await works()]).toEqual([kind, effect(kind, loss) !== 'ends'])
  })
}

test('a revoked key takes along the links and addresses that were made with it; an expired one the links', async () => {
  const world = await shop()
  const { core, old, clock } = world
  const scopes = ['read', 'orders', 'traffic', 'sub-users'] as const
  const byKey = async (days?: number) => {
    const made = await core.apiKeys.create(old, { name: 'key', scopes: [...scopes], days })
    const actor = await core.accounts.authenticate(made.key, { address: CLIENT, scope: 'read' })
    return { ...made, makers: world.makers(actor, SHELL) }
  }
  const kinds = KINDS.filter((kind) => effect(kind, 'key_revoked') === 'ends')
  expect(kinds).toEqual(['join_link', 'proxy_link', 'extraction_link', 'allowed_address'])
  const revoked = await byKey()
  const secrets: Works[] = []
  for (const kind of kinds) secrets.push(await revoked.makers[kind]())
  expect(await Promise.all(secrets.map((works) => works()))).toEqual([true, true, true, true])
  await core.apiKeys.revoke(old, revoked.id)
  expect(await Promise.all(secrets.map((works) => works()))).toEqual([false, false, false, false])

  const expiring = await byKey(1)
  const link = await expiring.makers.proxy_link()
  expect(await link()).toBe(true)
  clock.advance(25 * 3_600_000)
  expect(await link()).toBe(false)
})

test('a customer who chose its password keeps what it made since then when it is moved', async () => {
  const world = await shop()
  const { core, old, ann, db } = world
  const by = { password: 'chosen-by-ann' }
  const early = await core.orders.createLink(ann, {})
  world.clock.advance(1000)
  await core.accounts.changePassword(ann, undefined, { oldPassword: PASSWORD, newPassword: by.password })
  world.clock.advance(1000)
  const own = world.makers(ann, SHELL)
  const made = {
    proxy: await own.proxy_link(),
    traffic: await own.extraction_link(),
    key: await own.api_key(),
  }
  const { token } = await core.accounts.logIn({ username: 'ann', ...by, address: CLIENT })
  const agents = await world.makers(old, SHELL).proxy_link()

  const { ended } = await core.operator.customers.move(SHELL, { username: 'ann', agent: 'next', ...REASON })
  expect(ended).toEqual({ proxy_link: 2, gateway_password: 1 })
  expect([await made.proxy(), await made.traffic(), await made.key(), await agents()]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(await db.read.proxyLink.count({ where: { id: early.id } })).toBe(0)
  expect(await world.enters('ann', by.password)).toBe(true)
  expect((await core.accounts.authenticate(token)).username).toBe('ann')
})

test('whoever loses the right to make links is out of the accounts that they opened with their own', async () => {
  const { core, max } = await shop()
  const { token } = await core.operator.customers.link(max, { username: 'ann', ...REASON })
  await core.chats.openInvite(MAX, token)
  const { token: other } = await core.operator.customers.link(max, { username: 'ann', ...REASON })
  await core.chats.openInvite(ANN, other)
  await core.operator.people.remove(SHELL, 'Max')
  expect((await core.chats.session(MAX, 'en')).actor).toBeUndefined()
  expect((await core.chats.session(ANN, 'en')).actor?.username).toBe('ann')
})

test('what nobody in particular made in a chat ends with the first person', async () => {
  const { core } = await openApi()
  const anybody: Operator = { person: null, via: 'chat', chat: -1 }
  const [first, second] = await Promise.all(
    ['Max', 'Zoe'].map((name) => core.operator.people.invite(anybody, { name, role: 'owner' })),
  )
  const open = (id: number, start = '') =>
    worked(core.people.openInvite({ chatId: id, telegramId: id }, start.slice('staff_'.length)))
  expect(await open(MAX, first?.start)).toBe(true)
  expect(await open(STRANGER, second?.start)).toBe(false)
})

test('a link to proxies takes a key that may read them, too', async () => {
  const { core, ann, call } = await shop()
  const tries = async (scopes: readonly ('orders' | 'read')[]) => {
    const { key } = await core.apiKeys.create(ann, { name: 'key', scopes: [...scopes] })
    const headers = { authorization: `Bearer ${key}` }
    return call('POST', '/open/app/static/links', { payload: {}, headers })
  }
  const [without, writing] = [await tries(['orders']), await tries(['read'])]
  expectRefusal(without, 403, 'scope_missing')
  expectRefusal(writing, 403, 'scope_missing')
  expect([without.body.data, writing.body.data]).toEqual([{ scope: 'read' }, { scope: 'orders' }])
  expect((await tries(['orders', 'read'])).status).toBe(200)
})

test('the rules have the table of the code', async () => {
  const rules = await readFile(new URL('../../docs/rules.md', import.meta.url), 'utf8')
  const [, section = ''] = /### 2\.28 [^]*?\n\n(\|[^]*?)\n\n/.exec(rules) ?? []
  const rows = section
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const columns: readonly Loss[] = [
    'move',
    'new_password',
    'new_link',
    'log_out',
    'disabling',
    'deletion',
    'agent_disabled',
    'key_revoked',
    'person',
  ]
  expect(rows.map(([kind, , , ...cells]) => [kind, ...cells])).toEqual(
    KINDS.map((kind) => [`\`${kind}\``, ...columns.map((loss) => effect(kind, loss).replace('stays', ''))]),
  )
})
