import { expect, test } from 'vitest'
import { expectRefusal, openApi } from '../support/api.ts'
import { refused } from '../support/service.ts'

const LINKS = '/open/app/agent/join-links'

test('An agent makes, lists and revokes registration links; the token is shown once', async () => {
  const api = await openApi()
  const seller = await api.agent({ balance: 10 })
  const agent = await api.as(seller)
  const made = await agent.post(LINKS, { trial: 2, budget: 4, maxUses: 5, days: 1 })
  const record = {
    id: 1,
    status: 'open',
    trial: 2,
    budget: 4,
    spent: 0,
    uses: 0,
    max_uses: 5,
    revoked_at: null,
  }
  expect(made.body.data).toMatchObject({ ...record, start: expect.stringMatching(/^join_[\w-]{43}$/) })
  const token = (made.body.data as unknown as { start: string }).start.slice('join_'.length)
  await api.core.chats.session(700, 'en')
  await api.core.chats.join(700, { token, username: 'newcomer' })
  const listed = await agent.get(LINKS)
  expect(listed.body.data.items).toEqual([expect.objectContaining({ ...record, uses: 1, spent: 2 })])
  expect(JSON.stringify(listed.body)).not.toContain('join_')

  const rival = await api.as(await api.agent())
  expect((await rival.get(LINKS)).body.data.items).toEqual([])
  expectRefusal(await rival.delete(`${LINKS}/1`), 404, 'join_link_not_found')
  expect((await agent.delete(`${LINKS}/1`)).body.data).toMatchObject({ id: 1, status: 'revoked' })
  expect((await agent.delete(`${LINKS}/1`)).body.data).toMatchObject({ id: 1, status: 'revoked' })
  expectRefusal(await agent.delete(`${LINKS}/x`), 404, 'join_link_not_found')
  expectRefusal(await agent.post(LINKS, { trial: 5, budget: 4 }), 422, 'validation_error')
  await api.audited()
})

test('A newcomer without a password is refused like a wrong password, and logs in once it has set one in its chat', async () => {
  const { core, call, ...api } = await openApi()
  const { start } = await core.accounts.createJoinLink(await api.agent(), {})
  await core.chats.session(700, 'en')
  const registration = { token: start.slice('join_'.length), username: 'newcomer' }
  const newcomer = await core.chats.join(700, registration)
  const logIn = (username: string, password: string) =>
    call('POST', '/auth/login', { payload: { username, password } })
  expectRefusal(await logIn('newcomer', 'password'), 401, 'invalid_credentials')

  // Another chat cannot set it, nor can anybody a second time.
  await refused(core.accounts.setFirstPassword(newcomer, 701, 'of-another-chat'), 'invalid_state')
  await core.accounts.setFirstPassword(newcomer, 700, 'first-password')
  await refused(core.accounts.setFirstPassword(newcomer, 700, 'second-password'), 'invalid_state')
  expect((await logIn('newcomer', 'first-password')).status).toBe(200)
})
