import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import { ChainUnavailable } from '../../src/core/top-ups/payment-network.ts'
import type { Fault } from '../../src/emulators/tron/types.ts'
import { movableClock, tally } from '../support/service.ts'
import { openShop, TERMS, unitsOf, WALLET } from '../support/top-ups.ts'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import { kind } from '../support/weighted-step.ts'
import { rowsOf } from '../support/raw-rows.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** An amount of which almost all tails are taken: what expires is soon somebody else's. */
const SCARCE = '100'
const FREE_TAILS = 3
/** Money below it is not worth anybody's attention. */
const DUST = 10_000n
/** Nobody has ever paid that much. */
const ABSURD = 1_000_000_000_000_000n
const STRANGER = 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U'

/** The usual in two of three cases. */
function mostly<const Usual, const Other>(usual: Usual, ...others: Other[]): fc.Arbitrary<Usual | Other> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

/** Once in so many cases. */
function once(cases: number): fc.Arbitrary<boolean> {
  return fc.nat(cases - 1).map((n) => n === cases - 1)
}

/** Of what there is when the step is made, the newest first. */
const which = fc.oneof(fc.constant(0), fc.nat(5))
const payment = fc.record({
  which,
  units: mostly('exact', 'too little', 'too much', 'no tail', 'unknown', 'dust', 'absurd'),
  to: mostly('us', 'somebody else', 'us in another token'),
})
type Payment = typeof payment extends fc.Arbitrary<infer Value> ? Value : never

const fault: fc.Arbitrary<Fault> = fc
  .record({
    what: fc.constantFrom<Fault>(
      { kind: 'status', status: 503 },
      { kind: 'suspended', seconds: 5 },
      { kind: 'bad-key' },
      { kind: 'html' },
      { kind: 'truncated' },
      { kind: 'drop' },
      { kind: 'node-error' },
      { kind: 'wrong-id' },
      { kind: 'drop-row' },
      { kind: 'duplicate-row' },
      { kind: 'solid-lag', blocks: 10 },
      { kind: 'solid-lag', blocks: 300 },
      { kind: 'head-lag', blocks: 300 },
    ),
    times: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ what, times }) => ({ ...what, times }))

const action = fc.oneof(
  kind(9, 'open', {
    user: fc.nat(3),
    amount: fc.constantFrom(SCARCE, SCARCE, '25', '7.31'),
    /** Of the caller: few, so that requests are repeated, and contradicted. */
    number: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(2) }),
  }),
  kind(10, 'pay', {
    payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
    fails: once(10),
    /** How long ago its block was made: an index may be late. */
    minutesAgo: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 10 }) },
      { weight: 1, arbitrary: fc.integer({ min: 11, max: 20 * 60 }) },
    ),
  }),
  kind(7, 'reorganise', { which, back: fc.boolean() }),
  kind(1, 'include again', { which }),
  kind(6, 'check', { which }),
  kind(5, 'cancel', { which }),
  kind(8, 'scan', {}),
  kind(8, 'decide', {
    which,
    topUp: which,
    decision: fc.constantFrom('assign', 'assign', 'ignore', 'refund'),
    anything: once(4),
  }),
  kind(2, 'trouble', { fault, everywhere: fc.boolean() }),
  kind(1, 'delay', { minutes: fc.constantFrom(0, 1, 8, 20) }),
  kind(1, 'restart', { rate: fc.constantFrom(1_000_000, 7_123_457, 333_333) }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const round = fc.record({
  /** Everything in it happens at once, and what is `twice` comes twice. */
  steps: fc.array(fc.record({ action, twice: once(4) }), {
    minLength: 1,
    maxLength: 6,
    size: 'max',
  }),
  /** What the clock does afterwards, and how often the loop reads the chain meanwhile. */
  pause: fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: 0, max: 50 * SECOND }) },
    { weight: 3, arbitrary: fc.integer({ min: 2 * MINUTE, max: 40 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: HOUR, max: 26 * HOUR }) },
    // Until the time of a top-up is over, or its grace.
    {
      weight: 4,
      arbitrary: fc.record({
        which,
        of: fc.constantFrom('expires', 'until'),
        seconds: fc.integer({ min: -6, max: 6 }),
      }),
    },
  ),
  scans: fc.nat(2),
})
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never

