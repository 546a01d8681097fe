import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type Answer, type Api, BALANCE, expectRefusal, LIST, openApi, outcomes } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { PASSWORD } from '../support/service.ts'
import { plantRows } from '../support/plant-rows.ts'
import { rowsOf } from '../support/raw-rows.ts'

const CREATE_USER = '/open/app/user/v2'
const SUB_USERS = '/open/app/agent/sub-users'
const LOGIN = '/auth/login'

interface SubUser {
  readonly id: number
  readonly username: string
  readonly balance: number
}

/** What these tests pick out of answers by name; the server has checked them against their schemas. */
interface Data extends SubUser {
  readonly items: readonly SubUser[]
  readonly list: readonly SubUser[]
  readonly transaction_no: string
}

/** The data of an answer that is a success. */
function dataOf({ status, body }: Answer): Data {
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body.data as unknown as Data
}

const namesIn = (answer: Answer) => dataOf(answer).items.map(({ username }) => username)

/** An agent with money and two sub-users, and an agent that has nothing to do with them. */
async function family(options: { funding?: 'transfer' | 'mint' } = {}) {
  const api = await openApi()
  const agent = await api.agent({ name: 'agent', balance: 100, ...options })
  const user = await api.customer(agent, { name: 'user' })
  const other = await api.customer(agent, { name: 'other' })
  const rival = await api.agent({ name: 'rival', balance: 5 })
  const client = await api.as(agent)
  return { ...api, seller: agent, user, other, rival, client }
}

/** For cases that change nothing. */
const standing = shared(family)

const target = (id: number | string, what: string) => `${SUB_USERS}/${id}${what && `/${what}`}`

