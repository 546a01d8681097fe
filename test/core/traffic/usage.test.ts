import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused, tally } from '../../support/service.ts'

const GB = 1e9

/** A user with 1, 2 and 3 GB bought one after another, and its credential. */
async function buyer() {
  const service = await openService()
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  const seller = await service.agent({ name: 'seller', balance: 1000 })
  for (const trafficAmount of [1, 2, 3]) await service.buyTraffic(seller, { trafficAmount })
  const { username } = await service.db.read.traffic.findFirstOrThrow()
  let reports = 0
  const use = (bytes: number, account = username, reportId = `r${(reports += 1)}`) =>
    service.core.traffic.recordUsage({ account, bytes, reportId })
  const orders = async () => {
    const { items } = await service.core.orders.listDynamic(seller)
    return items.toReversed().map(({ usedBytes, status }) => `${usedBytes / GB} ${status}`)
  }
  const flow = async () => {
    const { total, used, allocated, remaining } = await service.core.traffic.remainingFlow(
      seller,
      seller.id,
      'traffic',
    )
    return { total: total / GB, used: used / GB, allocated: allocated / GB, remaining: remaining / GB }
  }
  return { ...service, seller, username, use, orders, flow }
}

describe('use', () => {
  it('is taken from the oldest order first', async () => {
    const { use, orders, flow, audited, buyTraffic, seller } = await buyer()
    expect(await use(0.25 * GB)).toEqual({ counted: 0.25 * GB, remaining: 5.75 * GB, replayed: false })
    expect(await orders()).toEqual(['0.25 active', '0 active', '0 active'])
    await use(0.75 * GB)
    expect(await orders()).toEqual(['1 exhausted', '0 active', '0 active'])
    await use(2.5 * GB)
    expect(await orders()).toEqual(['1 exhausted', '2 exhausted', '0.5 active'])
    await audited()
    await use(2.5 * GB)
    expect(await orders()).toEqual(['1 exhausted', '2 exhausted', '3 exhausted'])
    await buyTraffic(seller)
    await use(1)
    expect(await orders()).toEqual(['1 exhausted', '2 exhausted', '3 exhausted', '1e-9 active'])
    expect(await flow()).toEqual({ total: 7, used: 6.000000001, allocated: 0, remaining: 0.999999999 })
    await audited()
  })

  it('in one report can use up several orders', async () => {
    const { use, orders, audited } = await buyer()
    await use(6 * GB)
    expect(await orders()).toEqual(['1 exhausted', '2 exhausted', '3 exhausted'])
    await audited()
  })

  it('beyond what is left is counted up to that, and no later purchase pays for it', async () => {
    const { use, flow, db, buyTraffic, seller, audited } = await buyer()
    expect(await use(10 * GB)).toEqual({ counted: 6 * GB, remaining: 0, replayed: false })
    expect(await use(1)).toEqual({ counted: 0, remaining: 0, replayed: false })
    const [first] = await db.read.usageReport.findMany()
    expect([Number(first?.bytes), Number(first?.countedBytes)]).toEqual([10 * GB, 6 * GB])
    await buyTraffic(seller)
    expect(await flow()).toEqual({ total: 7, used: 6, allocated: 0, remaining: 1 })
    await audited()
  })

  it('counts on one product only', async () => {
    const { use, flow, product, buyTraffic, seller, core, audited } = await buyer()
    await product('other', { proxyType: 104, pool: 'dynamic_1' })
    await buyTraffic(seller, { poolId: 'other' })
    await use(6 * GB)
    expect(await flow()).toMatchObject({ remaining: 0 })
    expect((await core.traffic.remainingFlow(seller, seller.id, 'other')).remaining).toBe(GB)
    await audited()
  })

  it('is reported with the whole username that the client sent', async () => {
    const { use, username } = await buyer()
    expect(await use(GB, `${username}-country-us-session-abcdef12-lifetime-5`)).toMatchObject({
      remaining: 5 * GB,
    })
  })

  it('counts once, however often the report comes', async () => {
    const { use, username, flow, audited } = await buyer()
    expect(await use(GB, username, 'same')).toEqual({ counted: GB, remaining: 5 * GB, replayed: false })
    await use(GB)
    expect(await use(GB, username, 'same')).toEqual({ counted: GB, remaining: 4 * GB, replayed: true })
    expect(await use(GB, `${username}-country-us`, 'same')).toMatchObject({ replayed: true })
    await refused(use(2 * GB, username, 'same'), 'idempotency_conflict', { report_id: 'same' })
    const results = await Promise.all(Array.from({ length: 64 }, () => use(GB, username, 'again')))
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await flow()).toMatchObject({ used: 3, remaining: 3 })
    await audited()
  })

  it('many reports at once never take more than there is', async () => {
    const { use, flow, audited } = await buyer()
    const results = await Promise.all(Array.from({ length: 200 }, () => use(0.05 * GB)))
    expect(results.reduce((sum, { counted }) => sum + counted, 0)).toBe(6 * GB)
    expect(await flow()).toMatchObject({ used: 6, remaining: 0 })
    await audited()
  })

  it('is refused where it cannot be', async () => {
    const { core, username, flow } = await buyer()
    for (const [title, change] of [
      ['an unknown account', { account: 'nobody' }],
      ['no account', { account: '' }],
      ['a hyphen alone', { account: '-country-us' }],
      ['negative bytes', { bytes: -1 }],
      ['half a byte', { bytes: 0.5 }],
      ['infinite bytes', { bytes: Number.POSITIVE_INFINITY }],
      ['more than can be stored', { bytes: 9_000_000_000_000_001 }],
      ['no report id', { reportId: '' }],
      ['a report id with a space', { reportId: 'a b' }],
      ['a long report id', { reportId: 'x'.repeat(129) }],
    ] as const) {
      const report = { reportId: 'r', account: username, bytes: 1, ...change }
      await expect(core.traffic.recordUsage(report), title).rejects.toMatchObject({
        code: 'validation_error',
      })
    }
    expect(await flow()).toMatchObject({ used: 0 })
  })
})