/** What the shop has promised, by its answers and the rules: not what its tables say. */
interface Promised {
  readonly orderNo: string
  readonly user: Actor
  /** In units of 10^-6 USDT, with the tail. */
  readonly pay: bigint
  readonly rate: bigint
  /** Milliseconds: opened, time over, grace over. */
  readonly opened: number
  readonly expires: number
  until: number
}

/** A transfer of USDT to the wallet, named by txid and log index; the chain knows whether and where it stands. */
interface Paid {
  readonly name: string
  readonly txid: string
  readonly units: bigint
  /** When it could be seen first. */
  readonly sent: number
}

async function openWorld() {
  const clock = movableClock()
  const shop = await openShop({ fallback: true, clock })
  await takeTails(shop)
  const users: Actor[] = []
  for (let i = 0; i < 4; i += 1) users.push(await shop.customer(null))
  await shop.scan()
  const fake = shop.people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6 }).address
  return {
    shop,
    users,
    fake,
    began: clock.now().getTime(),
    /** What runs; a restart puts another one in its place, also in the middle of a scan. */
    core: shop.core,
    rate: BigInt(TERMS.rate),
    promised: [] as Promised[],
    numbers: new Map<string, string>(),
    paid: [] as Paid[],
    txids: [] as string[],
    /** Transactions that a reorganisation has left out. */
    dropped: new Set<string>(),
    cancelled: new Set<string>(),
    /** What the operator did with a transfer: the number of a top-up, or null when it was ignored or sent back. */
    decisions: new Map<string, string | null>(),
  }
}
type World = Awaited<ReturnType<typeof openWorld>>

/** Somebody holds almost all amounts near {@link SCARCE} for a long time. */
async function takeTails({ db, customer }: Awaited<ReturnType<typeof openShop>>): Promise<void> {
  const { id } = await customer(null, { name: 'crowd' })
  const amount = Number(unitsOf(SCARCE))
  await db.write(
    (tx) => rowsOf(tx)`
    WITH RECURSIVE tails(n) AS (SELECT ${FREE_TAILS + 1} UNION ALL SELECT n + 1 FROM tails WHERE n < 999)
    INSERT INTO top_ups (order_no, user_id, wallet, contract, amount_units, pay_units, rate, credit_amount, status, expires_at, match_until,
                         created_at, updated_at)
    SELECT 'U-' || n, ${id}, ${WALLET}, ${USDT_CONTRACT}, ${amount}, ${amount} + n * 100, 1000000, 0, 'cancelled',
           '2026-03-01T00:30:00.000Z', '2027-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z' FROM tails
    WHERE n % 100 <> 0`,
  )
}

/** The one at this place, counted from the newest. */
function pick<Item>(items: readonly Item[], place: number): Item | undefined {
  return items.length === 0 ? undefined : items[items.length - 1 - (place % items.length)]
}

function creditOf(units: bigint, rate: bigint): bigint {
  return (units * rate) / 1_000_000n
}

async function carryOut(world: World, step: Action): Promise<void> {
  const { shop, core, promised } = world
  const { people } = shop
  switch (step.do) {
    case 'open':
      return open(world, step)
    case 'pay':
      return pay(world, step)
    case 'reorganise': {
      const txid = pick(
        world.txids.filter((each) => people.find(each)?.solid === false),
        step.which,
      )
      if (txid === undefined) return
      if (step.back) return people.include(txid)
      people.drop(txid)
      world.dropped.add(txid)
      return
    }
    case 'include again': {
      const txid = pick([...world.dropped], step.which)
      if (txid === undefined) return
      world.dropped.delete(txid)
      people.include(txid)
      return
    }
    case 'check': {
      const topUp = pick(promised, step.which)
      if (topUp) await core.topUps.check(topUp.user, topUp.orderNo)
      return
    }
    case 'cancel': {
      const topUp = pick(promised, step.which)
      if (!topUp) return
      await core.topUps.cancel(topUp.user, topUp.orderNo)
      world.cancelled.add(topUp.orderNo)
      return
    }
    case 'scan':
      return scan(world)
    case 'decide':
      return decide(world, step)
    case 'trouble': {
      shop.tron.faults.inject(step.fault)
      if (step.everywhere) shop.second?.faults.inject(step.fault)
      return
    }
    case 'delay':
      shop.tron.settings.indexDelayMs = step.minutes * MINUTE
      return
    case 'restart':
      world.core = shop.restartedWith({ rate: step.rate })
      world.rate = BigInt(step.rate)
      return
  }
}

