import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { BackupMaker, MadeBackup, NoAttempt } from '../../../src/core/backups/backup-maker.ts'
import { openService } from '../../support/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const GOOD: MadeBackup = { bytes: 1234, places: ['folder'] }
const bad = (code: 's3' | 'damaged'): MadeBackup => ({
  bytes: 0,
  places: [],
  problem: { code, detail: 'why' },
})

/** A service that is backed up every day, by a maker that does what the test says. */
async function backedUp(everyMs: number | null = DAY) {
  const names: string[] = []
  const state: { next: MadeBackup | NoAttempt } = { next: GOOD }
  const maker: BackupMaker = {
    make: async (name) => {
      names.push(name)
      return state.next
    },
  }
  const service = await openService({
    operatorChats: [77],
    backups: { maker, everyMs: everyMs ?? undefined },
  })
  const { core, clock, db } = service
  const look = async () => {
    await core.jobs.sweepBackups()
    await service.runJobs()
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await look()
  }
  const told = async () => {
    const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
    return notices.map(({ kind }) => kind)
  }
  return { ...service, names, state, look, pass, told }
}

test('the first one is made a while after the start, then one each interval, also when the clock was set back', async () => {
  const { names, look, pass, core } = await backedUp()
  await look()
  expect(names).toEqual([])
  await pass(10 * MINUTE)
  expect(names).toEqual(['reseller-2026-03-01T12-10-00-000Z'])
  await pass(DAY - MINUTE)
  expect(names).toHaveLength(1)
  await pass(MINUTE)
  expect(names).toHaveLength(2)
  await pass(-3 * DAY)
  expect(names).toHaveLength(3)
  expect(await core.operator.backups.overview()).toMatchObject({
    everyMs: DAY,
    underWay: false,
    good: { name: names[2], bytes: 1234, places: ['folder'], problem: null },
  })
})

test('without an interval there is one only when somebody asks, and one for two who ask', async () => {
  const { names, pass, look, core } = await backedUp(null)
  await pass(3 * DAY)
  expect(names).toEqual([])
  await core.operator.backups.request(SHELL)
  await core.operator.backups.request(SHELL)
  expect(await core.operator.backups.overview()).toMatchObject({ underWay: true, everyMs: null })
  await look()
  expect(names).toHaveLength(1)
})

test.each(['stopped', 'busy', 'newer'] as const)(
  'one that could not begin (%s) is made later',
  async (why) => {
    const { names, state, look, pass, core, told } = await backedUp()
    state.next = why
    await core.operator.backups.request(SHELL)
    await look()
    expect(await core.operator.backups.overview()).toMatchObject({ underWay: true, last: [] })
    expect(await told()).toEqual([])
    state.next = GOOD
    await pass(HOUR)
    expect(names).toHaveLength(2)
    expect(await core.operator.backups.overview()).toMatchObject({
      underWay: false,
      last: [{ problem: null }],
    })
  },
)

test('a failure is tried again after an hour and told once, another problem as well, and that it works again', async () => {
  const { names, state, pass, told } = await backedUp()
  state.next = bad('s3')
  await pass(10 * MINUTE)
  expect(await told()).toEqual(['backup_failed'])
  await pass(59 * MINUTE)
  expect(names).toHaveLength(1)
  await pass(MINUTE)
  expect(names).toHaveLength(2)
  expect(await told()).toEqual(['backup_failed'])
  state.next = bad('damaged')
  await pass(HOUR)
  expect(await told()).toEqual(['backup_failed', 'backup_failed'])
  state.next = GOOD
  await pass(HOUR)
  await pass(DAY)
  expect(await told()).toEqual(['backup_failed', 'backup_failed', 'backup_works'])
})

test('a last good backup that is old is told once', async () => {
  const { state, pass, told } = await backedUp()
  await pass(10 * MINUTE)
  state.next = bad('s3')
  await pass(DAY)
  expect(await told()).toEqual(['backup_failed'])
  await pass(DAY - MINUTE)
  expect(await told()).toEqual(['backup_failed'])
  await pass(2 * MINUTE)
  await pass(DAY)
  expect(await told()).toEqual(['backup_failed', 'backup_old'])
})
