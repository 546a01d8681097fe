import { describe, expect, it, test, vi } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openDatabase } from '../../../src/core/database/database.ts'
import { frozenAccounts } from '../../../src/core/ledger/frozen-accounts.ts'
import { beside } from '../../support/beside.ts'
import { databaseBefore } from '../../support/old-database.ts'
import { startProduct } from '../../support/product.ts'
import { openService, refused, type Service } from '../../support/service.ts'
import { PATIENCE } from '../../support/patience.ts'

const HOUR = 3_600_000
const METRICS_TOKEN = 'metrics-token-of-the-tests'
const ORDER = { poolId: 'static', userId: 2, ipCount: 1, duration: 1, unit: 3 } as const

/** An agent with two users who have paid and got something back, and a way to do what the database forbids. */
async function family() {
  const service = await openService()
  const seller = await service.agent({ name: 'seller', balance: 1000 })
  const ann = await service.customer(seller, { name: 'ann', balance: 100 })
  const ben = await service.customer(seller, { name: 'ben', balance: 100 })
  await service.product()
  await service.stock('static', 9)
  for (const buyer of [ann, ben]) {
    const order = await service.order(buyer, { ipCount: 2 })
    await service.runJobs()
    await service.core.orders.cancelStatic(buyer, order)
    await service.order(buyer)
  }
  await service.runJobs()
  const tamper = (await beside(service)).unwatched
  return { ...service, seller, ann, ben, tamper }
}

/** Calls the check until it has been through all books. */
async function wholeCheck({ core }: Service) {
  const before = await core.books.checkedAt()
  const found = []
  do found.push(...(await core.books.check()))
  while ((await core.books.checkedAt())?.getTime() === before?.getTime())
  return found
}

const LAST = 'SELECT max(id) FROM ledger_entries WHERE account_id = 2'
const FIRST = 'SELECT min(id) FROM ledger_entries WHERE account_id = 2'