/** As the loop does, which comes round again when the chain cannot be read. */
async function scan({ core }: World): Promise<void> {
  await core.topUps.scanners[0]?.scan().catch((error: unknown) => {
    if (!(error instanceof ChainUnavailable)) throw error
  })
}

async function open(world: World, step: Extract<Action, { do: 'open' }>): Promise<void> {
  const { core, rate, promised, numbers, users } = world
  const user = pick(users, step.user)
  if (!user) return
  const clientOrderNo = step.number === null ? undefined : `app-${step.number}`
  const { topUp, replayed } = await core.topUps.create(user, { amount: step.amount, clientOrderNo })
  const { orderNo } = topUp
  if (clientOrderNo !== undefined) {
    const key = `${user.id} ${clientOrderNo}`
    expect(numbers.get(key) ?? orderNo).toBe(orderNo)
    numbers.set(key, orderNo)
  }
  if (replayed) return
  const pay = BigInt(topUp.payAmount)
  const tail = Number(pay - unitsOf(step.amount))
  expect(tail > 0 && tail < 100_000 && tail % 100 === 0 && tail % 10_000 !== 0).toBe(true)
  expect(BigInt(topUp.creditAmount)).toBe(creditOf(pay, rate))
  const opened = Date.parse(topUp.createdAt)
  const expires = opened + TERMS.expireMs
  promised.push({ orderNo, user, pay, rate, opened, expires, until: expires + TERMS.graceMs })
}

function pay(world: World, { payments, fails, minutesAgo }: Extract<Action, { do: 'pay' }>): void {
  const { people, clock } = world.shop
  const at = new Date(Math.max(clock.now().getTime() - minutesAgo * MINUTE, world.began))
  const events = payments.map((each) => ({
    units: unitsFor(world, each),
    to: each.to === 'somebody else' ? STRANGER : WALLET,
    contract: each.to === 'us in another token' ? world.fake : people.contract,
  }))
  const outcome = fails ? 'OUT_OF_ENERGY' : 'SUCCESS'
  const txid = people.batch(events, { at, outcome })
  world.txids.push(txid)
  if (fails) return
  for (const [index, { units, to, contract }] of events.entries())
    if (to === WALLET && contract === people.contract)
      world.paid.push({ name: `${txid}:${index}`, txid, units, sent: clock.now().getTime() })
}

function unitsFor({ promised }: World, { which, units }: Payment): bigint {
  const unknown = unitsOf('12.345678')
  const exact = pick(promised, which)?.pay ?? unknown
  switch (units) {
    case 'exact':
      return exact
    case 'too little':
      return exact - 1n
    case 'too much':
      return exact + 1_000_000n
    case 'no tail':
      return exact - (exact % 10_000n)
    case 'unknown':
      return unknown
    case 'dust':
      return DUST - 1n
    case 'absurd':
      return 2n * ABSURD
  }
}

/** Mostly about what waits for it, sometimes about anything. */
async function decide(world: World, step: Extract<Action, { do: 'decide' }>): Promise<void> {
  const { core, promised, paid, decisions } = world
  const { payments } = core.operator
  const queue = (await payments.list()).map(({ txid, index }) => `${txid}:${index}`)
  const anything = paid.map(({ name }) => name)
  const txid = pick(step.anything ? anything : queue, step.which)
  const orderNo = pick(promised, step.topUp)?.orderNo
  if (txid === undefined || orderNo === undefined) return
  if (step.decision === 'assign') await payments.assign(SHELL, { txid, orderNo })
  else if (step.decision === 'ignore') await payments.ignore(SHELL, { txid })
  else await payments.refund(SHELL, { txid, note: 'sent back' })
  expect(decisions.has(txid)).toBe(false)
  decisions.set(txid, step.decision === 'assign' ? orderNo : null)
}

