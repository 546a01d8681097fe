import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi } from '../support/api.ts'

const LOGIN = '/auth/login'

test('Neither the time nor the size of the answer tells whose name it is', async () => {
  const { core, call, db, clock } = await openApi()
  for (const status of ['active', 'disabled', 'deleted'] as const) {
    const { id } = await core.operator.createAgent(SHELL, { username: status, password: 'right-password' })
    await db.write((tx) => tx.account.update({ where: { id }, data: { status } }))
  }
  const times: Record<string, number[]> = { active: [], disabled: [], deleted: [], unknown: [] }
  const answers = new Set<string>()
  for (let round = 0; round < 30; round += 1) {
    for (const [username, durations] of Object.entries(times)) {
      const before = process.cpuUsage()
      const answer = await call('POST', LOGIN, { payload: { username, password: 'wrong-password' } })
      // What the processor did for it: the time on the clock is also that of others.
      const { user, system } = process.cpuUsage(before)
      durations.push(user + system)
      const { 'content-length': length, ...headers } = answer.headers
      answers.add(JSON.stringify([answer.status, answer.body.message, length, Object.keys(headers)]))
    }
    // So that nobody is refused for too many attempts.
    clock.advance(16 * 60_000)
  }
  expect(answers.size).toBe(1)
  const [fastest = 0, ...others] = Object.values(times)
    .map((durations) => Math.min(...durations))
    .toSorted((a, b) => a - b)
  // Without a password to compare with, one of them would take a tenth.
  expect(others.at(-1)).toBeLessThan(4 * fastest)
})

test('A flood of log-ins is turned away beyond a queue, and does not slow down those who are in', async () => {
  const { agent, as, server } = await openApi()
  const client = await as(await agent())
  const flood = { on: true, outcomes: new Set<string>(), checked: [] as number[] }
  const attackers = Array.from({ length: 64 }, async (_, attacker) => {
    for (let attempt = 0; flood.on; attempt += 1) {
      const begun = performance.now()
      const response = await server.inject({
        method: 'POST',
        url: `/api${LOGIN}`,
        payload: { username: `user-${attacker}-${attempt}`, password: 'wrong' },
        remoteAddress: `10.${attacker}.${attempt & 255}.${attempt >> 8}`,
      })
      flood.outcomes.add(`${response.statusCode} ${response.json<{ error: string }>().error}`)
      if (response.statusCode === 401) flood.checked.push(performance.now() - begun)
      else expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      await setImmediate()
    }
  })
  const reads: number[] = []
  while (reads.length < 50) {
    const begun = performance.now()
    expect((await client.get('/open/app/user/balance/current')).status).toBe(200)
    reads.push(performance.now() - begun)
  }
  flood.on = false
  await Promise.all(attackers)
  expect(flood.outcomes).toEqual(new Set(['401 invalid_credentials', '503 unavailable']))
  const part = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
  // In one line with the passwords that are checked, a read would take as long as a log-in.
  expect(part(reads, 0.5)).toBeLessThan(part(flood.checked, 0.5) / 4)
  expect(part(reads, 0.98)).toBeLessThan(part(flood.checked, 0.5))
})