describe('the check of the books that runs beside the service', () => {
  it('finds nothing in good books, and comes back after an hour', async () => {
    const service = await family()
    const { core, clock } = service
    expect(await wholeCheck(service)).toEqual([])
    expect(await core.books.checkedAt()).toEqual(new Date('2026-03-01T12:00:00.000Z'))
    expect(await core.books.frozen()).toEqual([])
    clock.advance(HOUR - 1)
    expect(await core.books.check()).toEqual([])
    expect(await core.books.checkedAt()).toEqual(new Date('2026-03-01T12:00:00.000Z'))
    clock.advance(1)
    expect(await wholeCheck(service)).toEqual([])
    expect(await core.books.checkedAt()).toEqual(new Date('2026-03-01T13:00:00.000Z'))
    clock.advance(-48 * HOUR)
    await wholeCheck(service)
    expect(await core.books.checkedAt()).toEqual(new Date('2026-02-27T13:00:00.000Z'))
  })

  it.each([
    ['a balance that no entry moved', 'UPDATE accounts SET balance = balance + 5000000 WHERE id = 2'],
    [
      'a balance that was lowered',
      'UPDATE accounts SET balance = balance - 5000000, paid_in = paid_in - 5000000 WHERE id = 2',
    ],
    ['an amount that was changed', `UPDATE ledger_entries SET amount = amount + 1 WHERE id = (${FIRST})`],
    ['an entry that was deleted', `DELETE FROM ledger_entries WHERE id = (${FIRST})`],
    ['a last entry that was deleted', `DELETE FROM ledger_entries WHERE id = (${LAST})`],
    [
      'an entry that was slipped in',
      `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
       SELECT 'T-forged', id, agent_id, 'recharge', 7, balance + 7, 'forged', '2026-03-01T00:00:00.000Z' FROM accounts WHERE id = 2`,
    ],
  ])('notices %s; the account spends nothing until its books balance again', async (_, forgery) => {
    const service = await family()
    const { core, clock, order, seller, ann, ben, tamper } = service
    await tamper(`CREATE TABLE kept AS SELECT * FROM ledger_entries; ${forgery}`)
    const found = await wholeCheck(service)
    expect(found).toContainEqual({
      rule: expect.stringMatching(/^every (entry continues|balance is)/),
      subject: expect.stringMatching(/^(ann|T.*)$/),
      detail: expect.stringMatching(/^\S+ instead of \S+$/),
    })
    expect(await core.books.frozen()).toEqual([ann.id])

    const take = { username: 'ann', amount: -1, remark: 'test' }
    await refused(order(ann), 'unavailable')
    await refused(core.operator.adjustBalance(SHELL, take), 'unavailable')
    await refused(core.accounts.adjustSubUserBalance(seller, ann.id, take), 'unavailable')
    await refused(core.accounts.deleteSubUser(seller, ann.id), 'unavailable')
    await order(ben)
    await order(seller)

    clock.advance(HOUR)
    const restarted = { ...service, core: service.restarted() }
    expect(await wholeCheck(restarted)).toEqual(found)
    await refused(restarted.core.orders.createStatic(ann, ORDER), 'unavailable')

    await tamper(`DELETE FROM ledger_entries WHERE id IN (SELECT id FROM kept);
            INSERT INTO ledger_entries SELECT * FROM kept;
            DELETE FROM ledger_entries WHERE source = 'forged';
            UPDATE accounts SET balance = (SELECT balance_after FROM ledger_entries WHERE id = (${LAST})),
              paid_in = (SELECT sum(paid_in) FROM ledger_entries WHERE account_id = 2) WHERE id = 2`)
    clock.advance(HOUR)
    expect(await wholeCheck(restarted)).toEqual([])
    expect(await core.books.frozen()).toEqual([])
    await order(ann)
  })

  it('lets an account in doubt have what it is given', async () => {
    const service = await family()
    const { core, balance, seller, ann, tamper } = service
    await tamper('UPDATE accounts SET balance = 0, paid_in = 0 WHERE id = 2')
    await wholeCheck(service)
    await core.accounts.adjustSubUserBalance(seller, ann.id, { amount: 5, remark: 'test' })
    expect(await balance(ann)).toBe(5)
  })

  it('goes through large books in slices, between which others get their turn', async () => {
    const service = await family()
    const { core, tamper } = service
    await tamper(`
      INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
      SELECT 'T' || value, 3, 1, 'recharge', 1, a.balance + value, 'planted ' || value, '2026-03-01T00:00:00.000Z'
      FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30000) SELECT value FROM n) AS n
      JOIN accounts a ON a.id = 3;
      UPDATE accounts SET balance = balance + 30000 WHERE id = 3;
      UPDATE ledger_entries SET amount = 2 WHERE source = 'planted 29000'`)
    let steps = 0
    const found = []
    while (!(await core.books.checkedAt())) {
      found.push(...(await core.books.check()))
      steps += 1
    }
    expect(found).toEqual([
      { rule: 'every entry continues the balance before it', subject: 'T29000', detail: expect.any(String) },
    ])
    expect(steps).toBeGreaterThan(5)
  })

  it('is begun by the loop at once, logged, and shown where the operator looks', async () => {
    const olivia = { id: 700, firstName: 'Olivia', languageCode: 'en' }
    const product = await startProduct({}, { operatorChats: [olivia.id], metricsToken: METRICS_TOKEN })
    const operator = product.phone(olivia)
    operator.send('/start')
    await operator.waitForButton('🛠 Operator')
    await product.stop()
    await product.editUnwatched("UPDATE accounts SET balance = balance + 1 WHERE username = 'customer'")
    product.log.length = 0
    await product.start()
    await vi.waitUntil(() => product.log.some((line) => line.includes('the books do not balance')), PATIENCE)
    expect(product.log.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 50,
        rule: 'every balance is that after the last entry',
        subject: 'customer',
        detail: '50.000001 instead of 50.00',
      }),
    )
    await operator.waitFor(/The books are wrong: 1 differences?[^]*customer, 50.000001 instead of 50.00/)
    const { origin } = new URL(product.app.addresses['api'] ?? '')
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { status: 'degraded', checks: { database: 'ok', books: 'degraded' } },
    ])
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics = await (await fetch(`${origin}/metrics`, { headers })).text()
    expect(metrics).toMatch(/^books_accounts_in_doubt 1$/m)
    expect(metrics).toMatch(/^books_checked_timestamp_seconds \d{10}/m)
  })
})

test('accounts that were frozen before the column was there stay frozen', async () => {
  const account = (id: number) =>
    `INSERT INTO accounts (id, username, username_key, password_hash, role, created_at, updated_at)
     VALUES (${id}, 'u${id}', 'u${id}', '', 'user', '', '');`
  const path = await databaseBefore(
    'frozen_accounts',
    `${account(1)} ${account(12)} ${account(2)}
     INSERT INTO settings (key, value) VALUES ('books_in_doubt:12', ''), ('books_in_doubt:2', ''), ('books_checked_at', 'then')`,
  )
  const db = await openDatabase(`file:${path}`)
  const frozen = await frozenAccounts({ db })
  const settings = await db.read.setting.findMany()
  await db.close()
  expect(frozen).toEqual([2, 12])
  expect(settings).toEqual([{ key: 'books_checked_at', value: 'then' }])
})
