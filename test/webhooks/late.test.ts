import { expect, test } from 'vitest'
import { openService } from '../support/service.ts'

const MINUTE = 60_000

test('Deliveries that are due for long are told once, and that they are in time again; failing webhooks are not', async () => {
  const service = await openService({ operatorChats: [77] })
  const { core, clock, db } = service
  const user = await service.agent()
  const { id } = await core.webhooks.create(user, { url: 'https://example.com/hook' })
  const told = async (minutes: number) => {
    clock.advance(minutes * MINUTE)
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
    return notices.map(({ kind, data }) => [kind, JSON.parse(data) as object])
  }
  const since = clock.now().toISOString()
  await core.webhooks.test(user, id)
  expect(await told(15)).toEqual([])
  const late = ['webhooks_late', { since, webhooks: 1 }]
  expect(await told(1)).toEqual([late])
  expect(await told(1)).toEqual([late])
  await db.write((tx) => tx.webhookDelivery.updateMany({ data: { status: 'delivered', nextAt: null } }))
  const back = ['webhooks_back', { since }]
  expect(await told(1)).toEqual([late, back])
  await core.webhooks.test(user, id)
  await db.write((tx) => tx.webhook.update({ where: { id }, data: { failingSince: clock.now() } }))
  expect(await told(20)).toEqual([late, back])
})
