import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { SqliteDatabase } from '../../../src/core/database/driver.ts'
import { openDatabase } from '../../../src/core/database/database.ts'
import { migrationNames } from '../../../src/core/database/migration-names.ts'
import { schemaDiff } from '../../../src/core/database/schema-engine.ts'
import { sqliteAdapter } from '../../../src/core/database/sqlite-adapter.ts'
import { Statements } from '../../../src/core/database/statements.ts'
import { databaseFile, openService, otherConnection, temporaryDirectory } from '../../support/service.ts'
import { beside, REFUSED_BY } from '../../support/beside.ts'
import { shared } from '../../support/clean-up.ts'
import { onPostgres } from '../../support/postgres.ts'
import { rowsOf } from '../../support/raw-rows.ts'

it('the migrations lead to exactly what prisma/schema.prisma says', async () => {
  expect(await schemaDiff(sqliteAdapter(new Statements(new SqliteDatabase(':memory:'))))).toBe('')
})

describe('opening', () => {
  it('makes a database that is missing, its folder too, and records the migrations as Prisma does', async () => {
    const path = join(await temporaryDirectory(), 'data', 'new', 'reseller.db')
    await (await openDatabase(`file:${path}`)).close()
    const names = await migrationNames()
    const rows = otherConnection(path)
      .prepare('SELECT * FROM _prisma_migrations ORDER BY migration_name')
      .all()
    expect(rows).toEqual(
      await Promise.all(
        names.map(async (name) => ({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          checksum: createHash('sha256')
            .update(await migrationSql(name))
            .digest('hex'),
          migration_name: name,
          started_at: expect.anything() as unknown,
          finished_at: expect.anything() as unknown,
          logs: null,
          rolled_back_at: null,
          applied_steps_count: 1,
        })),
      ),
    )
  })

  it('applies nothing twice', async () => {
    const path = await databaseFile()
    const everything = () => otherConnection(path).prepare('SELECT * FROM _prisma_migrations').all()
    const before = everything()
    await (await openDatabase(`file:${path}`)).close()
    expect(everything()).toEqual(before)
  })

  it('leaves one file behind when all have closed it', async () => {
    const path = await databaseFile()
    const db = await openDatabase(`file:${path}`)
    await db.write((tx) => tx.setting.create({ data: { key: 'a', value: '' } }))
    await db.close()
    expect(await readdir(dirname(path))).toEqual(['reseller.db'])
  })

  it('refuses an address of another kind', async () => {
    await expect(openDatabase('mysql://localhost/reseller')).rejects.toThrow('must be a file: URL')
  })

  it('names a PostgreSQL server that does not answer, without the password', async () => {
    const opened = openDatabase('postgresql://me:secret@127.0.0.1:1/reseller')
    await expect(opened).rejects.toThrow(
      'The database 127.0.0.1:1/reseller cannot be opened: connect ECONNREFUSED',
    )
    await expect(opened).rejects.not.toThrow('secret')
  })
})

function migrationSql(name: string): Promise<string> {
  return readFile(new URL(`../../../prisma/migrations/${name}/migration.sql`, import.meta.url), 'utf8')
}

/** A service with an order, a price and traffic, and a connection that could do anything. */
async function populated() {
  const service = await openService()
  const agent = await service.agent({ balance: 100 })
  await service.product()
  await service.stock('static', 2)
  await service.order(agent)
  await service.runJobs()
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  await service.buyTraffic(agent)
  const { start } = await service.core.accounts.createJoinLink(agent, { trial: 1 })
  await service.core.chats.session(700, 'en')
  const newcomer = { token: start.slice('join_'.length), username: 'newcomer' }
  await service.core.chats.join(700, newcomer)
  return { service, agent, connection: await beside(service) }
}

