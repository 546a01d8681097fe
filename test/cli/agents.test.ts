import { expect, test } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService, PASSWORD, refused } from '../support/service.ts'

test('The operator gives an agent another level and password, keeps it out and lets it in again, and sees how all stand', async () => {
  const service = await openService()
  const { core } = service
  const ann = await service.agent({ name: 'Ann', balance: 20 })
  const bob = await service.customer(ann, { name: 'bob', balance: 5 })
  const logIn = (username: string, password: string) =>
    core.accounts.logIn({ username, password, address: '192.0.2.1' })
  const agent = (...args: string[]) => command(['agent', ...args], { database: service.database })
  const [annToken, bobToken] = [(await logIn('Ann', PASSWORD)).token, (await logIn('bob', PASSWORD)).token]

  expect(await agent('edit', 'ann', '--level', '3', '--disable')).toEqual({
    status: 0,
    stderr: '',
    stdout: 'Changed agent ann\n',
  })
  await refused(logIn('Ann', PASSWORD), 'account_disabled')
  await refused(core.accounts.authenticate(annToken), 'account_disabled')
  expect(await core.accounts.authenticate(bobToken)).toMatchObject({ id: bob.id, level: 3 })
  expect((await agent('list')).stdout).toBe(
    [
      'NAME  ID  LEVEL  FUNDING   STATUS    BALANCE  SUB-USERS  THEIR BALANCES',
      'Ann   1   3      transfer  disabled  20.00    1          5.00',
      '',
    ].join('\n'),
  )

  expect((await agent('edit', 'Ann', '--enable')).status).toBe(0)
  expect(await core.accounts.authenticate(annToken)).toMatchObject({ id: ann.id, level: 3 })
  const renewed = await command(['agent', 'edit', 'Ann', '--password', '-'], {
    database: service.database,
    stdin: 'another-word\n',
  })
  expect(renewed.status).toBe(0)
  await refused(core.accounts.authenticate(annToken), 'token_invalid')
  await refused(logIn('Ann', PASSWORD), 'invalid_credentials')
  expect((await logIn('Ann', 'another-word')).account).toMatchObject({ id: ann.id })
  expect(JSON.parse((await agent('list', '--json')).stdout)).toEqual({
    currency: 'USD',
    items: [
      {
        id: ann.id,
        username: 'Ann',
        level: 3,
        funding: 'transfer',
        status: 'active',
        balance: 20,
        users: 1,
        users_balance: 5,
      },
    ],
  })

  for (const [args, message] of [
    [['nobody', '--enable'], 'There is no account of this name'],
    [['bob', '--enable'], 'This is not an agent: `customer` has the commands for its sub-users'],
    [['Ann'], 'agent has nothing to change: name at least one option'],
    [['Ann', '--level', '0'], 'level'],
    [['Ann', '--password', 'short'], 'password'],
  ] as const) {
    const { status, stderr } = await agent('edit', ...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  }
})

test('What deleted sub-users of an agent have left is shown, and taken back with a reason: then the agent may pay for its own', async () => {
  const service = await openService()
  const { core } = service
  const ann = await service.agent({ name: 'Ann', funding: 'mint' })
  const [bob, eve] = [
    await service.customer(ann, { name: 'bob', balance: 5 }),
    await service.customer(ann, { name: 'eve', balance: 0.25 }),
  ]
  await service.customer(ann, { name: 'carl', balance: 7 })
  for (const { id } of [bob, eve]) await core.accounts.deleteSubUser(ann, id)
  const agent = (...args: string[]) => command(['agent', ...args], { database: service.database })

  expect((await agent('edit', 'Ann', '--funding', 'transfer')).stderr).toContain('`agent clear`')
  const preview = { username: 'Ann', cleared: false, total: 5.25 }
  const left = [
    { id: bob.id, username: 'bob', balance: 5 },
    { id: eve.id, username: 'eve', balance: 0.25 },
  ]
  expect(JSON.parse((await agent('clear', 'Ann', '--json')).stdout)).toEqual({ ...preview, items: left })
  expect((await agent('clear', 'Ann')).stdout).toMatch(/^NAME {2}ID +BALANCE\nbob .*5\.00\neve .*0\.25\n/)
  expect((await core.operator.customers.show(bob.id)).balance).toBe(5_000_000)

  expect((await agent('clear', 'Ann', '--reason', 'other funding')).stdout).toBe(
    'Took 5.25 USD back from 2 deleted sub-users of Ann\n',
  )
  expect((await agent('clear', 'Ann', '--reason', 'again')).stdout).toContain('have nothing left')
  expect((await agent('edit', 'Ann', '--funding', 'transfer')).status).toBe(0)
  const entry = await service.db.read.ledgerEntry.findFirstOrThrow({
    where: { accountId: bob.id },
    orderBy: { id: 'desc' },
  })
  expect(entry).toMatchObject({
    type: 'adjust',
    amount: -5_000_000n,
    balanceAfter: 0n,
    remark: 'other funding',
  })
  const { items } = await core.operator.trail.list({ action: 'agent.clear' })
  expect(items.map(({ details }) => details)).toEqual([{ reason: 'other funding', amount: 5.25, users: 2 }])
  expect(await core.operator.audit()).toEqual([])
  expect((await agent('clear', 'carl', '--reason', 'x')).stderr).toContain('This is not an agent')
})
