import { expect, test } from 'vitest'
import { openService } from '../../support/service.ts'

test('A job of a kind that this version does not know holds up no other', async () => {
  const { core, clock, db } = await openService()
  const now = clock.now()
  const jobs = [
    { kind: 'gone', key: 'something', runAt: now, createdAt: now },
    { kind: 'deliver_notice', key: '7', runAt: now, createdAt: now },
  ]
  await db.write((tx) => tx.$kysely.insertInto('jobs').values(jobs).execute())
  const claimed = await core.jobs.queue.claim(10, 60_000)
  expect(claimed.toSorted((one, other) => one.id - other.id)).toMatchObject([
    { kind: 'gone', subject: 'something' },
    { kind: 'deliver_notice', subject: 7 },
  ])
})