describe('a sub-account', () => {
  async function withSub(amount = 2) {
    const all = await buyer()
    const { core, seller } = all
    const sub = await core.traffic.createSubAccount(seller, {
      productNo: 'traffic',
      username: 'crawler',
      amount,
    })
    const read = async () => {
      const { limitBytes, usedBytes } = await core.traffic.getSubAccount(seller, sub.id)
      return [limitBytes / GB, usedBytes / GB]
    }
    const move = (gigabytes: number) =>
      core.traffic.adjustSubAccountTraffic(seller, sub.id, { amount: gigabytes })
    return { ...all, sub, read, move }
  }

  it('uses its own traffic, never the main account’s', async () => {
    const { use, read, flow, orders, audited } = await withSub()
    expect(await flow()).toEqual({ total: 6, used: 0, allocated: 2, remaining: 4 })
    expect(await use(1.5 * GB, 'crawler-country-us')).toEqual({
      counted: 1.5 * GB,
      remaining: 0.5 * GB,
      replayed: false,
    })
    expect(await read()).toEqual([2, 1.5])
    expect(await flow()).toEqual({ total: 6, used: 0, allocated: 2, remaining: 4 })
    // The bytes come from the orders all the same.
    expect(await orders()).toEqual(['1 exhausted', '0.5 active', '0 active'])
    expect(await use(GB, 'crawler')).toMatchObject({ counted: 0.5 * GB, remaining: 0 })
    expect(await use(5 * GB)).toMatchObject({ counted: 4 * GB, remaining: 0 })
    expect(await orders()).toEqual(['1 exhausted', '2 exhausted', '3 exhausted'])
    await audited()
  })

  it('gets traffic and gives it back, and nobody ever has less than nothing', async () => {
    const { use, read, move, flow, audited } = await withSub()
    await use(0.5 * GB, 'crawler')
    await move(4)
    expect(await read()).toEqual([6, 0.5])
    await refused(move(0.001), 'traffic_not_available', { requested: 0.001, available: 0 })
    await move(-5.5)
    expect(await read()).toEqual([0.5, 0.5])
    await refused(move(-0.001), 'traffic_not_available', { requested: 0.001, available: 0 })
    await refused(move(-10_000), 'traffic_not_available', { requested: 10_000, available: 0 })
    await refused(move(10_000), 'traffic_not_available', { requested: 10_000, available: 5.5 })
    expect(await flow()).toEqual({ total: 6, used: 0, allocated: 0.5, remaining: 5.5 })
    await audited()
  })

  it('returns the rest when it is deleted; late use counts on the main account', async () => {
    const { use, core, seller, sub, flow, audited } = await withSub()
    await use(0.5 * GB, 'crawler')
    expect(await core.traffic.deleteSubAccount(seller, sub.id)).toEqual({ id: sub.id, returned: 1.5 * GB })
    expect(await flow()).toEqual({ total: 6, used: 0, allocated: 0.5, remaining: 5.5 })
    await refused(core.traffic.deleteSubAccount(seller, sub.id), 'sub_account_not_found')
    expect(await use(GB, 'crawler')).toMatchObject({ counted: GB, remaining: 4.5 * GB })
    expect(await flow()).toEqual({ total: 6, used: 1, allocated: 0.5, remaining: 4.5 })
    await audited()
  })

  it('can only be given what its main account has not used meanwhile', async () => {
    const { use, move, flow, audited } = await withSub(0)
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? use(0.1 * GB) : move(0.1))),
    )
    const counts = tally(results)
    const { used, allocated, remaining } = await flow()
    expect(remaining).toBe(0)
    expect(used + allocated).toBeCloseTo(6)
    expect(counts['ok']).toBe(50 + Math.round(allocated * 10))
    await audited()
  })

  it('is not taken back from while it is used, beyond what is left', async () => {
    const { use, move, read, flow, audited } = await withSub(6)
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? use(0.1 * GB, 'crawler') : move(-0.1))),
    )
    tally(results)
    const [limit, used] = await read()
    expect(limit).toBe(used)
    expect(await flow()).toMatchObject({ allocated: used })
    await audited()
  })
})