test('An agent creates a user, gets the whole record, and the user logs in at once', async () => {
  const { client, call, seller, balance, audited } = await family()
  const created = await client.post(CREATE_USER, {
    username: 'New-User.1',
    password: 'secret-1',
    email: 'new.user@example.com',
    phone: '13800138000',
    balance: 12.345678,
    remark: 'from the fair',
  })
  expect(dataOf(created)).toEqual({
    id: expect.any(Number),
    username: 'New-User.1',
    email: 'new.user@example.com',
    phone: '13800138000',
    remark: 'from the fair',
    status: 'active',
    activated: true,
    balance: 12.345678,
    lumi_balance: 0,
    total_recharge: 12.345678,
    total_consumption: 0,
    agent_id: seller.id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(created.body.message).toBe('User created')
  expect(await balance(seller)).toBe(87.654322)
  const login = await call('POST', LOGIN, { payload: { username: 'new-user.1', password: 'secret-1' } })
  expect(login.status).toBe(200)
  await audited()
})

test('A user needs a name and a password only, and empty details are none', async () => {
  const { client } = await family()
  for (const [index, details] of [
    {},
    { email: '', phone: '', remark: '' },
    { email: null, phone: null, remark: null },
  ].entries()) {
    const created = await client.post(CREATE_USER, {
      username: `user${index}`,
      password: 'secret',
      ...details,
    })
    expect(dataOf(created)).toMatchObject({ email: '', phone: '', remark: '', balance: 0 })
  }
})

test.each([
  [{ username: 'ab' }, 'username', 'too_small'],
  [{ username: 'x'.repeat(51) }, 'username', 'too_big'],
  [{ username: 'two words' }, 'username', 'invisible_characters'],
  [{ username: 'zero\u200bwidth' }, 'username', 'invisible_characters'],
  [{ username: 5 }, 'username', 'invalid_type'],
  [{ username: undefined }, 'username', 'required'],
  [{ password: '12345' }, 'password', 'too_small'],
  [{ password: 'x'.repeat(51) }, 'password', 'too_big'],
  [{ password: undefined }, 'password', 'required'],
  [{ email: 'nobody' }, 'email', 'not_an_email_address'],
  [{ email: 'a@b.example\nBcc: all@example.com' }, 'email', 'not_an_email_address'],
  [{ email: `${'x'.repeat(250)}@example.com` }, 'email', 'too_big'],
  [{ phone: '1380013800' }, 'phone', 'not_a_phone_number'],
  [{ phone: '138001380000' }, 'phone', 'not_a_phone_number'],
  [{ phone: '1380013800x' }, 'phone', 'not_a_phone_number'],
  [{ phone: '١٣٨٠٠١٣٨٠٠٠' }, 'phone', 'not_a_phone_number'],
  [{ phone: 13_800_138_000 }, 'phone', 'invalid_type'],
  [{ balance: -1 }, 'balance', 'not_an_amount'],
  [{ balance: 0.1 + 0.2 }, 'balance', 'not_an_amount'],
  [{ balance: '5' }, 'balance', 'invalid_type'],
  [{ remark: 'x'.repeat(256) }, 'remark', 'too_big'],
])('A user with %j is refused by field', async (change, field, rule) => {
  const { client } = standing()
  const answer = await client.post(CREATE_USER, { username: 'new-user', password: 'secret', ...change })
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors).toContainEqual({ field, rule, message: expect.any(String) })
})

test('The limits of names and passwords are good themselves, of a new user and of an edited one', async () => {
  const { client, user, call } = await family()
  const accounts = [
    { username: 'abc', password: '6chars' },
    { username: 'x'.repeat(50), password: 'p'.repeat(50) },
  ]
  for (const account of accounts) {
    dataOf(await client.post(CREATE_USER, account))
    expect((await call('POST', LOGIN, { payload: account })).status).toBe(200)
  }
  for (const account of [
    { username: 'a-b', password: 'sixsix' },
    { username: 'Y'.repeat(50), password: 'q'.repeat(50) },
  ]) {
    dataOf(await client.patch(target(user.id, 'account'), account))
    expect((await call('POST', LOGIN, { payload: account })).status).toBe(200)
  }
})

test('A username is taken once and for all: by agents, in other spellings, and after a deletion', async () => {
  const { client, user } = await family()
  const attempt = (username: string) => client.post(CREATE_USER, { username, password: 'secret' })
  for (const username of ['user', 'USER', 'ｕｓｅｒ', 'rival', 'Agent'])
    expectRefusal(await attempt(username), 409, 'username_taken')
  await client.delete(target(user.id, ''))
  expectRefusal(await attempt('user'), 409, 'username_taken')
})

test('Many users of one name at once become one, and cost the agent once', async () => {
  const { client, balance, seller, audited } = await family()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      client.post(CREATE_USER, { username: n % 2 ? 'twin' : 'TWIN', password: 'secret', balance: 10 }),
    ),
  )
  expect(outcomes(answers)).toEqual({ ok: 1, username_taken: 11 })
  expect(await balance(seller)).toBe(90)
  await audited()
})

test('An initial balance that the agent does not have creates nobody', async () => {
  const { client, db } = await family()
  const before = await db.read.account.count()
  const answer = await client.post(CREATE_USER, { username: 'rich', password: 'secret', balance: 100.000001 })
  expectRefusal(answer, 402, 'insufficient_balance')
  expect(answer.body.data).toEqual({ required: 100.000001, balance: 100, shortfall: 0.000001 })
  expect(await db.read.account.count()).toBe(before)
})

test('The list has the direct sub-users, newest first, page by page, under both names', async () => {
  const { client, as, user, rival, customer } = await family()
  await customer(rival, { name: 'foreign' })
  const answer = await client.get(SUB_USERS)
  const { items, list, ...page } = dataOf(answer)
  expect(items).toEqual(list)
  expect(page).toEqual({ total: 2, page: 1, page_size: 20, pageSize: 20 })
  expect(items.map(({ username }) => username)).toEqual(['other', 'user'])
  expect(items[1]).toMatchObject({ id: user.id, status: 'active', balance: 0 })
  const second = await client.get(`${SUB_USERS}?page=2&page_size=1`)
  expect(dataOf(second)).toMatchObject({ total: 2, page: 2, page_size: 1 })
  expect(namesIn(second)).toEqual(['user'])
  expect(namesIn(await client.get(`${SUB_USERS}?page=9`))).toEqual([])
  expect(namesIn(await (await as(rival)).get(SUB_USERS))).toEqual(['foreign'])
})