/** When the block was made with which the chain has the transfer; undefined while it can still be undone. */
function solidTime({ shop }: World, { txid }: Paid): number | undefined {
  const found = shop.people.find(txid)
  return found?.solid ? found.time.getTime() : undefined
}

/** Whose amount it is at a time of the chain, whose clock may differ from ours by a minute. */
function holdersOf({ promised }: World, units: bigint, time: number): readonly Promised[] {
  return promised.filter(
    ({ pay, opened, until }) => pay === units && opened - MINUTE <= time && time <= until,
  )
}

/**
 * True at every moment: no amount is two people's, and only irreversible transfers are credited, once each, whole, to whom they belong.
 *
 * @returns the names of the transfers that were credited
 */
async function prove(world: World): Promise<ReadonlySet<string>> {
  const { shop, promised, paid, decisions } = world
  await shop.audited()
  // While amounts are scarce, the grace of a cancelled one may end early, but not within an hour.
  for (const topUp of promised) {
    const { status, matchUntil, cancelledAt } = await shop.topUp({ order_no: topUp.orderNo })
    const until = Date.parse(matchUntil)
    if (until === topUp.until || status !== 'cancelled') continue
    expect(until - (cancelledAt ? Date.parse(cancelledAt) : Infinity)).toBeGreaterThanOrEqual(HOUR)
    topUp.until = until
  }
  for (const { pay, opened } of promised) expect(holdersOf(world, pay, opened - MINUTE)).toHaveLength(1)

  const credited = new Set<string>()
  for (const { source, type, accountId, amount, orderNo } of await shop.db.read.ledgerEntry.findMany()) {
    const name = source.replace('usdt:TRC20:', '')
    expect(credited.has(name)).toBe(false)
    credited.add(name)
    const transfer = paid.find((each) => each.name === name)
    const time = transfer && solidTime(world, transfer)
    if (!transfer || time === undefined)
      throw new Error(`${name} was credited and is not on the chain for good`)
    const { units } = transfer
    const owner = decisions.has(name)
      ? promised.find((each) => each.orderNo === decisions.get(name))
      : holdersOf(world, units, time)[0]
    if (!owner) throw new Error(`${name} was credited and is nobody's`)
    const credit = { type: 'recharge', accountId: owner.user.id, orderNo: owner.orderNo }
    expect({ type, accountId, orderNo, amount }).toEqual({ ...credit, amount: creditOf(units, owner.rate) })
  }
  return credited
}

