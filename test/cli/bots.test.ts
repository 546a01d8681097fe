import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { addBotOf, SECRET_PART } from '../support/agent-bots.ts'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

/** Two agents with three bots, one of which its owner has not opened. */
async function shop() {
  const service = await openService({ agentBots: { most: [2] } })
  const { core, database, clock } = service
  const [seller, other] = [await service.agent({ name: 'seller' }), await service.agent({ name: 'other' })]
  await addBotOf(core, seller, { botId: 7_000_000_001, username: 'Palace_bot', name: 'Proxy Palace' })
  clock.advance(1000)
  await addBotOf(core, other, { botId: 7_000_000_002, username: 'other_bot' })
  clock.advance(1000)
  const opening = await addBotOf(core, seller, {
    botId: 7_000_000_003,
    username: 'pasted_bot',
    managed: false,
  })
  const bot = (...args: string[]) => command(['bot', ...args], { database, drivers: {} })
  return { ...service, seller, opening, bot }
}

test('The operator lists the bots of agents, pauses, resumes and removes them; no token is shown', async () => {
  const { core, bot, seller, database } = await shop()
  const { stdout } = await bot('list')
  expect(stdout).toMatch(/^ID +USERNAME +NAME +AGENT +STATE +SINCE +REASON\n/)
  expect(stdout).toMatch(/7000000001 +@Palace_bot +Proxy Palace +seller +active +\S+Z +-\n/)
  expect(stdout).toMatch(/7000000003 +@pasted_bot +pasted_bot +seller +pending +\S+Z +-\n/)

  expect(await bot('pause', '@palace_bot')).toMatchObject({
    status: 0,
    stdout: '@Palace_bot of seller is paused\n',
  })
  const again = await bot('pause', '7000000001')
  expect(again).toMatchObject({ status: 0, stdout: '@Palace_bot of seller is paused\n' })
  // What the operator has paused, its agent neither resumes nor removes.
  for (const state of ['active', 'paused', 'removed'] as const)
    await expect(core.bots.command(seller, 7_000_000_001, state)).rejects.toMatchObject({
      code: 'invalid_state',
    })
  expect((await bot('resume', 'palace_bot')).stdout).toBe('@Palace_bot of seller goes on\n')
  await core.bots.command(seller, 7_000_000_001, 'paused')
  await core.bots.command(seller, 7_000_000_001, 'active')
  expect((await bot('remove', 'PALACE_BOT')).stdout).toBe('@Palace_bot of seller is removed\n')

  for (const [args, message] of [
    [['pause', 'palace_bot'], 'There is no such bot: `bot list` shows them\n'],
    [['remove', '42'], 'There is no such bot: `bot list` shows them\n'],
    [['resume', 'pasted_bot'], 'Its owner has not opened it yet: there is nothing to resume\n'],
  ] as const)
    expect(await bot(...args)).toEqual({ status: 1, stdout: '', stderr: message })

  const json = await command(['--json', 'bot', 'list'], { database, drivers: {} })
  expect(JSON.parse(json.stdout)).toMatchObject({
    items: [
      { bot_id: 7_000_000_002, username: 'other_bot', agent: 'other', agent_status: 'active', managed: true },
      { bot_id: 7_000_000_003, state: 'pending', owner_id: 502, managed: false },
    ],
  })
  expect(json.stdout + stdout).not.toContain(SECRET_PART)
  const { items } = await core.operator.trail.list({ action: 'bot' })
  expect(items.map(({ action, subject, username }) => [action, subject, username])).toEqual([
    ['bot.remove', '@Palace_bot', 'seller'],
    ['bot.resume', '@Palace_bot', 'seller'],
    ['bot.pause', '@Palace_bot', 'seller'],
  ])
})

test('A bot that was never opened still waits for its owner after a pause', async () => {
  const { core, bot, opening = '' } = await shop()
  await bot('pause', 'pasted_bot')
  expect((await bot('resume', 'pasted_bot')).stdout).toBe(
    '@pasted_bot of seller waits until its owner opens it\n',
  )
  const code = opening.replace(/^own_/, '')
  expect(await core.bots.open(7_000_000_003, 999, code)).toBe(false)
  expect(await core.bots.open(7_000_000_003, 502, code)).toBe(true)
  expect(await core.bots.find('pasted_bot')).toMatchObject({ state: 'active' })
})

test('A token that Telegram refuses is replaced by a new one, and the owner proves the bot again', async () => {
  const { core, seller, opening = '' } = await shop()
  await core.bots.open(7_000_000_003, 502, opening.replace(/^own_/, ''))
  const pasted = { botId: 7_000_000_003, username: 'pasted_bot', managed: false }
  await expect(addBotOf(core, seller, pasted)).rejects.toMatchObject({ code: 'bot_taken' })
  await core.bots.setState(7_000_000_003, 'unauthorized')
  expect(await addBotOf(core, seller, pasted)).toMatch(/^own_/)
  expect(await core.bots.find('pasted_bot')).toMatchObject({ state: 'pending' })
})

test('The bots of a disabled agent do not run, and the list says so', async () => {
  const { core, bot } = await shop()
  await bot('pause', 'other_bot')
  await core.operator.editAgent(SHELL, 'other', { enabled: false })
  expect((await bot('list')).stdout).toMatch(/@other_bot +other_bot +other +halted, agent disabled /)
  expect(await bot('resume', 'other_bot')).toMatchObject({
    stdout: '@other_bot of other goes on\n',
    stderr: expect.stringContaining('other is disabled: its bots do not run while it is'),
  })
})

test('Who removes a bot at a terminal is asked before', async () => {
  const { core, database } = await shop()
  const refused = await command(['bot', 'remove', 'other_bot'], {
    database,
    drivers: {},
    terminal: true,
    stdin: 'n\n',
  })
  expect(refused.stdout + refused.stderr).toContain('Remove @other_bot of other? It stops answering.')
  expect(await core.bots.find('other_bot')).toMatchObject({ state: 'active' })
})