test('The list is searched by name, e-mail and phone, and takes % and _ literally', async () => {
  const { client } = await family()
  const people = [
    { username: 'Ann_a', email: 'ann@mail.example', phone: '13800000001' },
    { username: 'annXa', email: 'Bob@Mail.Example', phone: '13900000002' },
    { username: 'per%cent', email: '', phone: '' },
    { username: String.raw`back\slash`, email: '', phone: '' },
    { username: 'ÄRGER', email: '', phone: '' },
  ]
  for (const person of people) await client.post(CREATE_USER, { password: 'secret', ...person })
  const search = async (text: string) =>
    namesIn(await client.get(`${SUB_USERS}?search=${encodeURIComponent(text)}`))
  expect(await search('ann')).toEqual(['annXa', 'Ann_a'])
  expect(await search('ANN_A')).toEqual(['Ann_a'])
  expect(await search('%')).toEqual(['per%cent'])
  expect(await search('\\')).toEqual([String.raw`back\slash`])
  expect(await search('bob@mail')).toEqual(['annXa'])
  expect(await search('138000')).toEqual(['Ann_a'])
  expect(await search('ärg')).toEqual(['ÄRGER'])
  expect(await search("' OR 1=1 --")).toEqual([])
  expect(await search(' ')).toHaveLength(7)
  expectRefusal(await client.get(`${SUB_USERS}?search=${'x'.repeat(101)}`), 422, 'validation_error')
})

test('Deleted users are listed when they are asked for', async () => {
  const { client, user, other } = await family()
  await client.delete(target(user.id, ''))
  await client.patch(target(other.id, 'status'), { status: 'disabled' })
  const list = async (query: string) => namesIn(await client.get(`${SUB_USERS}?${query}`))
  expect(await list('')).toEqual(['other'])
  expect(await list('includeDeleted=true')).toEqual(['other', 'user'])
  expect(await list('includeDeleted=false')).toEqual(['other'])
  expect(await list('status=deleted')).toEqual(['user'])
  expect(await list('status=disabled&includeDeleted=true')).toEqual(['other'])
  expect(await list('status=active')).toEqual([])
  for (const query of ['status=gone', 'status=', 'includeDeleted=yes', 'page=0', 'pageSize=101'])
    expectRefusal(await client.get(`${SUB_USERS}?${query}`), 422, 'validation_error')
})

test('dyn3_balance is in the records of variant B only; both show the traffic that is left', async () => {
  const { client, user, product, db } = await family()
  const amounts = { dynamic_1: 2_500_000_000, dynamic_3: 750_000_000 } as const
  for (const [pool, bytes] of Object.entries(amounts)) {
    const productNo = await product(pool, { proxyType: 104, pool: pool as keyof typeof amounts })
    const { id } = await db.read.product.findUniqueOrThrow({ where: { productNo } })
    await db.write(
      (tx) => rowsOf(tx)`
      INSERT INTO traffic (user_id, product_id, total_bytes, used_bytes, username, password, created_at, updated_at)
      VALUES (${user.id}, ${id}, ${bytes}, 250000000, ${`t${id}`}, 'secret', '', '')`,
    )
  }
  const read = async (base: '/a/api' | '/b/api') =>
    dataOf(await client.get(`${SUB_USERS}?search=user`, { base })).items[0]
  expect(await read('/a/api')).toMatchObject({ lumi_balance: 2.25 })
  expect(await read('/a/api')).not.toHaveProperty('dyn3_balance')
  expect(await read('/b/api')).toMatchObject({ lumi_balance: 2.25, dyn3_balance: 0.5 })
  const inB = await client.post(CREATE_USER, { username: 'user-b', password: 'secret' }, { base: '/b/api' })
  expect(dataOf(inB)).toMatchObject({ lumi_balance: 0, dyn3_balance: 0 })
  expect(inB.body.message).toBe('创建用户成功')
})