describe('columns of money and traffic', () => {
  const given = shared(populated)

  it.each([
    ['accounts', 'balance'],
    ['accounts', 'total_recharge'],
    ['accounts', 'total_consumption'],
    ['prices', 'price'],
    ['static_orders', 'unit_price'],
    ['static_orders', 'total_amount'],
    ['static_orders', 'refunded_amount'],
    ['traffic', 'total_bytes'],
    ['traffic', 'used_bytes'],
    ['traffic', 'allocated_bytes'],
    ['dynamic_orders', 'traffic_bytes'],
    ['dynamic_orders', 'used_bytes'],
    ['dynamic_orders', 'unit_price'],
    ['dynamic_orders', 'total_amount'],
    ['static_orders', 'discount'],
    ['dynamic_orders', 'discount'],
    ['instances', 'discount'],
    ['join_links', 'trial'],
    ['join_links', 'spent'],
    ['joined', 'trial'],
  ])('%s.%s takes whole numbers from 0 to the limit only', async (table, column) => {
    const { connection } = given()
    // The triggers would refuse some of it as well; here the CHECK constraints are to show what they can.
    for (const value of [
      "'1.5'",
      "'x'",
      "X'00'",
      'NULL',
      '-1',
      '9000000000000001',
      '9223372036854775807',
      '1e300',
    ]) {
      await expect(connection.unwatched(`UPDATE ${table} SET ${column} = ${value}`), value).rejects.toThrow(
        REFUSED_BY.number,
      )
    }
    // Less than the part of it that came in, no balance can be.
    if (column === 'balance') await connection.unwatched(`UPDATE ${table} SET paid_in = 0`)
    await connection.unwatched(`UPDATE ${table} SET ${column} = 0`)
  })

  it.each(['amount', 'balance_after'])('ledger_entries.%s takes whole numbers only', async (column) => {
    const { connection, agent } = given()
    const insert = (value: string) => {
      const [amount, after] = column === 'amount' ? [value, '1'] : ['1', value]
      return connection.unwatched(`INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
                       VALUES ('${column}', ${agent.id}, ${agent.id}, 'adjust', ${amount}, ${after}, '${column}', '2026-01-01T00:00:00.000Z')`)
    }
    for (const value of ["'1.5'", "'x'", 'NULL', '9000000000000001', '-9000000000000001']) {
      await expect(insert(value), value).rejects.toThrow(REFUSED_BY.number)
    }
    await insert('1')
  })

  it('an order is never refunded more than it cost, nor delivers more than was ordered', async () => {
    const { connection } = given()
    await expect(
      connection.run('UPDATE static_orders SET refunded_amount = total_amount + 1'),
    ).rejects.toThrow(REFUSED_BY.check)
    await expect(connection.run('UPDATE static_orders SET success_count = ip_count + 1')).rejects.toThrow(
      REFUSED_BY.check,
    )
  })

  it.skipIf(onPostgres)('integers that the service writes arrive as integers', async () => {
    const { connection } = given()
    const types = await connection.rows<{ types: string }>(
      `SELECT DISTINCT typeof(e.amount) || typeof(e.balance_after) || typeof(o.total_amount) || typeof(p.price) || typeof(a.balance) AS types
       FROM ledger_entries e, static_orders o, prices p, accounts a`,
    )
    expect(types).toEqual([{ types: 'integer'.repeat(5) }])
  })
})

