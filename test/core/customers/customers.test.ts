import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, PASSWORD, refused } from '../../support/service.ts'

const WHY = { reason: 'as asked on the phone' }

test('after a move the new agent earns, and what was bought before stays that of the old one, refunds included', async () => {
  const service = await openService({ operatorChats: [7] })
  const { core, db, order, product, stock, runJobs, audited, balance } = service
  const { customers, orders } = core.operator
  const [old, next] = [
    await service.agent({ name: 'old', balance: 50 }),
    await service.agent({ name: 'next' }),
  ]
  const ann = await service.customer(old, { name: 'ann', balance: 100 })
  await core.accounts.adjustSubUserBalance(old, ann.id, { amount: 10, remark: 'from the old agent' })
  await product('static', { price: 10 })
  await stock('static', 9)
  await core.earnings.setPrice(old, { userId: ann.id, markupPercent: 20 })
  await core.earnings.setPrice(next, { markupPercent: 50 })
  await core.support.setTakesTickets(old, true)
  const ticketNo = await core.support.open(ann, { text: 'my proxy is slow', source: '1' })
  const before = await order(ann)
  await runJobs()
  const pending = async (id: number) =>
    Number((await db.read.account.findUniqueOrThrow({ where: { id } })).earningPending) / 1e6

  await refused(customers.move(SHELL, { ...WHY, username: 'ann', agent: 'old' }), 'validation_error')
  await refused(customers.move(SHELL, { ...WHY, username: 'next', agent: 'old' }), 'validation_error')
  await refused(customers.move(SHELL, { ...WHY, username: 'ann', agent: 'ann' }), 'agent_required')
  await refused(customers.move(SHELL, { reason: ' ', username: 'ann', agent: 'next' }), 'validation_error')
  await core.accounts.askForMoney(ann, 1_000_000)
  const moved = await customers.move(SHELL, { ...WHY, username: 'ann', agent: 'next' })
  expect(moved).toEqual({ id: ann.id, from: 'old', to: 'next', ended: { password: 1, log_in: 1 } })

  // Also by requests that were authenticated before the move.
  expect(await core.accounts.askForMoney(ann, 1_000_000)).toMatchObject({ agent: 'next' })
  expect(
    (await db.read.moneyRequest.findMany({ orderBy: { id: 'asc' } })).map(({ status }) => status),
  ).toEqual(['over', 'open'])
  const after = await order(ann)
  await runJobs()
  expect([await pending(old.id), await pending(next.id)]).toEqual([2, 5])
  expect(await balance(ann)).toBe(110 - 12 - 15)
  expect((await core.earnings.listPrices(old)).map(({ userId }) => userId)).toEqual([])
  await refused(core.orders.getStatic(old, before), 'order_not_found')
  expect((await core.orders.listStatic(next)).items).toHaveLength(2)
  await orders.refund(SHELL, { ...WHY, ...before })
  expect([await pending(old.id), await pending(next.id)]).toEqual([0, 5])
  await orders.refund(SHELL, { ...WHY, orderNo: after.orderNo, amount: 7.5 })
  expect([await pending(old.id), await pending(next.id)]).toEqual([0, 2.5])
  expect(await balance(ann)).toBe(110 - 12 - 15 + 12 + 7.5)

  // Records from before stay with the old agent, the ticket goes to the shop.
  const records = async (agent: typeof old) =>
    (await core.records.agentTransactions(agent, { types: ['consumption', 'transfer_in'] })).items
  expect((await records(old)).map(({ orderNo, remark }) => orderNo ?? remark)).toEqual([
    before.orderNo,
    'from the old agent',
  ])
  expect((await records(next)).map(({ orderNo }) => orderNo)).toEqual([after.orderNo])
  expect((await core.operator.support.read(ticketNo)).agentId).toBeNull()
  expect((await core.operator.trail.list({ action: 'customer' })).items).toMatchObject([
    { action: 'customer.move', subject: 'ann', details: { from: 'old', to: 'next', ...WHY } },
  ])
  await audited()
  // There and back again: the books follow each step.
  await customers.move(SHELL, { ...WHY, username: 'ann', agent: null })
  await core.operator.adjustBalance(SHELL, { username: 'ann', amount: 1, remark: 'of the shop' })
  await customers.move(SHELL, { ...WHY, username: 'ann', agent: 'old' })
  await audited()
  await db.write((tx) => tx.agentMove.deleteMany({ where: { accountId: ann.id } }))
  expect(await core.operator.audit()).toContainEqual(
    expect.objectContaining({ rule: 'every entry stands in the records of its account and its agent' }),
  )
})

