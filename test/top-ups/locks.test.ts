import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import { createCore } from '../../src/core/core.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { createTronChain } from '../../src/networks/tron/tron-chain.ts'
import { expectRefusal } from '../support/api.ts'
import { beside, type Beside, REFUSED_BY } from '../support/beside.ts'
import { urlOf } from '../support/postgres.ts'
import { JWT_SECRET, PASSWORD, refused, tally } from '../support/service.ts'
import { openShop, type Shop, TERMS, unitsOf, WALLET } from '../support/top-ups.ts'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'

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
    topUps: { terms: TERMS, networks: [{ network: chain, wallet: WALLET, contract: USDT_CONTRACT }] },
  })
  const people = await users(shop, 100)
  const results = await Promise.allSettled(
    people.flatMap((user) => [shop.core, other].map((core) => core.topUps.create(user, { amount: '100' }))),
  )
  await db.close()
  expect(tally(results)).toEqual({ ok: 200 })
  const rows = await shop.db.read.topUp.findMany()
  expect(new Set(rows.map(({ payUnits }) => payUnits)).size).toBe(200)
  const again = (await beside(shop)).run(
    `INSERT INTO top_ups SELECT 999, 'U-again', user_id, NULL, wallet, contract, amount_units, pay_units, rate, credit_amount, status, late,
       manual, seen_txid, reference, expires_at, match_until, released_at, cancelled_at, paid_at, created_at, updated_at, network FROM top_ups LIMIT 1`,
  )
  await expect(again).rejects.toThrow(REFUSED_BY.unique)
})

/** How many amounts the operator was told to be left. */
const left = async ({ db }: Shop) =>
  (await db.read.notice.findMany({ where: { kind: 'top_up_slots_low' }, orderBy: { id: 'asc' } })).map(
    ({ data }) => (JSON.parse(data) as { free: number }).free,
  )

/** Takes amounts near 100 USDT for a day: all of these tails, each of so many 0.0001 USDT. */
async function takeTails(
  { db, clock, customer }: Shop,
  tails: readonly number[],
  {
    user,
    status = 'expired',
    since = 0,
  }: { user?: Actor; status?: 'expired' | 'cancelled'; since?: number } = {},
): Promise<void> {
  const { id } = user ?? (await customer(null))
  const time = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const known = await db.read.topUp.count()
  await db.write((tx) =>
    tx.topUp.createMany({
      data: tails.map((tail, at) => ({
        orderNo: `U-taken-${known + at}`,
        userId: id,
        wallet: WALLET,
        contract: USDT_CONTRACT,
        amountUnits: 100_000_000,
        payUnits: 100_000_000 + tail * 100,
        rate: 1_000_000,
        creditAmount: 0,
        status,
        ...(status === 'cancelled' && { cancelledAt: time(-since) }),
        expiresAt: time(30 * MINUTE_MS - since),
        matchUntil: time(24.5 * HOUR_MS - since),
        createdAt: time(-since),
        updatedAt: time(-since),
      })),
    }),
  )
}

/** The tails that are free. */
async function freeTails({ db }: Shop, tails: readonly number[] = TAILS): Promise<number[]> {
  const held = new Set((await db.read.topUp.findMany()).map(({ payUnits }) => Number(payUnits)))
  return tails.filter((tail) => !held.has(100_000_000 + tail * 100))
}

/** All tails that there are, in 0.0001 USDT: no amount is whole cents. */
const TAILS = Array.from({ length: 999 }, (_, index) => index + 1).filter((tail) => tail % 100 !== 0)
const SHORT = TAILS.filter((tail) => tail < 100)
const tailOf = ({ pay_amount }: { readonly pay_amount: string }) =>
  Number(unitsOf(pay_amount) - 100_000_000n) / 100

test('a tail is below a cent while fewer than 50 of those are in use, then below ten cents, of four decimals, and never whole cents', async () => {
  const shop = await openShop()
  await takeTails(shop, SHORT.slice(0, 49))
  const [first, second] = await users(shop, 2)
  if (!first || !second) throw new Error('nobody is there')
  expect(SHORT.slice(49)).toContain(tailOf(await shop.open(first)))
  await takeTails(shop, await freeTails(shop, SHORT))
  const long = await shop.open(second)
  expect(TAILS.filter((tail) => tail > 100)).toContain(tailOf(long))
  expect(long.pay_amount).toMatch(/^100\.0\d{2,3}$/)
  // Whole cents more is an amount with tails of its own, of which no two are the same either.
  expect((await shop.open(second, '100.01')).pay_amount).not.toBe(long.pay_amount)
})