describe('the ledger', () => {
  it('is append-only', async () => {
    const { connection } = await populated()
    await expect(connection.run("UPDATE ledger_entries SET remark = 'changed'")).rejects.toThrow(
      'ledger entries are never changed',
    )
    await expect(connection.run('DELETE FROM ledger_entries')).rejects.toThrow(
      'ledger entries are never deleted',
    )
    if (onPostgres) return
    // It deletes without asking the triggers of deletions.
    await expect(
      connection.run('INSERT OR REPLACE INTO ledger_entries SELECT * FROM ledger_entries'),
    ).rejects.toThrow()
  })

  it('is the only way to move a balance', async () => {
    const { connection, service } = await populated()
    await expect(connection.run('UPDATE accounts SET balance = balance + 1')).rejects.toThrow(
      'moved by a ledger entry only',
    )
    await expect(connection.run('UPDATE accounts SET balance = 0')).rejects.toThrow(
      'moved by a ledger entry only',
    )
    await expect(
      connection.run(`INSERT INTO accounts (username, username_key, password_hash, role, balance, created_at, updated_at)
                       VALUES ('rich', 'rich', '', 'user', 5, '', '')`),
    ).rejects.toThrow('moved by a ledger entry only')
    await service.audited()
  })

  it('refuses an entry that does not continue the balance, and one that is booked twice', async () => {
    const { connection, agent } = await populated()
    const insert = (source: string, after: string) =>
      connection.run(`INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
                       SELECT '${source}', id, id, 'adjust', 5, ${after}, '${source}', '' FROM accounts WHERE id = ${agent.id}`)
    await expect(insert('a', 'balance')).rejects.toThrow('does not continue the balance')
    await expect(insert('a', '-5')).rejects.toThrow()
    await insert('b', 'balance + 5')
    await expect(insert('b', 'balance + 5')).rejects.toThrow(REFUSED_BY.unique)
  })

  it('keeps the totals of each account: what came in, and what was spent and not refunded', async () => {
    const service = await openService()
    const agent = await service.agent({ balance: 100 })
    await service.product()
    await service.stock('static', 3)
    await service.order(agent, { ipCount: 3 })
    await service.db.write((tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = 1`)
    await service.runJobs()
    await service.core.operator.adjustBalance(SHELL, {
      username: agent.username,
      amount: -10,
      remark: 'correction',
    })
    expect(await service.core.accounts.balance(agent)).toMatchObject({
      balance: 88_000_000,
      totalRecharge: 100_000_000,
      totalConsumption: 2_000_000,
    })
  })
})

it('a backup is good or has a problem, and stands in a list of places', async () => {
  const { connection } = await populated()
  await connection.run(
    `INSERT INTO backups (name, bytes, places, started_at, ended_at) VALUES ('b', 1, '["folder"]', '2026-01-01', '2026-01-01')`,
  )
  for (const change of [
    'bytes = -1',
    "bytes = '1.5'",
    "bytes = 'x'",
    "places = '[]'",
    "places = '{}'",
    "problem = 'another'",
  ])
    await expect(connection.run(`UPDATE backups SET ${change}`), change).rejects.toThrow(REFUSED_BY.number)
  await connection.run("UPDATE backups SET bytes = 0, places = '[]', problem = 's3'")
})

it('a promotion code keeps its limits, and its uses stay', async () => {
  const { service, agent, connection } = await populated()
  await service.core.operator.promotions.add(SHELL, { code: 'ONCE', percent: 10, maxUses: 1 })
  await service.buyTraffic(agent, { promoCode: 'once' })
  for (const change of [
    "code = 'once'",
    'uses = 2',
    'uses = -1',
    'percent = 0',
    'percent = 101',
    "percent = '1.5'",
    'amount = 1',
    'percent = NULL',
    'percent = NULL, amount = 0',
    'max_uses = 0',
    'max_uses_per_user = 0',
    'balance_limit = 1',
    'balance_used = 1',
  ])
    await expect(connection.run(`UPDATE promo_codes SET ${change}`), change).rejects.toThrow(
      REFUSED_BY.number,
    )
  await expect(connection.run('DELETE FROM promo_uses')).rejects.toThrow('are kept')
  for (const change of [
    'discount = 2',
    'agent_paid = 1',
    "order_no = 'other'",
    'returned_at = NULL',
    'agent_returned = -1',
  ])
    await expect(connection.run(`UPDATE promo_uses SET ${change}`), change).rejects.toThrow('only given back')
  await connection.run("UPDATE promo_uses SET returned_at = ''")
  await expect(connection.run("UPDATE promo_uses SET returned_at = ''")).rejects.toThrow('only given back')
})

it('what belongs together cannot be torn apart', async () => {
  const { connection } = await populated()
  for (const table of ['accounts', 'products', 'locations', 'static_orders']) {
    await expect(connection.run(`DELETE FROM ${table}`), table).rejects.toThrow(REFUSED_BY.reference)
  }
})
