import { expect, test } from 'vitest'
import type { SecurityEvent } from '../../../src/core/access/security-log.ts'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, PASSWORD, refused } from '../../support/service.ts'

const from = '192.0.2.7'

async function openLogged() {
  const lines: SecurityEvent[] = []
  const service = await openService({ securityLog: (line) => lines.push(line) })
  const owner = { ...(await service.agent({ balance: 100 })), origin: from }
  const taken = () => lines.splice(0)
  taken()
  return { ...service, owner, taken }
}

test('What an agent does to sub-users is a line for each of them, with who did it from where', async () => {
  const { core, owner, customer, taken } = await openLogged()
  const { accounts } = core
  const by = { account: owner.id, from }
  const dora = { username: 'dora', password: 'secret-of-dora', balance: 3, requestKey: 'one-creation' }
  const { id } = await accounts.createSubUser(owner, dora)
  await accounts.createSubUser(owner, dora)
  expect(taken()).toEqual([{ event: 'sub_user_created', ...by, target: id, amount: 3 }])
  const { users } = await accounts.createSubUsers(owner, [
    { username: 'eva' },
    { username: 'fred', balance: 2 },
  ])
  const [eva = 0, fred = 0] = users.map((created) => created.id)
  expect(taken()).toEqual([
    { event: 'sub_user_created', ...by, target: eva },
    { event: 'sub_user_created', ...by, target: fred, amount: 2 },
  ])

  const fee = { amount: -1, remark: 'fee', requestKey: 'one-fee' }
  const { transactionNo: transaction } = await accounts.adjustSubUserBalance(owner, id, fee)
  await accounts.adjustSubUserBalance(owner, id, fee)
  await refused(accounts.adjustSubUserBalance(owner, id, { amount: -9, remark: null }), 'balance_below_zero')
  expect(taken()).toEqual([{ event: 'balance_adjusted', ...by, target: id, transaction, amount: -1 }])
  const gift = { userIds: [eva, id], amount: 2, remark: null, requestKey: 'one-gift' }
  await accounts.adjustSubUsers(owner, gift)
  await accounts.adjustSubUsers(owner, gift)
  expect(taken()).toEqual([
    { event: 'balance_adjusted', ...by, target: id, amount: 2 },
    { event: 'balance_adjusted', ...by, target: eva, amount: 2 },
  ])
  const poor = await customer(owner)
  await accounts.askForMoney(poor, 4_000_000)
  for (let time = 1; time <= 2; time += 1) await accounts.giveAskedMoney(owner, 1)
  expect(taken()).toEqual([{ event: 'balance_adjusted', ...by, target: poor.id, amount: 4 }])

  await accounts.editSubUserAccount(owner, id, { username: undefined, password: 'next-password' })
  await refused(accounts.editSubUserAccount(owner, id, { username: 'eva' }), 'username_taken')
  expect(taken()).toEqual([{ event: 'sub_user_account_edited', ...by, target: id, changed: ['password'] }])
  for (let time = 1; time <= 2; time += 1) await accounts.setSubUserStatus(owner, id, { status: 'disabled' })
  await accounts.setSubUsersStatus(owner, { userIds: [id, eva, 999], status: 'active' })
  expect(taken()).toEqual([
    { event: 'sub_user_status_set', ...by, target: id, status: 'disabled' },
    { event: 'sub_user_status_set', ...by, target: id, status: 'disabled' },
    { event: 'sub_user_status_set', ...by, target: id, status: 'active' },
    { event: 'sub_user_status_set', ...by, target: eva, status: 'active' },
    { event: 'sub_user_status_set', ...by, target: 999, status: 'active' },
  ])
  await accounts.adjustSubUserBalance(owner, fred, { amount: -2, remark: null })
  taken()
  await accounts.deleteSubUser(owner, fred)
  await refused(accounts.deleteSubUser(owner, fred), 'sub_user_not_found')
  await accounts.deleteSubUser(owner, id)
  expect(taken()).toEqual([
    { event: 'sub_user_deleted', ...by, target: fred },
    { event: 'sub_user_deleted', ...by, target: id, amount: -4 },
  ])
})

test('Links, log-ins and passwords of an account', async () => {
  const { core, owner, customer, taken } = await openLogged()
  const { accounts, chats } = core
  for (const chat of [700, 701]) await chats.session(chat, 'en')
  const by = { account: owner.id, from }
  const { id } = await customer(owner)
  const { token } = await accounts.createInvite(owner, id)
  const actor = await chats.openInvite(700, token)
  expect(await chats.openInvite(700, token)).toBeUndefined()
  await accounts.setInvitedPassword({ ...owner, ...actor }, 700, { token, password: 'my-own-password' })
  expect(taken()).toEqual([
    { event: 'invite_created', ...by, target: id },
    { event: 'invite_opened', account: id, from: 'chat 700' },
    { event: 'password_changed', account: id, from: 'chat 700' },
  ])
  const terms = { trial: 5, requestKey: 'one-link' }
  const { start, id: link } = await accounts.createJoinLink(owner, terms)
  await accounts.createJoinLink(owner, terms)
  const newcomer = { token: start.slice('join_'.length), username: 'newcomer' }
  const joined = await chats.join(701, newcomer)
  await chats.join(701, newcomer)
  await accounts.revokeJoinLink(owner, link)
  await refused(accounts.revokeJoinLink(owner, 999), 'join_link_not_found')
  expect(taken()).toEqual([
    { event: 'join_link_created', ...by },
    { event: 'sub_user_joined', account: joined.id, from: 'chat 701', amount: 5 },
    { event: 'sub_user_joined', account: joined.id, from: 'chat 701' },
    { event: 'join_link_revoked', ...by },
  ])
  const session = await accounts.logIn({ username: owner.username, password: PASSWORD, address: from })
  await accounts.logOut(owner, session.token)
  await accounts.endDevice(owner, 702)
  await accounts.endOtherDevices(owner, undefined)
  const change = { oldPassword: PASSWORD, newPassword: 'another-password' }
  await accounts.changePasswordForToken(owner, change)
  await refused(accounts.changePassword(owner, undefined, change), 'invalid_credentials')
  expect(taken()).toEqual([
    { event: 'login_ok', ...by },
    { event: 'log_out', ...by },
    { event: 'log_out', ...by },
    { event: 'log_out_everywhere', ...by },
    { event: 'password_changed', ...by },
    { event: 'password_refused', ...by, error: 'invalid_credentials' },
  ])
})

