import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Actor } from '../../src/core/access.ts'
import { createCore } from '../../src/core/core.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { createTronChain } from '../../src/tron/tron-chain.ts'
import { beside, type Beside, REFUSED_BY } from '../support/beside.ts'
import { urlOf } from '../support/postgres.ts'
import { JWT_SECRET, PASSWORD, refused, tally } from '../support/service.ts'
import { openShop, type Shop, TERMS, unitsOf } from '../support/top-ups.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A user for every two top-ups. */
async function users(shop: Shop, count: number): Promise<Actor[]> {
  const found: Actor[] = []
  for (let i = 0; i < count; i += 1) found.push(await shop.customer(null))
  return found
}

test('case 20: two processes open two hundred top-ups of the same amount at once: no two ask for the same', async () => {
  const shop = await openShop()
  const db = await openDatabase(urlOf(shop.database))
  const chain = createTronChain({ apiUrl: 'http://127.0.0.1:1', clock: shop.clock })
  const other = createCore({
    db,
    clock: shop.clock,
    suppliers: {},
    currency: 'USD',
    jwtSecret: JWT_SECRET,
    jwtTtl: 86_400,
    topUps: { terms: TERMS, chain },
  })
  const people = await users(shop, 100)
  const results = await Promise.allSettled(
    people.flatMap((user) => [shop.core, other].map((core) => core.topUps.create(user, { amount: '100' }))),
  )
  await db.close()
  expect(tally(results)).toEqual({ ok: 99, unavailable: 101 })
  const rows = await shop.db.read.topUp.findMany()
  expect(new Set(rows.map(({ payUnits }) => payUnits)).size).toBe(99)
  const again = (await beside(shop)).run(
    `INSERT INTO top_ups SELECT 999, 'U-again', user_id, NULL, wallet, contract, amount_units, pay_units, rate, credit_amount, status, late,
       manual, seen_txid, reference, expires_at, match_until, released_at, cancelled_at, paid_at, created_at, updated_at FROM top_ups LIMIT 1`,
  )
  await expect(again).rejects.toThrow(REFUSED_BY.unique)
})

/** How many amounts the operator was told to be left. */
const left = async ({ db }: Shop) =>
  (await db.read.notice.findMany({ where: { kind: 'top_up_slots_low' }, orderBy: { id: 'asc' } })).map(
    ({ data }) => (JSON.parse(data) as { free: number }).free,
  )

test('the operator hears every day on which somebody is turned away because all amounts are taken', async () => {
  const shop = await openShop({ operatorChats: [9], terms: { graceMs: 7 * 24 * HOUR_MS } })
  for (const user of await users(shop, 33))
    for (let i = 0; i < 3; i += 1) await shop.core.topUps.create(user, { amount: '100' })
  const late = await shop.customer(null)
  for (const days of [0, 1, 0]) {
    shop.clock.advance(days * 24 * HOUR_MS)
    await expect(shop.core.topUps.create(late, { amount: '100' })).rejects.toMatchObject({
      code: 'unavailable',
    })
  }
  expect(await left(shop)).toEqual([9, 0, 0])
})

test('case 21: when all amounts are taken, the refusal is clear and the operator knows; later they are free again', async () => {
  const shop = await openShop({ operatorChats: [9] })
  for (const user of await users(shop, 33))
    for (let i = 0; i < 3; i += 1) await shop.core.topUps.create(user, { amount: '100' })
  const late = await shop.customer(null)
  const http = await shop.as(late)
  expect(await http.post('/usdt/create-order', { amount: '100' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: { error: 'unavailable', data: { reason: 'amount_taken', amount: '100.00' } },
  })
  expect(await left(shop)).toEqual([9, 0])
  await shop.open(late, '100.01')
  shop.clock.advance(24.6 * HOUR_MS)
  await shop.scan()
  await shop.pass(20 * MINUTE_MS, MINUTE_MS)
  await shop.open(late, '100')
})

test('cases 22 and 23: an amount stays with its top-up until its grace is over, whatever became of it', async () => {
  const shop = await openShop()
  const [a, b] = await Promise.all([shop.customer(null), shop.customer(null)])
  const first = await shop.open(a)
  await shop.pass(31 * MINUTE_MS, MINUTE_MS)
  expect((await shop.topUp(first)).status).toBe('expired')
  // Everybody else gets another amount.
  for (const user of await users(shop, 33))
    for (let i = 0; i < 3; i += 1) await shop.core.topUps.create(user, { amount: '100' }).catch(() => {})
  const held = await shop.db.read.topUp.findMany({ where: { payUnits: unitsOf(first.pay_amount) } })
  expect(held).toHaveLength(1)
  await refused(shop.core.topUps.create(b, { amount: '100' }), 'unavailable')
  await shop.pass(23.9 * HOUR_MS, HOUR_MS)
  shop.pay(first)
  await shop.settle()
  expect(await shop.topUp(first)).toMatchObject({ status: 'paid', late: true })
  shop.pay(first)
  await shop.settle()
  expect(await shop.transfers()).toEqual(['matched', 'duplicate_payment'])
  expect(await shop.entries(a)).toHaveLength(1)
  await shop.audited()
})

test('case 24: a server that was down gives no amount away before it has caught up, and finds the payment of meanwhile', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  await shop.scan()
  shop.pay(topUp, { at: new Date(shop.clock.now().getTime() + HOUR_MS) })
  shop.clock.advance(30 * HOUR_MS)
  const core = shop.restarted()
  await core.jobs.expireTopUps()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'expired', releasedAt: null })
  await core.topUps.scanner?.scan()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: true })
  shop.clock.advance(15 * MINUTE_MS)
  await core.topUps.scanner?.scan()
  expect((await shop.topUp(topUp)).releasedAt).not.toBeNull()
  await shop.audited()
})