test('a customer is created, let in by a link, logged out, disabled, and deleted', async () => {
  const service = await openService()
  const { core, agent, customer, balance, audited } = service
  const { customers, trail } = core.operator
  const boss = await agent({ name: 'boss', balance: 20 })
  const ben = await customers.create(SHELL, { username: 'ben', agent: 'BOSS', balance: 5, remark: 'vip' })
  await customers.create(SHELL, {
    username: 'direct',
    email: 'd@example.com',
    password: PASSWORD,
    balance: 3,
  })
  await refused(customers.create(SHELL, { username: 'Ben' }), 'username_taken')
  await refused(customers.create(SHELL, { username: 'x1x', agent: 'ben' }), 'agent_required')
  expect(await customers.show('BEN')).toMatchObject({ agent: 'boss', balance: 5_000_000, remark: 'vip' })
  expect(await balance(boss)).toBe(20)

  const { token } = await customers.link(SHELL, { ...WHY, username: 'ben' })
  await core.chats.session(9, 'en')
  const inside = await core.chats.openInvite(9, token)
  expect(inside?.username).toBe('ben')
  await core.accounts.setInvitedPassword(inside ?? boss, 9, { token, password: PASSWORD })
  const logIn = () => core.accounts.logIn({ username: 'ben', password: PASSWORD, address: 'test' })
  const { token: access } = await logIn()
  expect(await customers.chats('ben')).toMatchObject([{ id: 9 }])
  await customers.logOut(SHELL, { ...WHY, username: 'ben' })
  await refused(core.accounts.authenticate(access), 'token_invalid')
  expect(await customers.chats('ben')).toEqual([])
  expect(await core.chats.session(9, 'en')).toMatchObject({ actor: undefined, ended: undefined })
  await expect(logIn()).resolves.toBeDefined()

  expect(await customers.disable(SHELL, { ...WHY, username: 'ben' })).toBe(true)
  expect(await customers.disable(SHELL, { ...WHY, username: 'ben' })).toBe(false)
  await refused(logIn(), 'account_disabled')
  await refused(customers.link(SHELL, { ...WHY, username: 'ben' }), 'account_disabled')
  await customers.enable(SHELL, { ...WHY, username: 'ben' })
  await refused(customers.disable(SHELL, { ...WHY, username: 'boss' }), 'validation_error')
  await customers.delete(SHELL, { ...WHY, username: 'ben' })
  await customers.delete(SHELL, { ...WHY, username: 'direct' })
  expect([await balance(boss), await balance({ ...boss, id: ben.id })]).toEqual([25, 0])
  expect(await customers.show('direct')).toMatchObject({ status: 'deleted', balance: 3_000_000 })
  await refused(customers.delete(SHELL, { ...WHY, username: 'ben' }), 'user_not_found')
  await refused(customers.show('nobody'), 'user_not_found')

  const { items } = await trail.list({ subject: 'ben' })
  expect(items.map(({ action }) => action).toReversed()).toEqual(
    'create link logout disable enable delete'.split(' ').map((action) => `customer.${action}`),
  )
  expect(items[0]?.details).toEqual({ ...WHY, returned: 5 })
  expect(JSON.stringify(items)).not.toContain(token)
  await customer(null)
  await audited()
})

test('a proxy of the own stock gets other credentials in use, and the customer is told', async () => {
  const service = await openService()
  const { core, db, stock, product, order, runJobs } = service
  const ann = await service.customer(null, { name: 'ann', balance: 10 })
  await product()
  await stock('static', 2)
  const { orderNo } = await order(ann, { ipCount: 2 })
  await runJobs()
  await core.chats.session(9, 'en')
  await core.chats.logIn(9, { username: 'ann', password: PASSWORD })
  const [proxy] = (await core.orders.getStatic(ann, { orderNo })).instances
  const instanceNo = proxy?.instanceNo ?? ''
  const give = (input: object) =>
    core.operator.orders.giveCredentials(SHELL, { instanceNo, ...WHY, ...input })
  await refused(give({}), 'validation_error')
  expect(await give({ password: 'another-secret' })).toMatchObject({ changed: true, username: 'ann' })
  const { instance, credentials } = await core.operator.orders.proxy(instanceNo)
  expect(instance).toMatchObject({ username: 'u0', password: 'another-secret' })
  expect(credentials).toBe('stock')
  const held = await db.read.stockIp.findUniqueOrThrow({ where: { id: Number(instance.providerInstanceNo) } })
  expect(held.password).toBe('another-secret')
  expect(await db.read.notice.count({ where: { kind: 'credentials_changed' } })).toBe(1)
  expect(JSON.stringify((await core.operator.trail.list({ action: 'proxy' })).items)).not.toContain('secret')
  await core.operator.orders.refund(SHELL, { orderNo, ...WHY, release: true })
  await refused(give({ password: 'too-late-now' }), 'invalid_state')
})
