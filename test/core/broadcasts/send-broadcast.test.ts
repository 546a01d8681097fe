import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { handle } from '../../../src/core/job-handlers.ts'
import type { Messenger } from '../../../src/core/notices/messenger.ts'
import { openService, outside, PASSWORD } from '../../support/service.ts'

it('A slow Telegram holds up a stop for a second, not for the whole broadcast, which then goes on to the last chat', async () => {
  const service = await openService({ operatorChats: [1] })
  const { core, clock } = service
  await service.agent({ name: 'ann' })
  const crowd = [11, 12, 13]
  for (const chat of crowd) {
    await core.chats.session(chat, 'en')
    await core.chats.logIn(chat, { username: 'ann', password: PASSWORD })
  }
  const { id } = await core.operator.broadcasts.draft(SHELL, {
    chatId: 1,
    audience: 'all',
    text: 'News',
    entities: [],
    photo: null,
  })
  await core.operator.broadcasts.start(SHELL, { id })
  clock.advance(60_000)

  const told: number[] = []
  const messenger: Messenger = {
    tell: async ({ chatId }) => {
      told.push(chatId)
      clock.advance(600)
      return { status: 'sent' }
    },
    tellAboutSubUsers: () => Promise.resolve({ status: 'sent' }),
    tellOperator: () => Promise.resolve({ status: 'sent' }),
    showProgress: () => Promise.resolve(),
  }
  const goOn = async () => {
    // The log-ins are announced, too.
    const claimed = await core.jobs.queue.claim(10, 60_000)
    const job = claimed.find(({ kind }) => kind === 'send_broadcast')
    if (!job) throw new Error('there is no job')
    const again = await handle(core.jobs.handlers(outside({ messenger })), job)
    if (again) await core.jobs.queue.retryLater(job, clock.now(), 'more')
    return again
  }
  expect(await goOn()).toMatchObject({ retryAfterMs: 0 })
  expect(told).toHaveLength(2)
  expect(await core.operator.broadcasts.read(id)).toMatchObject({ status: 'sending', sent: 2, left: 1 })
  expect(await goOn()).toBeUndefined()
  expect(told.toSorted((a, b) => a - b)).toEqual(crowd)
  expect(await core.operator.broadcasts.read(id)).toMatchObject({ status: 'done', sent: 3, left: 0 })
})
