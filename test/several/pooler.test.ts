import { CompiledQuery } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase, type ReadClient } from '../../src/core/database/database.ts'
import { PATIENCE } from '../support/patience.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { emptyDatabase } from '../support/service.ts'
import { openPooler, withoutPooler } from './pooler.ts'
import { leads, withoutPostgres } from './several-shop.ts'
import { LIMIT, openUnderLoad, SOME, TAKEN_OVER_MS } from './under-load.ts'

describe.skipIf(withoutPostgres || withoutPooler)('a pooler in front of PostgreSQL', () => {
  it('by session leaves two servers all that they need, and the leader killed', LIMIT, async () => {
    const url = await emptyDatabase()
    const pooled = await openPooler(url, 'session')
    const { servers, load } = await openUnderLoad(url, { leaderUrl: pooled, otherUrl: pooled })
    const [first, second] = servers
    await first.kill()
    const faultAt = performance.now()
    await vi.waitUntil(() => leads(second), PATIENCE)
    await load.goesOn(faultAt, TAKEN_OVER_MS)
    await load.more(SOME)
    await load.prove()
  })

  it('by session keeps the limits of each connection', LIMIT, async () => {
    const db = await openDatabase(await openPooler(await emptyPostgres(), 'session'))
    onTestFinished(() => db.close())
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
    const limits = async (client: ReadClient) => {
      const fields = names.map((name) => `current_setting('${name}') AS ${name}`)
      const { rows } = await client.$run(CompiledQuery.raw(`SELECT ${fields.join(', ')}`))
      return rows
    }
    expect(await limits(db.read)).toMatchObject([{ statementTimeout: '30s' }])
    expect(await db.write(limits)).toEqual([
      { statementTimeout: '30s', lockTimeout: '10s', idleInTransactionSessionTimeout: '5s' },
    ])
    await expect(db.read.$run(CompiledQuery.raw('DELETE FROM jobs'))).rejects.toThrow('read-only')
  })

  it('by transaction is refused', LIMIT, async () => {
    const pooled = await openPooler(await emptyPostgres(), 'transaction')
    await expect(openDatabase(pooled)).rejects.toThrow(
      'the pooler in front of it works by transaction, and must work by session',
    )
  })
})