test('An adjustment moves money between the agent and its user, both ways, and says what it did', async () => {
  const { client, user, seller, entries, balance, audited } = await family()
  const up = await client.post(target(user.id, 'balance'), { amount: 30.5, remark: ' paid in cash ' })
  expect(dataOf(up)).toEqual({
    user_id: user.id,
    username: 'user',
    amount: 30.5,
    old_balance: 0,
    new_balance: 30.5,
    agent_balance: 69.5,
    transaction_no: expect.stringMatching(/^T\d{17}\w{8}$/),
    remark: 'paid in cash',
  })
  const down = await client.post(target(user.id, 'balance'), { amount: -10, remark: 'back' })
  expect(dataOf(down)).toMatchObject({ old_balance: 30.5, new_balance: 20.5, agent_balance: 79.5 })
  const [first] = await entries(user)
  expect(first).toMatchObject({
    transactionNo: dataOf(up).transaction_no,
    type: 'transfer_in',
    operatorId: seller.id,
    remark: 'paid in cash',
  })
  expect([await balance(seller), await balance(user)]).toEqual([79.5, 20.5])
  await audited()
})

test('A deduction below 0, and money that the agent does not have, are refused and change nothing', async () => {
  const { client, user, seller, balance, audited } = await family()
  const adjust = (amount: number) => client.post(target(user.id, 'balance'), { amount, remark: 'test' })
  await adjust(40)
  expectRefusal(await adjust(-40.000001), 409, 'balance_below_zero')
  const poor = await adjust(60.000001)
  expectRefusal(poor, 402, 'insufficient_balance')
  expect(poor.body.data).toEqual({ required: 60.000001, balance: 60, shortfall: 0.000001 })
  expect([await balance(seller), await balance(user)]).toEqual([60, 40])
  await adjust(-40)
  expect(await balance(user)).toBe(0)
  await audited()
})

test('Under mint the money of users comes from nowhere and goes back there', async () => {
  const { client, user, seller, balance, audited } = await family({ funding: 'mint' })
  const adjust = (amount: number) => client.post(target(user.id, 'balance'), { amount, remark: 'test' })
  expect(dataOf(await adjust(5000))).toMatchObject({ new_balance: 5000, agent_balance: 100 })
  expect(dataOf(await adjust(-1000))).toMatchObject({ new_balance: 4000, agent_balance: 100 })
  expectRefusal(await adjust(-4001), 409, 'balance_below_zero')
  expect([await balance(seller), await balance(user)]).toEqual([100, 4000])
  await audited()
})

test.each(['transfer', 'mint'] as const)(
  'Under %s an adjustment that is sent again under its key is made once and answered alike, 64 times at once too',
  async (funding) => {
    const { client, as, user, other, rival, balance, audited } = await family({ funding })
    const headers = { 'idempotency-key': 'pay-1' }
    const adjust = (amount: number, remark = 'paid', id = user.id) =>
      client.post(target(id, 'balance'), { amount, remark }, { headers })
    expectRefusal(await adjust(-1), 409, 'balance_below_zero')

    const answers = await Promise.all(Array.from({ length: 64 }, () => adjust(30)))
    expect(new Set(answers.map((answer) => JSON.stringify(dataOf(answer)))).size).toBe(1)
    expect(answers.filter((answer) => answer.headers['idempotency-replayed'] !== 'true')).toHaveLength(1)
    expect(await balance(user)).toBe(30)

    const own = await client.post(target(user.id, 'balance'), { amount: -5, remark: 'fee' })
    expect(dataOf(own)).toMatchObject({ old_balance: 30, new_balance: 25 })
    expect((await adjust(30)).body).toEqual(answers[0]?.body)
    for (const conflict of [
      await adjust(31),
      await adjust(30, 'other'),
      await adjust(30, 'paid', other.id),
    ]) {
      expectRefusal(conflict, 409, 'idempotency_conflict')
      expect(conflict.body.data).toEqual({ idempotency_key: 'pay-1' })
    }
    const stranger = await as(rival)
    const again = await stranger.post(target(user.id, 'balance'), { amount: 30, remark: 'paid' }, { headers })
    expectRefusal(again, 403, 'not_direct_sub_user')
    await client.delete(target(user.id, ''))
    expect((await adjust(30)).body).toEqual(answers[0]?.body)
    await audited()
  },
)

