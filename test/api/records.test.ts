import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type Answer, CREATE, expectRefusal, openApi, orderBody, RENEW } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { rowsOf } from '../support/raw-rows.ts'

const MINE = '/open/app/user/transactions'
const AGENTS = '/transaction/agent/transactions'

interface Row {
  readonly id: number
  readonly username: string
  readonly type: string
  readonly amount: number
  readonly remark: string
  readonly balance_before: number
  readonly balance_after: number
}

const rows = ({ body }: Answer) => body.data.items as unknown as readonly Row[]
/** Who, what and how much of each row. */
const brief = (answer: Answer) =>
  rows(answer).map(({ username, type, amount }) => `${username} ${type} ${amount}`)

/**
 * Agent `seller` (opening balance 1000, 5 spent on an order of its own) gave `ann` 100 and `bob` 50; both bought on 1 March;
 * ann got something back on 2 March. A stranger has records of its own.
 */
async function market() {
  const api = await openApi()
  const { agent, customer, core, product, stock, clock, runJobs, db } = api
  const seller = await agent({ name: 'seller', balance: 1000 })
  const stranger = await agent({ name: 'stranger', balance: 7 })
  const ann = await customer(seller, { name: 'ann' })
  const bob = await customer(seller, { name: 'bob_%' })
  await product()
  await stock('static', 50)
  const sellerClient = await api.as(seller)
  for (const [user, amount] of [
    [ann, 100],
    [bob, 50],
  ] as const) {
    await core.accounts.adjustSubUserBalance(seller, user.id, { amount, remark: `start of ${user.username}` })
  }
  const annClient = await api.as(ann)
  const bought = await annClient.post(
    CREATE,
    orderBody(ann.id, { ipCount: 3, appOrderNo: 'ann-1', remark: 'batch 7' }),
  )
  await sellerClient.post(CREATE, orderBody(bob.id, { ipCount: 2, appOrderNo: ' bob 1 ' }))
  await sellerClient.post(CREATE, orderBody(seller.id, { ipCount: 5 }))
  clock.set('2026-03-02T00:00:00.000Z')
  // One of ann's proxies cannot be delivered.
  await db.write((tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = 1`)
  await runJobs()
  await core.operator.adjustBalance(SHELL, { username: 'stranger', amount: 1, remark: 'not yours' })
  return { ...api, seller, stranger, ann, bob, sellerClient, annClient, annOrder: bought.body.data.orderNo }
}

/** For cases that change nothing. */
const standing = shared(market)

test('Everybody sees own consumption and refunds, an agent those of its sub-users too, newest first', async () => {
  const { sellerClient, annClient, as, stranger, ann } = await market()
  expect(brief(await annClient.get(MINE))).toEqual(['ann refund 1', 'ann consumption -3'])
  expect(brief(await sellerClient.get(MINE))).toEqual([
    'ann refund 1',
    'seller consumption -5',
    'bob_% consumption -2',
    'ann consumption -3',
  ])
  expect(brief(await (await as(stranger)).get(MINE))).toEqual([])
  expect(brief(await sellerClient.get(`${MINE}?target_user_id=${ann.id}`))).toHaveLength(2)
})

test('A record tells everything about one change of one balance', async () => {
  const { annClient, ann, seller, annOrder } = await market()
  const [, bought] = rows(await annClient.get(MINE))
  expect(bought).toEqual({
    id: expect.any(Number),
    transaction_no: expect.stringMatching(/^T\d{17}\w{8}$/),
    user_id: ann.id,
    username: 'ann',
    agent_id: seller.id,
    type: 'consumption',
    order_type: 'static',
    order_no: annOrder,
    amount: -3,
    balance_before: 100,
    balance_after: 97,
    status: 'success',
    operator_id: ann.id,
    remark: 'batch 7',
    created_at: '2026-03-01T12:00:00.000Z',
  })
})

test('Agents see how money came in and moved, others may not', async () => {
  const { sellerClient, annClient } = await market()
  const answer = await sellerClient.get(AGENTS)
  expect(brief(answer)).toEqual([
    'bob_% transfer_in 50',
    'seller transfer_out -50',
    'ann transfer_in 100',
    'seller transfer_out -100',
    'seller adjust 1000',
  ])
  expect(answer.body.data).toMatchObject({ total: 5, summary: { income: 1150, expense: 150 } })
  expectRefusal(await annClient.get(AGENTS), 403, 'agent_required')
  expectRefusal(await sellerClient.get(`${AGENTS}?type=consumption`), 422, 'validation_error')
})

test.each([
  ['', { total: 4, summary: { income: 1, expense: 10 } }],
  ['page_size=1&page=4', { total: 4, page: 4, page_size: 1, summary: { income: 1, expense: 10 } }],
  ['type=refund', { total: 1, summary: { income: 1, expense: 0 } }],
  ['type=transfer_in', { total: 2, summary: { income: 150, expense: 0 } }],
  ['type=all', { total: 9, summary: { income: 1151, expense: 160 } }],
  ['order_type=static', { total: 4, summary: { income: 1, expense: 10 } }],
  ['order_type=dynamic', { total: 0, summary: { income: 0, expense: 0 } }],
  ['start_date=2026-03-01&end_date=2026-03-01', { total: 3, summary: { income: 0, expense: 10 } }],
  ['start_date=2026-03-02&end_date=2026-03-02', { total: 1, summary: { income: 1, expense: 0 } }],
  ['start_date=2026-03-03', { total: 0 }],
  ['end_date=2026-02-28', { total: 0 }],
  ['username=AN', { total: 2, summary: { income: 1, expense: 3 } }],
  ['username=bob_', { total: 1 }],
  ['username=_', { total: 1 }],
  ['username=%25', { total: 1 }],
  ['username=stranger', { total: 0 }],
  ['order_no=ann-1', { total: 2, summary: { income: 1, expense: 3 } }],
  ['order_no= bob 1 ', { total: 1 }],
  ['order_no=nn-', { total: 0 }],
  ['type=all&keyword=START of', { total: 4, summary: { income: 150, expense: 150 } }],
  ['type=all&keyword=start of bob_%25', { total: 2 }],
  ['type=all&keyword=s_art', { total: 0 }],
  ['keyword=BATCH', { total: 1, summary: { income: 0, expense: 3 } }],
  ['keyword=refun', { total: 1 }],
  ['keyword=bob', { total: 1, summary: { income: 0, expense: 2 } }],
  ['type=all&keyword=not yours', { total: 0 }],
  ['target_user_id=999999', { total: 0, summary: { income: 0, expense: 0 } }],
  ['type=all&username=seller&start_date=2026-03-01&end_date=2026-03-01&order_type=static', { total: 1 }],
])('Of an agent the filter "%s" finds %j', async (query, expected) => {
  const { sellerClient } = standing()
  const { body } = await sellerClient.get(`${MINE}?${query.replaceAll(' ', '%20')}`)
  expect(body.data).toMatchObject(expected)
  expect(body.data.items.length).toBeLessThanOrEqual(body.data.total)
})

test('Nobody finds records of others by naming them', async () => {
  const { annClient, bob, seller, stranger, as, ann, annOrder } = await market()
  const strangerClient = await as(stranger)
  for (const query of [
    `target_user_id=${bob.id}`,
    `target_user_id=${seller.id}`,
    'username=bob',
    'keyword=bob',
  ]) {
    expect((await annClient.get(`${MINE}?type=all&${query}`)).body.data).toMatchObject({
      total: 0,
      items: [],
      summary: { income: 0, expense: 0 },
    })
  }
  for (const query of [
    `target_user_id=${ann.id}`,
    `order_no=${annOrder}`,
    'order_no=ann-1',
    'keyword=start',
  ]) {
    expect((await strangerClient.get(`${MINE}?type=all&${query}`)).body.data.total).toBe(0)
    expect((await strangerClient.get(`${AGENTS}?${query}`)).body.data.total).toBe(0)
  }
})

test.each([
  ['start_date=2026-02-30', 'start_date'],
  ['start_date=01.03.2026', 'start_date'],
  ['end_date=2026-3-1', 'end_date'],
  ['end_date=2026-03-01T00:00:00Z', 'end_date'],
  ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
  ['type=gift', 'type'],
  ['order_type=other', 'order_type'],
  ['target_user_id=1.5', 'target_user_id'],
  ['page=0', 'page'],
  ['page_size=101', 'page_size'],
  [`keyword=${'x'.repeat(101)}`, 'keyword'],
])('The filter %s is refused', async (query, field) => {
  const { sellerClient } = standing()
  for (const path of [MINE, AGENTS]) {
    const answer = await sellerClient.get(`${path}?${query}`)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors[0]?.field).toBe(field)
  }
})

test('What an agent takes back, and what the operator does, is in the records of all whom it concerns', async () => {
  const { sellerClient, annClient, ann, seller, core, audited } = await market()
  await core.accounts.adjustSubUserBalance(seller, ann.id, { amount: -8, remark: 'back' })
  await core.operator.adjustBalance(SHELL, { username: 'ann', amount: 2.5, remark: 'gift' })
  expect(brief(await annClient.get(`${MINE}?type=all&page_size=2`))).toEqual([
    'ann adjust 2.5',
    'ann transfer_out -8',
  ])
  expect(brief(await sellerClient.get(`${AGENTS}?keyword=back`))).toEqual([
    'seller transfer_in 8',
    'ann transfer_out -8',
  ])
  await audited()
})

test('What the service itself remarks is said in the language of the answer; what people wrote stays as it is', async () => {
  const { agent, as, core, product, stock, runJobs } = await openApi()
  const seller = await agent({ balance: 20 })
  const client = await as(seller)
  const user = await core.accounts.createSubUser(seller, { username: 'user', password: 'secret', balance: 5 })
  await core.accounts.adjustSubUserBalance(seller, user.id, { amount: 1, remark: 'Paid in cash' })
  await core.accounts.adjustSubUserBalance(seller, user.id, { amount: 1, remark: 'Initial balance' })
  await core.accounts.adjustSubUserBalance(seller, user.id, { amount: 1, remark: null })
  const remarks = async (language: string, list = AGENTS) => {
    const path = `${list}?target_user_id=${user.id}`
    const { body } = await client.get(path, { headers: { 'accept-language': language } })
    return body.data.items.map((entry) => (entry as unknown as { remark: string }).remark)
  }
  const written = ['Initial balance', 'Paid in cash']
  expect(await remarks('en')).toEqual(['Adjusted by the agent', ...written, 'Initial balance'])
  expect(await remarks('zh')).toEqual(['代理商调整', ...written, '初始余额'])

  await product()
  await stock('static', 1)
  const bought = await client.post(CREATE, orderBody(user.id, { remark: 'Renewal' }))
  await runJobs()
  const { orderNo } = bought.body.data
  const renewed = await client.post(RENEW, { order_no: orderNo, duration: 1, unit: 3, appOrderNo: 'again' })
  const { renew_order_no: number } = renewed.body.data as unknown as { renew_order_no: string }
  expect(await remarks('en', MINE)).toEqual([`Renewal ${number}`, 'Renewal'])
  expect(await remarks('zh', MINE)).toEqual([`续费 ${number}`, 'Renewal'])
})
