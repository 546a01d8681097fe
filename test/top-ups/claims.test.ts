import { expect, test } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import { createCore } from '../../src/core/core.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import { TRON } from '../../src/networks/tron/index.ts'
import { expectRefusal } from '../support/api.ts'
import { JWT_SECRET, refused } from '../support/service.ts'
import { openShop, type Shop, TERMS, unitsOf, WALLET } from '../support/top-ups.ts'

/** Where exchanges and people pay from. */
const EXCHANGE = 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U'
const TEN = 10_000_000n
const onTron = (txid: string) => [{ network: TRON.id, txid }]

interface Offered {
  readonly tx_hash: string
  readonly amount: string
  readonly claimed: boolean
}

/** What check-status offers for a top-up. */
async function offeredTo(shop: Shop, user: Actor, { order_no }: { readonly order_no: string }) {
  const { body } = await (await shop.as(user)).get(`/usdt/check-status?order_no=${order_no}`)
  return (body.data as unknown as { offered_transfer: Offered | null }).offered_transfer
}

/** Sends the amount from the exchange, in a block after everything so far; answers the txid. */
function send(shop: Shop, units = TEN): string {
  shop.clock.advance(3000)
  return shop.people.transfer({ units, from: EXCHANGE })
}

async function claim(shop: Shop, user: Actor, { order_no }: { readonly order_no: string }, tx_hash: string) {
  return (await shop.as(user)).post('/usdt/claim-transfer', { order_no, tx_hash })
}

/** A customer who has paid once before, by the exact amount. */
async function payer(shop: Shop, from: string): Promise<Actor> {
  const user = await shop.customer(null)
  shop.pay(await shop.open(user, '33'), { from })
  await shop.settle()
  return user
}

test('a payment without the tail is offered to whoever may have sent it, a claim is seen by the operator, and only the operator credits it', async () => {
  const shop = await openShop({ operatorChats: [9] })
  const user = await shop.customer(null)
  const topUp = await shop.open(user, '10')
  expect(await offeredTo(shop, user, topUp)).toBeNull()
  const txid = send(shop)
  await shop.settle()
  expect(await offeredTo(shop, user, topUp)).toMatchObject({
    tx_hash: txid,
    log_index: 0,
    from_address: EXCHANGE,
    amount: '10.00',
    claimed: false,
  })

  const claimed = await claim(shop, user, topUp, txid.toUpperCase())
  expect(claimed.body.data).toMatchObject({ status: 'pending', offered_transfer: { claimed: true } })
  expect((await claim(shop, user, topUp, `${txid}:0`)).body.data).toEqual(claimed.body.data)
  expect(await shop.balance(user)).toBe(0)
  const { payments } = shop.core.operator
  expect(await payments.list()).toMatchObject([
    { txid, claims: [{ orderNo: topUp.order_no, username: user.username }], near: [] },
  ])
  expect(await shop.alerts()).toEqual(['transfer_unmatched', 'transfer_claimed'])

  await payments.assign(SHELL, { txid, orderNo: topUp.order_no })
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', manual: true })
  expect(await shop.balance(user)).toBe(10)
  // Another press finds that it is done.
  expect((await claim(shop, user, topUp, txid)).body.data).toMatchObject({ status: 'paid' })
  expect(await shop.entries(user)).toHaveLength(1)
  await shop.audited()
})

test('it is credited by the claim where the sender has paid this account before and nobody else, and no other top-up can be meant', async () => {
  const shop = await openShop({ operatorChats: [9] })
  const user = await payer(shop, EXCHANGE)
  const before = await shop.balance(user)
  const topUp = await shop.open(user, '10')
  const txid = send(shop)
  await shop.settle()
  expect(await shop.balance(user)).toBe(before)
  const results = await Promise.all([1, 2, 3].map(() => claim(shop, user, topUp, txid)))
  for (const { body } of results)
    expect(body.data).toMatchObject({ status: 'paid', paid_amount: '10.00', late: false, tx_hash: txid })
  expect(await shop.balance(user)).toBe(before + 10)
  expect(await shop.entries(user)).toHaveLength(2)
  expect(await shop.core.operator.payments.list()).toEqual([])
  await refused(
    shop.core.operator.payments.assign(SHELL, { txid, orderNo: topUp.order_no }),
    'invalid_state',
    {
      status: 'matched',
    },
  )
  await shop.audited()
})