test.each([
  [{ amount: 0, remark: 'x' }, 'amount'],
  [{ amount: -0, remark: 'x' }, 'amount'],
  [{ amount: 0.0000001, remark: 'x' }, 'amount'],
  [{ amount: 0.1 + 0.2, remark: 'x' }, 'amount'],
  [{ amount: 1e10, remark: 'x' }, 'amount'],
  [{ amount: '5', remark: 'x' }, 'amount'],
  [{ remark: 'x' }, 'amount'],
  [{ amount: 5 }, 'remark'],
  [{ amount: 5, remark: '   ' }, 'remark'],
  [{ amount: 5, remark: 'x'.repeat(256) }, 'remark'],
  [{ amount: 5, remark: null }, 'remark'],
])('The adjustment %j is refused', async (payload, field) => {
  const { client, user, balance } = standing()
  const answer = await client.post(target(user.id, 'balance'), payload)
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors[0]?.field).toBe(field)
  expect(await balance(user)).toBe(0)
})

test('A new password ends the tokens and chat log-ins of the user at once; a new name ends none', async () => {
  const { client, as, user, call, core } = await family()
  const { get } = await as(user)
  await core.chats.session(7, 'en')
  await core.chats.logIn(7, { username: 'user', password: PASSWORD })

  const renamed = await client.patch(target(user.id, 'account'), { username: 'New_Name-1' })
  expect(dataOf(renamed)).toMatchObject({ id: user.id, username: 'New_Name-1' })
  expect((await get(BALANCE)).body.data).toMatchObject({ username: 'New_Name-1' })
  expect((await core.chats.session(7, 'en')).actor?.username).toBe('New_Name-1')

  dataOf(await client.patch(target(user.id, 'account'), { password: 'another secret' }))
  expectRefusal(await get(BALANCE), 401, 'token_invalid')
  expect(await core.chats.session(7, 'en')).toMatchObject({ actor: undefined, ended: 'token_invalid' })
  const logIn = (username: string, password: string) =>
    call('POST', LOGIN, { payload: { username, password } })
  expectRefusal(await logIn('new_name-1', PASSWORD), 401, 'invalid_credentials')
  expectRefusal(await logIn('user', 'another secret'), 401, 'invalid_credentials')
  expect((await logIn('new_name-1', 'another secret')).status).toBe(200)
})

test('Name and password change together or not at all; the own name in other letters is free', async () => {
  const { client, user, call } = await family()
  const edit = (change: object) => client.patch(target(user.id, 'account'), change)
  expectRefusal(await edit({ username: 'OTHER', password: 'never set' }), 409, 'username_taken')
  const logIn = (password: string) => call('POST', LOGIN, { payload: { username: 'user', password } })
  expectRefusal(await logIn('never set'), 401, 'invalid_credentials')
  expect((await logIn(PASSWORD)).status).toBe(200)
  expect(dataOf(await edit({ username: 'USER', password: 'changed now' }))).toMatchObject({
    username: 'USER',
  })
  expect((await logIn('changed now')).status).toBe(200)
})

test.each([
  [{}, 'body', 'username_or_password_required'],
  [{ user: 'x', email: 'a@b.example' }, 'body', 'username_or_password_required'],
  [{ username: 'ab' }, 'username', 'too_small'],
  [{ username: 'x'.repeat(51) }, 'username', 'too_big'],
  [{ username: 'dots.are.out' }, 'username', 'letters_digits_underscore_hyphen'],
  [{ username: 'line\n' }, 'username', 'letters_digits_underscore_hyphen'],
  [{ username: '用户名字' }, 'username', 'letters_digits_underscore_hyphen'],
  [{ username: null }, 'username', 'invalid_type'],
  [{ password: '12345' }, 'password', 'too_small'],
  [{ password: 123_456 }, 'password', 'invalid_type'],
])('The account edit %j is refused', async (payload, field, rule) => {
  const { client, user } = standing()
  const answer = await client.patch(target(user.id, 'account'), payload)
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors).toEqual([{ field, rule, message: expect.any(String) }])
})

test('A disabled user is out at once, and in again with the same token when it is enabled', async () => {
  const { client, as, user, call } = await family()
  const { get } = await as(user)
  const set = (status: string) => client.patch(target(user.id, 'status'), { status })
  expect(dataOf(await set('disabled'))).toMatchObject({ id: user.id, status: 'disabled' })
  expect(dataOf(await set('disabled'))).toMatchObject({ status: 'disabled' })
  expectRefusal(await get(BALANCE), 403, 'account_disabled')
  const payload = { username: 'user', password: PASSWORD }
  expectRefusal(await call('POST', LOGIN, { payload }), 403, 'account_disabled')
  expect(dataOf(await set('active'))).toMatchObject({ status: 'active' })
  expect((await get(BALANCE)).status).toBe(200)
  for (const status of ['deleted', 'ACTIVE', '', 1, null])
    expectRefusal(await client.patch(target(user.id, 'status'), { status }), 422, 'validation_error')
})