describe('a file of reports', () => {
  const file = (...lines: string[]) => ['account,bytes,report_id', ...lines].join('\n')

  it('is counted once, however often it comes', async () => {
    const { core, username, flow, audited } = await buyer()
    const csv = file(
      `${username},1000000000,a`,
      `${username}-country-us,500000000,b`,
      `${username},9000000000,c`,
    )
    expect(await core.operator.importUsage(SHELL, csv)).toEqual({
      imported: 3,
      known: 0,
      counted: 6 * GB,
      uncounted: 4.5 * GB,
    })
    expect(await core.operator.importUsage(SHELL, csv)).toEqual({
      imported: 0,
      known: 3,
      counted: 0,
      uncounted: 0,
    })
    expect(await flow()).toMatchObject({ used: 6 })
    const twice = file(`${username},1,d`, `${username},1,d`)
    expect(await core.operator.importUsage(SHELL, twice)).toMatchObject({ imported: 1, known: 1 })
    await audited()
  })

  it('may have other columns, another order, a byte order mark and Windows line ends', async () => {
    const { core, username } = await buyer()
    const csv = `\ufeffreport_id,client,bytes,account\r\na,1.2.3.4,5, ${username} \r\n\r\n`
    expect(await core.operator.importUsage(SHELL, csv)).toMatchObject({ imported: 1, counted: 5 })
  })

  it('is taken whole or not at all; the bad lines are named', async () => {
    const { core, username, flow, db, audited } = await buyer()
    await core.traffic.recordUsage({ reportId: 'known', account: username, bytes: 7 })
    const csv = file(`${username},5,a`, 'nobody,5,b', `${username},8,known`, `${username},6,c`)
    await refused(core.operator.importUsage(SHELL, csv), 'validation_error', {
      errors: [
        { line: 3, message: 'account nobody does not exist' },
        { line: 4, message: "report_id known was another report's" },
      ],
    })
    const malformed = file(
      `${username},1e9,a`,
      `,5,b`,
      `${username},-5,c`,
      `${username},5,`,
      `${username},,d`,
    )
    await refused(core.operator.importUsage(SHELL, malformed), 'validation_error', {
      errors: [
        { line: 2, message: 'bytes must be a whole number of bytes' },
        { line: 3, message: 'account is missing or too long' },
        { line: 4, message: 'bytes must be a whole number of bytes' },
        { line: 5, message: 'report_id must be 1-128 characters without spaces' },
        { line: 6, message: 'bytes must be a whole number of bytes' },
      ],
    })
    expect(await db.read.usageReport.count()).toBe(1)
    expect(await flow()).toMatchObject({ used: 7 / GB })
    await audited()
  })

  it('is refused when it is no such file', async () => {
    const { core } = await openService()
    for (const [csv, message] of [
      ['', 'the file has no reports'],
      ['account,bytes,report_id', 'the file has no reports'],
      ['account,bytes\na,1', 'the header lacks report_id'],
      [file('a,1'), 'has another number of columns than the header, or an open quotation mark'],
      [
        file(...Array.from({ length: 50_001 }, (_, line) => `a,1,${line}`)),
        'a file has at most 50000 reports',
      ],
    ] as const)
      await expect(core.operator.importUsage(SHELL, csv), message).rejects.toMatchObject({
        code: 'validation_error',
        data: { errors: [expect.objectContaining({ message })] },
      })
  })

  it('may be long', async () => {
    const { core, username, flow, audited } = await buyer()
    const lines = Array.from(
      { length: 10_000 },
      (_, line) => `${username}-session-abcdef${line},500000,${line}`,
    )
    expect(await core.operator.importUsage(SHELL, file(...lines))).toMatchObject({
      imported: 10_000,
      counted: 5 * GB,
    })
    expect(await flow()).toMatchObject({ used: 5 })
    await audited()
  })
})
