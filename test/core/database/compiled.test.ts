import { expect, it } from 'vitest'
import { compiledByShape } from '../../../src/core/database/compiled.ts'
import { compiledInsert } from '../../../src/core/database/compiled-insert.ts'
import { openService } from '../../support/service.ts'

it('builds a query once for each shape and each set of values, and binds the values of each call', async () => {
  const { db, customer } = await openService()
  const [first, second] = [await customer(null), await customer(null)]
  let built = 0
  const find = compiledByShape<{ sorted: boolean }, { id?: number; name?: string | undefined }>()((
    queries,
    { sorted },
    { id, name },
  ) => {
    built += 1
    let query = queries.selectFrom('accounts').select('id')
    if (id) query = query.where('id', '=', id)
    if (name) query = query.where('username', '=', name)
    return sorted ? query.orderBy('id', 'desc') : query
  })
  expect(await find(db.read, { sorted: false }, { id: first.id })).toEqual([{ id: first.id }])
  expect(await find(db.read, { sorted: false }, { id: second.id, name: undefined })).toEqual([
    { id: second.id },
  ])
  expect(built).toBe(1)
  expect(await find(db.read, { sorted: true }, {})).toEqual([{ id: second.id }, { id: first.id }])
  expect(await find(db.read, { sorted: false }, { name: first.username })).toEqual([{ id: first.id }])
  expect(built).toBe(3)
})

it('inserts rows with the columns that they have', async () => {
  const { db, clock, customer } = await openService()
  const { id: callerId } = await customer(null)
  const insertKey = compiledInsert('requestKeys')
  const row = { callerId, requestHash: '', answer: 'kept', createdAt: clock.now() }
  const ids = await db.write(async (tx) => [
    await insertKey(tx, { ...row, key: 'a' }),
    await insertKey(tx, { ...row, key: 'b', id: 7 }),
  ])
  expect(ids).toEqual([1, 7])
  expect(await db.read.requestKey.findMany({ select: { id: true, key: true, answer: true } })).toEqual([
    { id: 1, key: 'a', answer: 'kept' },
    { id: 7, key: 'b', answer: 'kept' },
  ])
})
