import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { BackupMaker, MadeBackup } from '../../src/core/backups/backup-maker.ts'
import { handle } from '../../src/core/job-handlers.ts'
import { startBot, type StartBotOptions } from '../support/bot.ts'
import { outside } from '../support/service.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OPS_ZH = { id: 701, firstName: '小林', languageCode: 'zh' }
const DAY = 24 * 60 * 60_000

/** A shop whose backups end as the test says. */
async function startShop(installation?: StartBotOptions['installation']) {
  const state: { next: MadeBackup } = { next: { bytes: 12_300_000, places: ['folder', 's3'] } }
  const maker: BackupMaker = { make: async () => state.next }
  const shop = await startBot({
    operatorChats: [OPS.id, OPS_ZH.id],
    backups: { maker, everyMs: DAY },
    installation,
  })
  const work = async () => {
    shop.clock.advance(1000)
    const { queue, handlers } = shop.core.jobs
    for (;;) {
      const jobs = await queue.claim(8, DAY)
      if (jobs.length === 0) return
      for (const job of jobs) await handle(handlers(outside({ messenger: shop.bot.messenger })), job)
    }
  }
  return { ...shop, state, work, ops: shop.phone(OPS) }
}

test('an operator sees the last backups, and makes another by one press', async () => {
  const { ops, work, core, bugs } = await startShop()
  ops.send('/operator')
  await ops.press('⚙️ Set-up')
  await ops.press('💾 Backups')
  await ops.waitFor(/Backups\nEvery 24 hours\n\nThere is none yet/)
  await ops.press('💾 Back up now')
  await ops.waitFor('One is being made')
  expect(ops.screen().keyboard.flat()).not.toContain('💾 Back up now')
  await work()
  await ops.press('🔄 Refresh')
  await ops.waitFor(/✅ .* · 12\.3 MB · folder, S3/)
  expect((await core.operator.backups.overview()).last).toHaveLength(1)
  expect(bugs()).toEqual([])
})

test('the screen of the backups says the one command that restores the last good one', async () => {
  const installation = {
    stop: 'systemctl stop shop',
    operator: 'npm run operator --',
    start: 'systemctl start shop',
  }
  const { ops, state, work, core } = await startShop(installation)
  ops.send('/operator')
  await ops.press('⚙️ Set-up')
  await ops.press('💾 Backups')
  expect(await ops.read(/There is none yet/)).not.toContain('backup restore')
  await ops.press('💾 Back up now')
  await work()
  await ops.press('🔄 Refresh')
  const name = (await core.operator.backups.overview()).good?.name ?? ''
  await ops.waitFor(`systemctl stop shop && npm run operator -- backup restore ${name}`)
  await ops.waitFor('systemctl start shop')
  // In a chat it is a file, which has no name on the server.
  state.next = { bytes: 1000, places: ['chat'] }
  await ops.press('💾 Back up now')
  await work()
  await ops.press('🔄 Refresh')
  await ops.waitFor('npm run operator -- backup restore FILE')
})

test('the message about a failed backup says what is wrong and leads to the screen, in both languages', async () => {
  const { ops, state, work, core, phone } = await startShop()
  const chinese = phone(OPS_ZH)
  ops.send('/operator')
  await ops.waitFor('Operator')
  chinese.send('/operator')
  await chinese.waitFor('运营菜单')
  state.next = {
    bytes: 5000,
    places: ['folder'],
    problem: { code: 's3', detail: 'the bucket <does> not exist' },
  }
  await core.operator.backups.request(SHELL)
  await work()
  await ops.waitFor(
    /The backup failed: not stored at S3\nthe bucket <does> not exist\nIt is stored in: folder/,
  )
  await chinese.waitFor(/备份失败：未能存入 S3\n技术信息：the bucket <does> not exist\n已保存到：文件夹/)
  await ops.press('⚙️ Set-up')
  await ops.press('💾 Backups')
  await ops.waitFor(/🔴 .* · not stored at S3\nthe bucket <does> not exist/)
  state.next = { bytes: 6000, places: ['folder', 's3'] }
  await core.operator.backups.request(SHELL)
  await work()
  await ops.waitFor(/Backups work\nA test restore of the last one succeeded: 6 KB in folder, S3/)
})
