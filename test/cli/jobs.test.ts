import { expect, test } from 'vitest'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { actorFor, buy, startProductInTime, timesTold } from '../support/notices.ts'
import { command } from '../support/command-line.ts'
import { AGENT, BEN, startProduct } from '../support/product.ts'

const MINUTE = 60_000
const OPS: EmulatedUser = { id: 700, firstName: 'Olivia', languageCode: 'en' }

/** The operator's `jobs …` beside a running server. */
function jobsOf({ database }: Awaited<ReturnType<typeof startProduct>>) {
  return async (...args: string[]) => {
    const { status, stdout, stderr } = await command(['jobs', ...args], { database })
    return (status === 0 ? stdout : stderr).trimEnd()
  }
}

test('what keeps failing is named with its reason in the chat and by a command; what only waits does not', async () => {
  // Commands live in the present.
  const { product, pass } = await startProductInTime(new Date().toISOString(), { operatorChats: [OPS.id] })
  const jobs = jobsOf(product)
  const boss = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  const ops = product.phone(OPS)
  const figures = async () => {
    ops.send('/operator')
    await ops.waitFor(/This chat is told/)
    await ops.press('📊 Today so far')
    return ops.read(/\(UTC\)[^]*New users/)
  }

  // Telegram is out of order again and again: the agent's digest waits, and nothing is wrong with it.
  product.telegram.inject({ method: 'sendMessage', chatId: BEN.id, kind: 'server-error', times: 6 })
  await buy(product, await actorFor(product))
  // A job that fails, because the settings of the mail server are gone.
  await product.edit(
    `INSERT INTO jobs (kind, key, run_at, created_at) VALUES ('send_activation_mail', '2', '2026-01-01', '2026-01-01')`,
  )
  for (let tried = 1; tried <= 6; tried += 1) {
    await pass(10 * MINUTE)
    await product.until(
      `SELECT 1 WHERE 2 = (SELECT count(*) FROM jobs WHERE attempts >= ${tried} AND leased_until IS NULL)`,
    )
  }
  expect(await jobs('list', '--failing')).toMatch(
    /^ID +KIND +ABOUT +TRIED +FAILED +NEXT +LAST OUTCOME\n\d+ +send_activation_mail +2 +6 +6 +\S+Z +mail is not configured$/,
  )
  expect(await jobs('list')).toMatch(/\n\d+ +deliver_digest +502 order_ready +6 +0 +\S+Z +Bad Gateway$/m)
  expect(await figures()).toMatch(/keep failing: 1\n• Activation mail \(\d+\): mail is not configured/)
  // The alarm has told it, once, with what can be done.
  await ops.waitFor(/A background job keeps failing[^]*Activation mail[^]*mail is not configured/, {
    evenOld: true,
  })
  expect(timesTold(product, ops, /keeps failing/)).toBe(1)

  const { items } = JSON.parse(await jobs('list', '--json')) as { items: { id: number; kind: string }[] }
  const idOf = (kind: string) => String(items.find((job) => job.kind === kind)?.id)
  expect(await jobs('drop', idOf('send_activation_mail'))).toBe('Dropped: send_activation_mail 2')
  expect(await figures()).not.toContain('keep failing')
  expect(await jobs('retry', idOf('deliver_digest'))).toBe(
    'Is tried again now: deliver_digest 502 order_ready',
  )
  product.core.jobs.queue.wake()
  await boss.waitFor(/Orders of your sub-users are ready/)
})

test('a job is dropped with what it would have told, but not when money hangs on it', async () => {
  const product = await startProduct()
  const jobs = jobsOf(product)
  await product.memberPhone(BEN, AGENT)
  await product.stop()
  const drop = async (kind: string, key: string) => {
    await product.edit(
      `INSERT INTO jobs (id, kind, key, run_at, created_at) VALUES (900, ?, ${key}, '2026-03-02', '2026-03-02')`,
      kind,
    )
    const said = await jobs('drop', '900')
    await product.edit('DELETE FROM jobs WHERE id = 900')
    return said
  }
  const refused = {
    complete_static_order: 'it delivers, or refunds, an order that a customer has paid',
    auto_renew_static_order: 'it renews proxies for a customer, and would be made again',
  }
  for (const [kind, reason] of Object.entries(refused))
    expect(await drop(kind, "'S123'")).toBe(
      `job cannot be dropped: ${reason}; \`jobs retry\` tries it again now`,
    )
  expect(await jobs('drop', '999')).toBe('job is none of those that wait: `jobs list` shows them')

  const notice = (subject: string, data: string) =>
    product.edit(
      `INSERT INTO notices (chat_id, account_id, kind, subject, data, status, created_at)
       SELECT id, account_id, 'order_ready', ?, ?, 'pending', '2026-03-02' FROM chats WHERE id = ${BEN.id}`,
      subject,
      data,
    )
  await notice('own', '{}')
  await notice('of a sub-user', '{"about":{}}')
  expect(await drop('deliver_digest', `'${BEN.id} order_ready'`)).toMatch(/^Dropped/)
  await product.until(`SELECT 1 FROM notices WHERE subject = 'of a sub-user' AND status = 'void'`)
  await product.until(`SELECT 1 FROM notices WHERE subject = 'own' AND status = 'pending'`)
  expect(
    await drop('deliver_notice', `(SELECT CAST(id AS TEXT) FROM notices WHERE subject = 'own')`),
  ).toMatch(/^Dropped/)
  await product.until(`SELECT 1 FROM notices WHERE subject = 'own' AND status = 'void'`)
  await product.start()
})