test('while amounts are scarce, those that were cancelled an hour ago and never paid come back first', async () => {
  const shop = await openShop()
  await takeTails(shop, TAILS.slice(0, 300), { status: 'cancelled', since: 2 * HOUR_MS })
  await takeTails(shop, TAILS.slice(300, 400), { status: 'cancelled', since: 10 * MINUTE_MS })
  await takeTails(shop, TAILS.slice(400))
  const late = await shop.customer(null)
  await refused(shop.core.topUps.create(late, { amount: '100' }), 'unavailable')
  await shop.pass(16 * MINUTE_MS, MINUTE_MS)
  const again = await shop.open(late)
  expect(TAILS.slice(0, 300)).toContain(tailOf(again))
  expect(await shop.db.read.topUp.count({ where: { releasedAt: null } })).toBe(691)
  // A payment for one of them that comes after all waits for the operator.
  const { payUnits } = await shop.db.read.topUp.findFirstOrThrow({
    where: { releasedAt: { not: null }, payUnits: { not: unitsOf(again.pay_amount) } },
  })
  shop.people.transfer({ units: payUnits })
  await shop.settle()
  expect(await shop.transfers()).toEqual(['no_order'])
})

test('the accounts of one agent cannot take all amounts by never paying: they are refused, and others are not', async () => {
  const shop = await openShop()
  const [agent, rival] = [await shop.agent(), await shop.agent()]
  const [busy, next, other] = [
    await shop.customer(agent),
    await shop.customer(agent),
    await shop.customer(rival),
  ]
  await takeTails(shop, TAILS.slice(0, 200), { user: busy })
  expect((await shop.open(next)).status).toBe('pending')
  // It has one of them by chance.
  await takeTails(shop, (await freeTails(shop)).slice(0, 300))
  const refusal = await (await shop.as(next)).post('/usdt/create-order', { amount: '100' })
  expectRefusal(refusal, 429, 'too_many_pending_orders')
  expect(refusal.body.data).toEqual({ max_unpaid_orders_of_agent: 200, amount: '100.00' })
  expect(refusal.headers['retry-after']).toBe(String(24.5 * 3600))
  expect((await shop.open(other)).status).toBe('pending')
  expect((await shop.open(next, '200')).status).toBe('pending')
})

test('the operator hears every day on which somebody is turned away because all amounts are taken', async () => {
  const shop = await openShop({ operatorChats: [9], terms: { graceMs: 7 * 24 * HOUR_MS } })
  await takeTails(shop, TAILS.slice(11))
  const [some, late] = [await shop.customer(null), await shop.customer(null)]
  for (let i = 0; i < 2; i += 1) await shop.open(some)
  expect(await left(shop)).toEqual([9])
  await takeTails(shop, await freeTails(shop))
  for (const days of [0, 1, 0]) {
    shop.clock.advance(days * 23 * HOUR_MS)
    await refused(shop.core.topUps.create(late, { amount: '100' }), 'unavailable')
  }
  expect(await left(shop)).toEqual([9, 0, 0])
})

test('case 21: when all amounts are taken, the refusal is clear and the operator knows; later they are free again', async () => {
  const shop = await openShop({ operatorChats: [9] })
  await takeTails(shop, TAILS)
  const late = await shop.customer(null)
  const http = await shop.as(late)
  expect(await http.post('/usdt/create-order', { amount: '100' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: { error: 'unavailable', data: { reason: 'amount_taken', amount: '100.00' } },
  })
  expect(await left(shop)).toEqual([0])
  await shop.open(late, '200')
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
  // Everybody else has another amount.
  await takeTails(
    shop,
    TAILS.filter((tail) => tail !== tailOf(first)),
  )
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
  await core.topUps.scanners[0]?.scan()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: true })
  shop.clock.advance(15 * MINUTE_MS)
  await core.topUps.scanners[0]?.scan()
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
    restarted.topUps.scanners[0]?.scan(),
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
    ['BEFORE UPDATE', 'listed_transactions', "NEW.state = 'done'"],
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
    expect(await shop.balance(user)).toBe(creditAmount / 1e6)
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
  await shop.restarted().topUps.scanners[0]?.scan()
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
    await core.topUps.scanners[0]?.scan()
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
    await core.topUps.scanners[0]?.scan()
  }
  expect((await shop.topUp(old)).status).toBe('paid')
  expect((await shop.topUp({ order_no: topUp.orderNo })).status).toBe('paid')
  await shop.audited()
})