test('case 25: fifty checks, the loop and a restart at once make one entry and one notice', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  await shop.core.chats.session(77, 'en')
  await shop.core.chats.logIn(77, { username: user.username, password: PASSWORD })
  const topUp = await shop.open(user)
  shop.pay(topUp)
  shop.clock.advance(60_000)
  const restarted = shop.restarted()
  await Promise.all([
    ...Array.from({ length: 50 }, (_, i) =>
      (i % 2 ? shop.core : restarted).topUps.check(user, topUp.order_no),
    ),
    shop.scan(),
    restarted.topUps.scanner?.scan(),
  ])
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(1)
  expect(await shop.db.read.notice.count({ where: { kind: 'top_up_paid' } })).toBe(1)
  await shop.audited()
})

test('case 26: whichever statement of the crediting fails, nothing of it remains, and the next scan does it whole', async () => {
  const FAILURES: readonly Parameters<Beside['crash']>[] = [
    ['BEFORE INSERT', 'usdt_transfers'],
    ['AFTER INSERT', 'usdt_transfers'],
    ['BEFORE UPDATE', 'top_ups', "NEW.status = 'paid'"],
    ['BEFORE INSERT', 'ledger_entries'],
    ['AFTER UPDATE OF balance', 'accounts'],
    ['AFTER INSERT', 'ledger_days'],
    ['BEFORE INSERT', 'notices'],
    ['AFTER INSERT', 'jobs'],
    ['BEFORE UPDATE', 'chain_candidates', "NEW.state = 'done'"],
  ]
  for (const at of FAILURES) {
    const failure = at.join(' ')
    const shop = await openShop()
    const user = await shop.customer(null)
    await shop.core.chats.session(77, 'en')
    await shop.core.chats.logIn(77, { username: user.username, password: PASSWORD })
    const topUp = await shop.open(user)
    shop.pay(topUp)
    shop.clock.advance(6000)
    await shop.scan()
    const mended = await (await beside(shop)).crash(...at)
    shop.clock.advance(60_000)
    await expect(shop.scan(), failure).rejects.toThrow()
    const { status, creditAmount } = await shop.topUp(topUp)
    expect({ failure, status, balance: await shop.balance(user), transfers: await shop.transfers() }).toEqual(
      {
        failure,
        status: 'confirming',
        balance: 0,
        transfers: [],
      },
    )
    await mended()
    await shop.settle()
    expect({ failure, status: (await shop.topUp(topUp)).status }).toEqual({ failure, status: 'paid' })
    expect(await shop.balance(user)).toBe(Number(creditAmount) / 1e6)
    expect(await shop.entries(user)).toHaveLength(1)
    await shop.audited()
  }
})

test('case 27: a cancellation and the payment at the same time: one of them wins, and no money is lost', async () => {
  for (const order of ['cancel first', 'payment first']) {
    const shop = await openShop()
    const user = await shop.customer(null)
    const topUp = await shop.open(user)
    const cancel = () => shop.core.topUps.cancel(user, topUp.order_no)
    if (order === 'cancel first') {
      await cancel()
      shop.pay(topUp)
      await shop.settle()
    } else {
      shop.pay(topUp)
      shop.clock.advance(6000)
      await refused(cancel(), 'payment_in_progress', { status: 'confirming' })
      shop.clock.advance(60_000)
      const [result] = await Promise.allSettled([cancel(), shop.scan()])
      expect(result.status).toBe('rejected')
      await refused(cancel(), 'invalid_state', { status: 'paid' })
    }
    expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: order === 'cancel first' })
    expect(await shop.entries(user)).toHaveLength(1)
    await shop.audited()
  }
})