/** In the end, when everything is irreversible and was read: nothing is missing, either. */
async function proveWhole(world: World): Promise<void> {
  const { shop, core, users, promised, paid, decisions, cancelled } = world
  const credited = await prove(world)
  const queue = await core.operator.payments.list()
  const waiting = new Map(queue.map(({ txid, index, reason }) => [`${txid}:${index}`, reason]))
  /** The payments of each top-up, exact and in its time: when, and whether it was credited by itself. */
  const exact = new Map(
    promised.map(({ orderNo }) => [orderNo, [] as { time: number; automatic: boolean }[]]),
  )
  for (const transfer of paid) {
    const { name, units } = transfer
    const time = solidTime(world, transfer)
    const isCredited = credited.has(name)
    const [holder] = time === undefined ? [] : holdersOf(world, units, time)
    // What came in the minute before the top-up is taken for it if it had not been read by then.
    const early = holder && transfer.sent < holder.opened
    const decision = decisions.get(name)
    const automatic = isCredited && decision === undefined
    if (holder && time !== undefined && (automatic || !early))
      exact.get(holder.orderNo)?.push({ time, automatic })
    const reason = waiting.get(name)
    waiting.delete(name)
    let expected: [boolean, string | undefined]
    if (decision !== undefined) expected = [decision !== null, undefined]
    else if (time === undefined || units < DUST) expected = [false, undefined]
    else if (automatic && holder) expected = [true, undefined]
    else if (holder && !(early && reason === 'no_order')) expected = [false, 'duplicate_payment']
    else expected = [false, units > ABSURD ? 'absurd_amount' : 'no_order']
    expect({ name, state: [isCredited, reason] }).toEqual({ name, state: expected })
  }
  expect(waiting).toEqual(new Map())

  const owed = new Map(users.map(({ id }) => [id, 0n]))
  for (const { orderNo, user, pay, rate, expires } of promised) {
    const payments = exact.get(orderNo) ?? []
    const automatic = payments.filter((each) => each.automatic)
    const assigned = paid.filter(({ name }) => decisions.get(name) === orderNo)
    // When the operator was faster than the payment, that waits as a second one.
    const least = assigned.length === 0 ? Math.min(payments.length, 1) : 0
    expect([least, 1]).toContain(automatic.length)
    const credit = [...automatic.map(() => pay), ...assigned.map(({ units }) => units)]
      .map((units) => creditOf(units, rate))
      .reduce((sum, part) => sum + part, 0n)
    owed.set(user.id, (owed.get(user.id) ?? 0n) + credit)

    const found = await shop.topUp({ order_no: orderNo })
    const unpaid = cancelled.has(orderNo) ? 'cancelled' : 'expired'
    expect({ orderNo, status: found.status }).toEqual({ orderNo, status: credit > 0n ? 'paid' : unpaid })
    expect(found.releasedAt).not.toBeNull()
    if (credit > 0n) expect(found.creditAmount).toBe(Number(credit))
    if (assigned.length === 0)
      expect(found.late).toBe(automatic.some(({ time }) => cancelled.has(orderNo) || time > expires))
  }
  for (const user of users) expect(await shop.balance(user)).toBe(Number(owed.get(user.id)) / 1e6)
  expect((await core.operator.auditWallets()).flatMap(({ differences }) => differences)).toEqual([])

  // All amounts are free again.
  const newcomer = await shop.customer(null)
  for (let i = 0; i < FREE_TAILS; i += 1) await core.topUps.create(newcomer, { amount: SCARCE })
}

async function passTime(world: World, { pause, scans }: Pick<Round, 'pause' | 'scans'>): Promise<void> {
  const { clock } = world.shop
  let ms = 0
  if (typeof pause === 'number') ms = pause
  else {
    const end = pick(world.promised, pause.which)?.[pause.of] ?? 0
    ms = Math.max(end + pause.seconds * SECOND - clock.now().getTime(), 0)
  }
  for (let i = 0; i < scans; i += 1) {
    clock.advance(Math.floor(ms / scans))
    await scan(world)
  }
  clock.advance(scans === 0 ? ms : ms % scans)
}

/** Everybody is well again, and a day passes, so that also what the index listed too late is looked for. */
async function calmDown(world: World): Promise<void> {
  const { tron, second } = world.shop
  for (const { faults } of second ? [tron, second] : [tron]) faults.clear()
  tron.settings.indexDelayMs = 0
  for (const pause of [24 * MINUTE, 25 * HOUR, 24 * MINUTE]) await passTime(world, { pause, scans: 6 })
  await world.core.topUps.scanners[0]?.scan()
}

/** Rounds of payments, decisions and faults of the chain, after each of which the books are proved. */
export const anyOrder = fc.asyncProperty(
  fc.array(round, { minLength: 40, maxLength: 60, size: 'max' }),
  async (rounds) => {
    const world = await openWorld()
    for (const { steps, ...time } of rounds) {
      const results = await Promise.allSettled(
        steps.flatMap(({ action, twice }) =>
          Array.from({ length: twice ? 2 : 1 }, () => carryOut(world, action)),
        ),
      )
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(results)
      await prove(world)
      await passTime(world, time)
    }
    await calmDown(world)
    await proveWhole(world)
  },
)
