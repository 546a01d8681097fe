import { expect, test } from 'vitest'
import { openService } from '../../support/service.ts'

test('A nested calculation is carried out as it is written', async () => {
  const { db } = await openService()
  const result = await db.read.$kysely
    .selectNoFrom(({ eb, lit }) => [
      eb(lit<number>(10), '-', eb(lit<number>(5), '-', lit(3))).as('right'),
      eb(eb(lit<number>(2), '+', lit(3)), '*', lit(4)).as('left'),
    ])
    .executeTakeFirst()
  expect(result).toEqual({ right: 8, left: 20 })
})