test('a claim for somebody else’s payment credits nothing by itself, whatever the thief has done before', async () => {
  /** What the owner of the money has, and whether the thief’s payments came from the same exchange. */
  const cases: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
    'the exchange has paid another account as well': (shop) => payer(shop, EXCHANGE),
    'the owner’s own top-up asks for nearly the same': async (shop) =>
      shop.open(await shop.customer(null), '12'),
    'the owner’s top-up has expired': async (shop) => {
      await shop.open(await shop.customer(null), '10')
      await shop.pass(31 * 60_000, 60_000)
    },
  }
  for (const [name, prepare] of Object.entries(cases)) {
    const shop = await openShop()
    const thief = await payer(shop, EXCHANGE)
    const before = await shop.balance(thief)
    await prepare(shop)
    const bait = await shop.open(thief, '10')
    const txid = send(shop)
    await shop.settle()
    expect((await claim(shop, thief, bait, txid)).body.data, name).toMatchObject({ status: 'pending' })
    expect(await shop.balance(thief), name).toBe(before)
    expect(await shop.transfers(), name).toContain('no_order')
    await shop.audited()
  }

  const shop = await openShop()
  const thief = await shop.customer(null)
  // Never paid from there; paid from there, but the operator has assigned it; another amount; a top-up made after the payment.
  const first = await shop.open(thief, '10')
  const once = send(shop)
  await shop.settle()
  expect((await claim(shop, thief, first, once)).body.data).toMatchObject({ status: 'pending' })
  await shop.core.operator.payments.assign(SHELL, { txid: once, orderNo: first.order_no })
  const second = await shop.open(thief, '10')
  const twice = send(shop)
  await shop.settle()
  expect((await claim(shop, thief, second, twice)).body.data).toMatchObject({ status: 'pending' })
  const known = await shop.open(thief, '20')
  shop.pay(known, { from: EXCHANGE })
  const third = await shop.open(thief, '50')
  const less = send(shop, 49_000_000n)
  await shop.settle()
  expect((await claim(shop, thief, third, less)).body.data).toMatchObject({ status: 'pending' })
  const seen = send(shop, 90_000_000n)
  shop.clock.advance(3000)
  const late = await shop.open(thief, '90')
  await shop.settle()
  expect((await claim(shop, thief, late, seen)).body.data).toMatchObject({ status: 'pending' })
  expect(await shop.entries(thief)).toHaveLength(2)
  await shop.audited()
})

test('two claims of one transfer: the operator sees both, none credits by itself, and the other one hears how it was decided', async () => {
  const shop = await openShop()
  const [ann, ben] = [await payer(shop, EXCHANGE), await shop.customer(null)]
  const [hers, his] = [await shop.open(ann, '10'), await shop.open(ben, '10')]
  const txid = send(shop)
  await shop.settle()
  await Promise.all([claim(shop, ben, his, txid), claim(shop, ann, hers, txid)])
  const [transfer] = await shop.core.operator.payments.list()
  expect(transfer?.claims.map(({ orderNo }) => orderNo).toSorted()).toEqual(
    [hers.order_no, his.order_no].toSorted(),
  )
  // What the claims of others say stays with the shop.
  const { body } = await (await shop.as(ben)).get(`/usdt/check-status?order_no=${his.order_no}`)
  expect(JSON.stringify(body)).not.toContain(hers.order_no)
  await shop.core.operator.payments.assign(SHELL, { txid, orderNo: hers.order_no })
  expect(await shop.core.topUps.look(ben, his.order_no)).toMatchObject({
    status: 'pending',
    offered: undefined,
    claimRefused: true,
  })
  // A payment that comes after all is credited as ever.
  shop.pay(his)
  await shop.settle()
  expect(await shop.topUp(his)).toMatchObject({ status: 'paid', manual: false })
  await shop.audited()
})

test('what is due to another, far from every own top-up, decided, or of another’s top-up is not offered, and refused as if there were none', async () => {
  const shop = await openShop()
  const [owner, stranger] = [await shop.customer(null), await shop.customer(null)]
  const [paid, near] = [await shop.open(owner, '10'), await shop.open(stranger, '10')]
  shop.pay(paid)
  const twice = shop.pay(paid)
  const far = shop.people.transfer({ units: 500_000_000n })
  const ignored = shop.people.transfer({ units: TEN })
  await shop.settle()
  await shop.core.operator.payments.ignore(SHELL, { txid: ignored })
  expect(await offeredTo(shop, stranger, near)).toBeNull()
  const nothing = await claim(shop, stranger, near, 'f'.repeat(64))
  expectRefusal(nothing, 422, 'validation_error')
  for (const txid of [twice, far, ignored]) {
    const answer = await claim(shop, stranger, near, txid)
    expect({ status: answer.status, data: answer.body.data }).toEqual({
      status: 422,
      data: nothing.body.data,
    })
  }
  expectRefusal(await claim(shop, stranger, paid, twice), 404, 'order_not_found')
  for (const wrong of ['', 'abc', `${twice}:x`, '1'.repeat(63)])
    expectRefusal(await claim(shop, stranger, near, wrong), 422, 'validation_error')
  // Who has paid twice can say so: it is the operator’s to decide.
  expect((await claim(shop, owner, paid, twice)).status).toBe(200)
  const waiting = await shop.core.operator.payments.list()
  expect(
    Object.fromEntries(
      waiting.map(({ txid, claims }) => [txid, claims.map(({ orderNo }) => orderNo)] as const),
    ),
  ).toEqual({ [far]: [], [twice]: [paid.order_no] })
  expect(await shop.entries(stranger)).toEqual([])
  await shop.audited()
})