test('A deleted user is gone at once, its rest goes back, and its record stays', async () => {
  const { client, as, user, seller, call, balance, entries, audited } = await family()
  const { get } = await as(user)
  await client.post(target(user.id, 'balance'), { amount: 25, remark: 'test' })
  const deleted = await client.delete(target(user.id, ''))
  expect(dataOf(deleted)).toEqual({ id: user.id, status: 'deleted', returned_balance: 25 })
  expect([await balance(seller), await balance(user)]).toEqual([100, 0])
  expect((await entries(user)).map(({ type }) => type)).toEqual(['transfer_in', 'transfer_out'])
  expectRefusal(await get(BALANCE), 401, 'user_not_found')
  const payload = { username: 'user', password: PASSWORD }
  expectRefusal(await call('POST', LOGIN, { payload }), 401, 'invalid_credentials')
  const list = await client.get(`${SUB_USERS}?status=deleted`)
  expect(dataOf(list).items).toMatchObject([{ id: user.id, username: 'user', status: 'deleted', balance: 0 }])
  await audited()
})

test('A disabled user can be deleted too, and a deleted one stays deleted', async () => {
  const { client, user } = await family()
  const set = (status: string) => client.patch(target(user.id, 'status'), { status })
  await set('disabled')
  expect(dataOf(await client.delete(target(user.id, '')))).toMatchObject({ status: 'deleted' })
  for (const answer of [await set('active'), await set('disabled'), await client.delete(target(user.id, ''))])
    expectRefusal(answer, 404, 'sub_user_not_found')
  expect(namesIn(await client.get(`${SUB_USERS}?status=deleted`))).toEqual(['user'])
})

test('Under mint a deleted user keeps its balance: it did not come from the agent', async () => {
  const { client, user, seller, balance, audited } = await family({ funding: 'mint' })
  await client.post(target(user.id, 'balance'), { amount: 25, remark: 'test' })
  expect(dataOf(await client.delete(target(user.id, '')))).toMatchObject({ returned_balance: 0 })
  expect([await balance(seller), await balance(user)]).toEqual([100, 25])
  await audited()
})