test('case 28: the end of its time and the payment at once: paid', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  await shop.scan()
  shop.pay(topUp, { at: new Date(Date.parse(topUp.expires_at) - 60_000) })
  shop.clock.set(topUp.expires_at)
  await Promise.all([
    shop.core.jobs.expireTopUps(),
    shop.scan(),
    shop.core.topUps.check(user, topUp.order_no),
  ])
  await shop.settle()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: false })
  await shop.audited()
})

test('case 29: the same transaction in capitals, with 0x, on two pages, after a restart and in a second look is credited once', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const spelled = (spell: (txid: string) => string) =>
    shop.tron.faults.inject({
      kind: 'edit',
      method: 'trc20',
      times: Infinity,
      edit: (page: { data: { transaction_id: string }[] }) => ({
        ...page,
        data: page.data.map((row) => ({ ...row, transaction_id: spell(row.transaction_id) })),
      }),
    })
  shop.pay(topUp)
  const restore = spelled((txid) => txid.toUpperCase())
  await shop.settle()
  restore()
  shop.tron.faults.inject({ kind: 'duplicate-row', times: Infinity })
  await shop.pass(30_000)
  spelled((txid) => `0x${txid}`)
  await shop.restarted().topUps.scanner?.scan()
  shop.tron.faults.clear()
  await shop.pass(25 * MINUTE_MS, MINUTE_MS)
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(1)
  expect(await shop.transfers()).toEqual(['matched'])
  await shop.audited()
})

test('case 30: two operators, or an operator and the scanner, decide about the same thing: the first one wins', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const { payments } = shop.core.operator
  const stray = shop.people.transfer({ units: unitsOf(topUp.pay_amount) - 1n })
  await shop.settle()
  expect(await payments.list()).toMatchObject([
    { txid: stray, reason: 'no_order', near: [{ orderNo: topUp.order_no }] },
  ])
  const results = await Promise.allSettled([
    payments.assign(SHELL, { txid: stray, orderNo: topUp.order_no }),
    payments.assign(SHELL, { txid: stray, orderNo: topUp.order_no }),
    payments.ignore(SHELL, { txid: stray }),
    payments.refund(SHELL, { txid: stray, note: 'sent back' }),
  ])
  expect(tally(results)).toEqual({ ok: 1, invalid_state: 3 })
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', manual: true })
  expect(await payments.list()).toEqual([])

  const other = await shop.open(user, '55')
  const tooLittle = shop.people.transfer({ units: unitsOf(other.pay_amount) - 1n })
  await shop.settle()
  shop.pay(other)
  shop.clock.advance(6000)
  await shop.scan()
  await refused(payments.assign(SHELL, { txid: tooLittle, orderNo: other.order_no }), 'payment_in_progress')
  shop.clock.advance(60_000)
  await Promise.allSettled([
    shop.scan(),
    payments.assign(SHELL, { txid: tooLittle, orderNo: other.order_no }),
  ])
  await shop.settle()
  expect((await shop.topUp(other)).status).toBe('paid')
  // Now that it is paid, what came too much can be given to the same user.
  if ((await payments.list()).length > 0)
    await payments.assign(SHELL, { txid: tooLittle, orderNo: other.order_no })
  expect(await shop.entries(user)).toHaveLength(3)
  await shop.audited()
})

test('case 31: after a change of the wallet, top-ups at the old one are still honoured, and new ones name the new one', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const old = await shop.open(user)
  await shop.scan()
  const wallet = 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U'
  const core = shop.restartedWith({ wallet })
  const { topUp } = await core.topUps.create(user, { amount: '100' })
  expect(topUp.wallet).toBe(wallet)
  shop.pay(old)
  shop.people.transfer({ to: wallet, units: BigInt(topUp.payAmount) })
  for (let i = 0; i < 12; i += 1) {
    shop.clock.advance(6000)
    await core.topUps.scanner?.scan()
  }
  expect((await shop.topUp(old)).status).toBe('paid')
  expect((await shop.topUp({ order_no: topUp.orderNo })).status).toBe('paid')
  await shop.audited()
})

test('one transaction that pays the old wallet and the new one pays both top-ups', async () => {
  const shop = await openShop()
  const [before, after] = [await shop.customer(null), await shop.customer(null)]
  const old = await shop.open(before)
  await shop.scan()
  const wallet = 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U'
  const core = shop.restartedWith({ wallet })
  const { topUp } = await core.topUps.create(after, { amount: '70' })
  shop.people.batch([{ units: unitsOf(old.pay_amount) }, { to: wallet, units: BigInt(topUp.payAmount) }])
  for (let i = 0; i < 12; i += 1) {
    shop.clock.advance(6000)
    await core.topUps.scanner?.scan()
  }
  expect((await shop.topUp(old)).status).toBe('paid')
  expect((await shop.topUp({ order_no: topUp.orderNo })).status).toBe('paid')
  await shop.audited()
})
