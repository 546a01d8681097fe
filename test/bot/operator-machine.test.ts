import { expect, test } from 'vitest'
import type { JobKind } from '../../src/core/jobs/job-kinds.ts'
import type { Machine } from '../../src/core/operator/readiness.ts'
import { beside } from '../support/beside.ts'
import { startBot } from '../support/bot.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }

/** A shop with jobs that keep failing. */
async function startShop(
  jobs: Partial<Record<JobKind, string>>,
  machine?: Machine,
  lastError = 'no <answer>',
) {
  const shop = await startBot({ operatorChats: [OPS.id], machine })
  const now = shop.clock.now()
  await shop.db.write((tx) =>
    tx.job.createMany({
      data: Object.entries(jobs).map(([kind, key], at) => ({
        kind,
        key,
        failures: 9 - at,
        attempts: 10,
        lastError,
        runAt: new Date(now.getTime() + 60_000),
        createdAt: now,
      })),
    }),
  )
  const ops = shop.phone(OPS)
  ops.send('/operator')
  await ops.waitFor('Operator')
  return { ...shop, ops }
}

test('failing jobs say what failed, for whom and why; one is tried again, another dropped after a question', async () => {
  const shop = await startShop({
    send_activation_mail: '2',
    auto_renew_static_order: 'S-1',
    refresh_screens: 'x y',
  })
  const { ops, db, telegram, bugs } = shop
  const { username } = await db.read.account.findUniqueOrThrow({ where: { id: 2 } })
  await ops.press('⚠️ Failing jobs (3)')
  await ops.waitFor('Jobs that keep failing: 3')
  await ops.press(`${username} · Activation mail`)
  const mail = await ops.waitFor(/Activation mail \(job 1\)\nCustomer: /)
  expect(mail.text).toMatch(
    /Last error: no <answer>\nSince .*\nAttempts: 10, failed in a row: 9\nNext attempt:/,
  )
  await ops.press('🔁 Try again')
  await ops.waitFor('It is tried again now')
  const retried = await db.read.job.findUniqueOrThrow({ where: { id: 1 } })
  expect(retried.runAt).toEqual(shop.clock.now())
  await ops.press('‹ Back')
  await ops.press(/Automatic renewal/)
  await ops.waitFor('It cannot be dropped')
  expect(ops.buttons()).not.toContain('🗑 Drop')
  const forged = await telegram.pressStale(OPS.id, ops.screen().message.messageId, 'ojd!:2')
  expect(forged.text).toBeDefined()
  await ops.waitFor('Jobs that keep failing: 3')
  await ops.press(/Screen not updated/)
  await ops.press('🗑 Drop')
  await ops.waitFor(/Drop this job\?[^]*until somebody opens it again/)
  await ops.press('🗑 Drop it for good')
  await ops.waitFor('Dropped')
  expect(await db.read.job.findMany({ where: { kind: 'refresh_screens' } })).toEqual([])
  expect(
    (await shop.core.operator.trail.list()).items.map(({ action, subject }) => [action, subject]),
  ).toEqual([
    ['job.drop', 'x y'],
    ['job.retry', '2'],
    ['balance.adjust', username],
  ])
  expect(bugs()).toEqual([])
})

test("the day's figures give each failing job three lines at most; the job's page has its whole error", async () => {
  const error = `the mail server said no ${'again and '.repeat(12)}again`
  const { ops } = await startShop({ send_activation_mail: '2' }, undefined, error)
  await ops.press('📊 Today so far')
  const { text } = await ops.waitFor(/keep failing: 1\n• Activation mail/)
  expect(text).toMatch(/\(1\): the mail server said no .{10,70}…/)
  expect(text).not.toContain(error)
  await ops.press('⚠️ Failing jobs (1)')
  await ops.press(/Activation mail/)
  await ops.waitFor(error)
})

test('health names what is wrong first, with the way to where it is cured', async () => {
  const GB = 1_000_000_000
  const space = { freeBytes: 50 * GB, totalBytes: 100 * GB }
  const checks = { bot: () => true as const, jobs: () => true as const }
  const shop = await startShop({}, { version: '1.2.3', checks, diskSpace: async () => space })
  const { ops, db, clock, core } = shop
  await core.books.check()
  await ops.press('⚙️ Set-up')
  await ops.press('🩺 Health')
  const well = await ops.read('all is well')
  expect(well).toContain('🟢 Disk: 50 GB free (50%)')
  expect(well).toContain('🟢 Version: 1.2.3')
  expect(well).toContain('🟢 Backups: no good one yet, only when asked for')
  expect(well).toContain('Currency of all amounts: USD')
  expect(well).not.toMatch(/Chain|Gateway|Suppliers/)
  expect(await ops.press('🔄 Refresh')).toMatchObject({ text: 'Nothing has changed.' })
  space.freeBytes = GB / 1000
  const now = clock.now()
  await db.write((tx) =>
    tx.job.create({ data: { kind: 'back_up', key: 'now', failures: 5, runAt: now, createdAt: now } }),
  )
  await ops.press('🔄 Refresh')
  const wrong = await ops.read(
    /^🩺 Health\n\n🔴 Disk: 1 MB free \(0%\)\n⚠️ Jobs: 1 keeps failing, 1 waiting\n🟢/,
  )
  expect(wrong).toContain('🟢 Database: works')
  await ops.press('⚠️ Failing jobs (1)')
  await ops.waitFor('Jobs that keep failing: 1')
})

test('the books are checked by a press, and say what differs', async () => {
  const shop = await startShop({})
  const { ops, bugs } = shop
  await ops.press('⚙️ Set-up')
  await ops.press('🩺 Health')
  await ops.press('📚 Books')
  await ops.waitFor('All amounts are in USD')
  await ops.press('📚 Check the books')
  await ops.waitFor('The books balance')
  const { unwatched } = await beside(shop)
  await unwatched("UPDATE accounts SET balance = balance + 1 WHERE username = 'customer'")
  await ops.press('📚 Check the books')
  expect(await ops.read(/do not balance: 1 difference/)).toContain('customer')
  expect(bugs()).toEqual([])
})