test('What is refunded to a deleted user goes to its agent', async () => {
  const { client, user, seller, product, stock, order, runJobs, balance, db, audited } = await family()
  await product('static', { price: 10 })
  await stock('static', 2)
  await client.post(target(user.id, 'balance'), { amount: 25, remark: 'test' })
  await order(user, { ipCount: 2 })
  expect(dataOf(await client.delete(target(user.id, '')))).toMatchObject({ returned_balance: 5 })
  // One of the two is withdrawn before the order is completed.
  await db.write((tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = 1`)
  await runJobs()
  expect([await balance(seller), await balance(user)]).toEqual([90, 0])
  await audited()
})

test('What is refunded to a deleted user goes by the funding that its agent has then', async () => {
  const { core, client, user, seller, product, stock, order, runJobs, balance, db, audited } = await family({
    funding: 'mint',
  })
  await product('static', { price: 10 })
  await stock('static', 2)
  await client.post(target(user.id, 'balance'), { amount: 20, remark: 'test' })
  await order(user, { ipCount: 2 })
  await client.delete(target(user.id, ''))
  await core.operator.editAgent(SHELL, seller.username, { funding: 'transfer' })
  await db.write((tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = 1`)
  await runJobs()
  expect([await balance(seller), await balance(user)]).toEqual([110, 0])
  await audited()
})

test('A DELETE may say that it brings JSON and bring none', async () => {
  const { client, user } = await family()
  const answer = await client.delete(target(user.id, ''), { headers: { 'content-type': 'application/json' } })
  expect(dataOf(answer)).toMatchObject({ status: 'deleted' })
})

test('An id of more than nine digits is an id like any other, in paths and in filters', async () => {
  const { client, seller, db, clock } = await family()
  const id = Number.MAX_SAFE_INTEGER
  const now = clock.now().toISOString()
  const times = { createdAt: now, updatedAt: now }
  const user = {
    id,
    username: 'late',
    usernameKey: 'late',
    passwordHash: '',
    role: 'user',
    agentId: seller.id,
  } as const
  await db.write((tx) => plantRows(tx, 'accounts', [{ ...user, ...times }]))
  expect(dataOf(await client.get(target(id, '')))).toMatchObject({ username: 'late' })
  expect((await client.get(`${LIST}?user_id=${id}`)).status).toBe(200)
})

const OPERATIONS: readonly [string, (client: Client, id: number | string) => Promise<Answer>][] = [
  ['balance', (client, id) => client.post(target(id, 'balance'), { amount: 1, remark: 'test' })],
  ['account', (client, id) => client.patch(target(id, 'account'), { password: 'new secret' })],
  ['status', (client, id) => client.patch(target(id, 'status'), { status: 'disabled' })],
  ['deletion', (client, id) => client.delete(target(id, ''))],
]
type Client = Awaited<ReturnType<Api['as']>>

test.each(OPERATIONS)('The %s of somebody who is no direct sub-user is refused', async (_, operate) => {
  const { client, as, user, other, seller, rival, customer, db, audited } = await family()
  const foreign = await customer(rival, { name: 'foreign' })
  const free = await customer(null, { name: 'free' })
  const rows = () => db.read.account.findMany()
  const before = await rows()
  for (const id of [foreign.id, free.id, rival.id, seller.id])
    expectRefusal(await operate(client, id), 403, 'not_direct_sub_user')
  const strange = [
    '999999999',
    '9999999999',
    '0',
    '-1',
    '1.5',
    '1e0',
    '٣',
    'user',
    `${user.id}x`,
    '%20',
    'null',
  ]
  for (const id of strange) expectRefusal(await operate(client, id), 404, 'sub_user_not_found')
  expectRefusal(await operate(await as(rival), user.id), 403, 'not_direct_sub_user')
  const member = await as(user)
  for (const id of [user.id, other.id, seller.id, 999_999_999])
    expectRefusal(await operate(member, id), 403, 'agent_required')
  expect(await rows()).toEqual(before)

  await client.delete(target(user.id, ''))
  expectRefusal(await operate(client, user.id), 404, 'sub_user_not_found')
  await audited()
})

test('Fields that are none of the caller’s business are never stored', async () => {
  const { client, seller, user, db, audited } = await family()
  const smuggled = {
    id: 77,
    role: 'agent',
    level: 9,
    funding: 'mint',
    agent_id: null,
    agentId: 77,
    status: 'deleted',
    activated: false,
    total_recharge: 1000,
    totalRecharge: 1000,
    total_consumption: -1000,
    token_version: 9,
    tokenVersion: 9,
    password_hash: 'x',
    passwordHash: 'x',
    username_key: 'x',
    created_at: '2000-01-01T00:00:00.000Z',
    user_id: 77,
    userId: 77,
  }
  const created = await client.post(CREATE_USER, { ...smuggled, username: 'plain', password: 'secret' })
  const { id } = dataOf(created)
  await client.post(target(user.id, 'balance'), { ...smuggled, amount: 5, remark: 'test', balance: 1000 })
  await client.patch(target(user.id, 'account'), { ...smuggled, username: 'renamed', balance: 1000 })
  await client.patch(target(user.id, 'status'), { ...smuggled, status: 'active', balance: 1000 })
  const row = (which: number) => db.read.account.findUniqueOrThrow({ where: { id: which } })
  const untouched = {
    role: 'user',
    level: null,
    funding: null,
    agentId: seller.id,
    status: 'active',
    activated: true,
  }
  expect(await row(id)).toMatchObject({ ...untouched, balance: 0n, tokenVersion: 1, totalRecharge: 0n })
  expect(await row(user.id)).toMatchObject({
    ...untouched,
    balance: 5_000_000n,
    tokenVersion: 1,
    totalRecharge: 5_000_000n,
    totalConsumption: 0n,
  })
  expect(await db.read.account.count()).toBe(5)
  await audited()
})

test('Nothing that is answered about users holds a password, a hash or a version', async () => {
  const { client, call, user } = await family()
  const texts = await Promise.all([
    client.post(CREATE_USER, { username: 'plain', password: 'secret-of-plain' }),
    client.patch(target(user.id, 'account'), { password: 'secret-of-user' }),
    client.patch(target(user.id, 'status'), { status: 'active' }),
    client.post(target(user.id, 'balance'), { amount: 5, remark: 'test' }),
    client.get(SUB_USERS),
    client.get(BALANCE),
    client.get(LIST),
    call('POST', LOGIN, { payload: { username: 'agent', password: PASSWORD } }),
  ])
  for (const { body } of texts)
    expect(JSON.stringify(body)).not.toMatch(/password|secret|argon2|hash|version|_key|funding/i)
  expect(Object.keys(dataOf(await client.patch(target(user.id, 'status'), { status: 'active' })))).toEqual([
    'id',
    'username',
    'email',
    'phone',
    'remark',
    'status',
    'activated',
    'balance',
    'lumi_balance',
    'total_recharge',
    'total_consumption',
    'agent_id',
    'created_at',
    'updated_at',
  ])
})

test('Deductions and purchases at once never take more than there is', async () => {
  const { client, as, user, product, stock, balance, seller, core, audited } = await family()
  await product('static')
  await stock('static', 60)
  await client.post(target(user.id, 'balance'), { amount: 50, remark: 'test' })
  const { post } = await as(user)
  const order = {
    orderType: 'static_proxy',
    poolId: 'static',
    unitPrice: 0,
    totalAmount: 0,
    ipCount: 1,
    cycleTimes: 1,
    duration: 1,
    unit: 3,
  }
  const attempts = Array.from({ length: 100 }, async (_, n): Promise<string> => {
    if (n % 3 === 0)
      return outcome(await client.post(target(user.id, 'balance'), { amount: -1, remark: 'fee' }))
    if (n % 3 === 1)
      return outcome(await post('/open/app/static/order/create-standard/v2', { ...order, userId: user.id }))
    const adjusted = core.operator.adjustBalance(SHELL, { username: 'user', amount: -1, remark: 'fee' })
    return adjusted.then(() => 'ok').catch((error: unknown) => (error as { code: string }).code)
  })
  const results = await Promise.all(attempts)
  expect(results.filter((result) => result === 'ok')).toHaveLength(50)
  expect(new Set(results)).toEqual(new Set(['ok', 'balance_below_zero', 'insufficient_balance']))
  expect(await balance(user)).toBe(0)
  expect(await balance(seller)).toBeGreaterThanOrEqual(50)
  await audited()
})

test('Of two users that get one name at once, one gets it', async () => {
  const { client, user, other } = await family()
  const answers = await Promise.all(
    [user, other, user, other].map(({ id }, n) =>
      client.patch(target(id, 'account'), { username: n % 2 ? 'WANTED' : 'wanted' }),
    ),
  )
  expect(outcomes(answers)).toEqual({ ok: 2, username_taken: 2 })
  expect(
    namesIn(await client.get(SUB_USERS))
      .map((name) => name.toLowerCase())
      .toSorted(),
  ).toEqual(['wanted', answers[0]?.status === 200 ? 'other' : 'user'].toSorted())
})

test('A user that is deleted while money moves loses nothing and keeps nothing', async () => {
  const { client, user, seller, balance, audited } = await family()
  await client.post(target(user.id, 'balance'), { amount: 20, remark: 'test' })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      n % 10 === 5
        ? client.delete(target(user.id, ''))
        : client.post(target(user.id, 'balance'), { amount: n % 2 ? 1 : -1, remark: 'test' }),
    ),
  )
  const { ok = 0, sub_user_not_found: late = 0 } = outcomes(answers)
  expect(ok + late).toBe(30)
  expect(answers.filter(({ body }) => 'returned_balance' in (body.data ?? {}))).toHaveLength(1)
  expect([await balance(seller), await balance(user)]).toEqual([100, 0])
  await audited()
})

function outcome({ body }: Answer): string {
  return body.error ?? 'ok'
}