test('a transaction that is named is answered from the records, or else from the chain', async () => {
  const shop = await openShop()
  const [user, other] = [await shop.customer(null), await shop.customer(null)]
  const kindOf = async (txid: string, of = user) =>
    (await shop.core.topUps.findPayment(of, onTron(txid))).kind
  const before = shop.people.transfer({ units: TEN, at: new Date(shop.clock.now().getTime() - 3_600_000) })
  const [topUp, fits] = [await shop.open(user, '10'), await shop.open(other, '70')]
  await shop.scan()
  const token = shop.people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  const sent = {
    fresh: shop.people.transfer({ units: TEN }),
    reverted: shop.people.transfer({ units: TEN, outcome: 'REVERT' }),
    fake: shop.people.transfer({ units: TEN, contract: token.address }),
    elsewhere: shop.people.transfer({ units: TEN, to: EXCHANGE }),
    theirs: shop.pay(fits),
  }
  // Nothing lists it yet: the chain is asked.
  expect(await kindOf(sent.fresh)).toBe('unconfirmed')
  await shop.settle()
  expect(await shop.core.topUps.findPayment(user, onTron(sent.fresh))).toMatchObject({
    kind: 'offered',
    orderNo: topUp.order_no,
    transfer: { txid: sent.fresh },
  })
  expect(await kindOf(sent.reverted)).toBe('failed')
  expect(await kindOf(sent.fake)).toBe('other_token')
  expect(await kindOf(sent.elsewhere)).toBe('other_address')
  expect(await kindOf('a'.repeat(64))).toBe('unknown')
  expect(await kindOf('b'.repeat(64))).toBe('unknown')
  // A minute has its limit; what is on record costs nothing.
  await refused(shop.core.topUps.findPayment(user, onTron(before)), 'rate_limited')
  expect(await kindOf(sent.theirs)).toBe('settled')
  expect(await shop.core.topUps.findPayment(other, onTron(sent.theirs))).toEqual({
    kind: 'top_up',
    orderNo: fits.order_no,
  })
  shop.clock.advance(61_000)
  expect(await kindOf(before)).toBe('too_old')
  expect(await shop.transfers()).not.toContain('dust')
  expect(await kindOf(sent.fresh, other)).toBe('undecided')
  await shop.audited()
})

test('a payment that the index does not list is found by its transaction, and credited as by a scan', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user, '10')
  await shop.scan()
  shop.tron.faults.inject({
    kind: 'edit',
    method: 'trc20',
    times: Infinity,
    edit: (page: { data: unknown[] }) => ({ ...page, data: [] }),
  })
  const txid = shop.pay(topUp)
  await shop.settle()
  expect((await shop.topUp(topUp)).status).toBe('pending')
  expect(await shop.core.topUps.findPayment(user, onTron(txid))).toEqual({
    kind: 'top_up',
    orderNo: topUp.order_no,
  })
  expect(await shop.balance(user)).toBe(Number(unitsOf(topUp.pay_amount)) / 1e6)
  await shop.audited()
})

test('a server that does not read the chain has a transaction looked up by the one that does', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  await shop.scan()
  const elsewhere = shop.people.transfer({ units: TEN, to: EXCHANGE })
  shop.clock.advance(66_000)
  const nothing = new Proxy({}, { get: (_, name) => () => expect.unreachable(String(name)) })
  const follower = createCore({
    db: shop.db,
    clock: shop.clock,
    suppliers: {},
    currency: 'USD',
    jwtSecret: JWT_SECRET,
    jwtTtl: 86_400,
    topUps: {
      terms: TERMS,
      networks: [{ network: { ...TRON, ...nothing } as never, wallet: WALLET, contract: USDT_CONTRACT }],
      standsBy: () => true,
    },
  })
  const asked = follower.topUps.findPayment(user, onTron(elsewhere))
  await expect.poll(() => shop.db.read.lookedUpTransaction.count()).toBe(1)
  expect(await shop.scanner().pause()).toBe(0)
  await shop.scan()
  expect(await asked).toEqual({ kind: 'other_address' })
})