test('A payout that was asked for', async () => {
  const { core, owner, customer, product, buyTraffic, taken } = await openLogged()
  await product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 6 })
  await core.earnings.setPrice(owner, { markupPercent: 50 })
  await buyTraffic(await customer(owner, { balance: 1000 }), { trafficAmount: 10 })
  taken()
  const payout = { amount: 10, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', requestKey: 'one-payout' }
  for (let time = 1; time <= 2; time += 1) await core.earnings.requestPayout(owner, payout)
  expect(taken()).toEqual([{ event: 'payout_requested', account: owner.id, from, amount: -10 }])
})

test('Keys and webhooks of an account', async () => {
  const { core, owner, taken } = await openLogged()
  const { apiKeys, webhooks } = core
  const by = { account: owner.id, from }
  const terms = { name: 'a program', scopes: ['read' as const], requestKey: 'one-key' }
  const { id: key } = await apiKeys.create(owner, terms)
  await apiKeys.create(owner, terms)
  for (let time = 1; time <= 2; time += 1) await apiKeys.revoke(owner, key)
  await refused(apiKeys.revoke(owner, 999), 'api_key_not_found')
  expect(taken()).toEqual([
    { event: 'api_key_created', ...by, key },
    { event: 'api_key_revoked', ...by, key },
    { event: 'api_key_revoked', ...by, key },
  ])
  const asked = { url: 'http://127.0.0.1:9/hook', requestKey: 'one-webhook' }
  const { id: webhook } = await webhooks.create(owner, asked)
  await webhooks.create(owner, asked)
  await webhooks.change(owner, webhook, { enabled: false })
  for (let time = 1; time <= 2; time += 1) await webhooks.rotateSecret(owner, webhook, 'one-rotation')
  await webhooks.delete(owner, webhook)
  await refused(webhooks.delete(owner, webhook), 'webhook_not_found')
  expect(taken()).toEqual([
    { event: 'webhook_created', ...by, webhook },
    { event: 'webhook_changed', ...by, webhook },
    { event: 'webhook_secret_rotated', ...by, webhook },
    { event: 'webhook_deleted', ...by, webhook },
  ])
})

test('What those who run the shop do is one line, however the account is created or deleted by agents', async () => {
  const { core, owner, taken } = await openLogged()
  const { customers, adjustBalance, people } = core.operator
  const by = { event: 'operator_action', account: null, from: 'shell' }
  await customers.create(SHELL, { username: 'gus', agent: owner.username, balance: 2 })
  await customers.disable(SHELL, { username: 'gus', reason: 'asked for it' })
  await customers.disable(SHELL, { username: 'gus', reason: 'asked for it' })
  await refused(customers.disable(SHELL, { username: 'nobody', reason: 'a mistake' }), 'user_not_found')
  const gift = { username: 'gus', amount: 1, remark: 'gift', requestKey: 'one-gift' }
  await adjustBalance(SHELL, gift)
  await adjustBalance(SHELL, gift)
  await customers.delete(SHELL, { username: 'gus', reason: 'asked for it' })
  const { start } = await people.invite(SHELL, { name: 'Anna', role: 'owner' })
  await core.people.openInvite({ chatId: 703, telegramId: 703 }, start.slice('staff_'.length))
  expect(taken()).toEqual([
    { ...by, action: 'customer.create', subject: 'gus' },
    { ...by, action: 'customer.disable', subject: 'gus' },
    { ...by, action: 'balance.adjust', subject: 'gus' },
    { ...by, action: 'customer.delete', subject: 'gus' },
    { ...by, action: 'person.invite', subject: 'Anna' },
    { ...by, from: 'chat 703', action: 'person.join', subject: 'Anna' },
  ])
})

/** A service, and its lines, whose jobs are undone when they have run; `anew`: and then carried out a second time. */
async function openUndoing({ anew }: { readonly anew: boolean }) {
  const lines: SecurityEvent[] = []
  const service = await openService({
    securityLog: (line) => lines.push(line),
    through: (db) => ({
      ...db,
      read: db.read,
      write: async (job, mixes) => {
        const undone = db.write(async (tx) => {
          await job(tx)
          throw new Error('undone')
        }, mixes)
        return anew ? undone.catch(() => db.write(job, mixes)) : undone
      },
    }),
  })
  return { ...service, lines }
}

test('What is undone is in no line', async () => {
  const { core, agent, lines } = await openUndoing({ anew: false })
  const owner = await agent()
  await expect(core.accounts.createSubUsers(owner, [{ username: 'eva' }])).rejects.toThrow('undone')
  expect(lines).toEqual([])
})

test('What is carried out anew is one line, and one row of the trail', async () => {
  const { core, lines } = await openUndoing({ anew: true })
  await core.operator.customers.create(SHELL, { username: 'gus' })
  expect(lines).toMatchObject([{ event: 'operator_action', action: 'customer.create', subject: 'gus' }])
  const { items } = await core.operator.trail.list()
  expect(items).toMatchObject([{ action: 'customer.create', subject: 'gus' }])
})
