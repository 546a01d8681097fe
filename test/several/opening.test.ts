import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/core/database/database.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { withoutPostgres } from './several-shop.ts'

describe.skipIf(withoutPostgres)('a PostgreSQL database', () => {
  it('is made by whichever of several servers comes first', { timeout: 120_000 }, async () => {
    const url = await emptyPostgres()
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase(url)))
    for (const result of opened) if (result.status === 'fulfilled') onTestFinished(() => result.value.close())
    expect(opened.filter(({ status }) => status === 'rejected')).toEqual([])
  })
})
