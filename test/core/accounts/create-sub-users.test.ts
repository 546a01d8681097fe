import { describe, expect, it } from 'vitest'
import { InvalidInput } from '../../../src/core/errors.ts'
import { openService, refused, tally } from '../../support/service.ts'

/** `count` users, of whom each brings `balance`. */
function named(prefix: string, count: number, balance = 0) {
  return Array.from({ length: count }, (_, index) => ({ username: `${prefix}-${index}`, balance }))
}

async function issuesOf(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(InvalidInput)
  return (error as InvalidInput).issues.map(({ path, message, code }) => [
    path.join('.'),
    /^[a-z_]+$/.test(message) ? message : code,
  ])
}

describe('creating many sub-users', () => {
  it('creates all of them with money from the agent, and makes the passwords that are missing', async () => {
    const { core, agent, balance, audited, db } = await openService()
    const owner = await agent({ balance: 100 })
    const list = [
      { username: 'anna', balance: 30, email: 'anna@example.com', phone: '13800138000', remark: 'first' },
      { username: 'ben', password: 'secret-of-ben', balance: 12.5 },
    ]
    const plan = { total: 42_500_000, agentBalance: 100_000_000, agentBalanceAfter: 57_500_000 }
    expect(await core.accounts.planSubUsers(owner, list)).toEqual(plan)
    const { users, ...done } = await core.accounts.createSubUsers(owner, list)
    expect(done).toEqual(plan)
    expect(users).toMatchObject([
      {
        username: 'anna',
        balance: 30_000_000,
        email: 'anna@example.com',
        phone: '13800138000',
        remark: 'first',
      },
      { username: 'ben', balance: 12_500_000, email: '', password: undefined },
    ])
    expect(await balance(owner)).toBe(57.5)
    await audited()
    const made = users[0]?.password ?? ''
    expect(made).toMatch(/^[0-9A-HJKMNP-TV-Z]{14}$/)
    for (const [username, password] of [
      ['anna', made],
      ['ben', 'secret-of-ben'],
    ] as const)
      expect((await core.accounts.logIn({ username, password, address: 'x' })).account.username).toBe(
        username,
      )
    expect(
      JSON.stringify(
        await db.read.account.findMany({ select: { username: true, remark: true, passwordHash: true } }),
      ),
    ).not.toContain(made)
  })

  it('names everything that is wrong at once, and creates nobody then', async () => {
    const { core, agent, customer, db } = await openService()
    const owner = await agent({ balance: 100 })
    await customer(owner, { name: 'Taken' })
    const list = [
      { username: 'good', balance: 1 },
      { username: 'x', password: 'short', email: 'nowhere', phone: '123' },
      { username: 'TAKEN', balance: 0.0000001 },
      { username: 'Good', remark: 'r'.repeat(256) },
    ]
    const wrong = [
      ['1.username', 'too_small'],
      ['1.password', 'too_small'],
      ['1.email', 'not_an_email_address'],
      ['1.phone', 'not_a_phone_number'],
      ['2.balance', 'not_an_amount'],
      ['3.remark', 'too_big'],
      ['2.username', 'username_taken'],
      ['3.username', 'named_twice'],
    ]
    expect(await issuesOf(core.accounts.planSubUsers(owner, list))).toEqual(wrong)
    expect(await issuesOf(core.accounts.createSubUsers(owner, list))).toEqual(wrong)
    expect(await issuesOf(core.accounts.createSubUsers(owner, named('user', 201)))).toEqual([['', 'too_big']])
    expect(await issuesOf(core.accounts.createSubUsers(owner, []))).toEqual([['', 'too_small']])
    expect(await db.read.account.count()).toBe(2)
  })

  it('is for agents, and for as much money as they have', async () => {
    const { core, agent, customer, balance, db } = await openService()
    const owner = await agent({ balance: 10 })
    const user = await customer(owner)
    await refused(core.accounts.createSubUsers(user, named('new', 1)), 'agent_required')
    await refused(core.accounts.createSubUsers(owner, named('new', 3, 4)), 'insufficient_balance', {
      required: 12,
      balance: 10,
      shortfall: 2,
    })
    expect(await db.read.account.count()).toBe(2)
    const minter = await agent({ funding: 'mint' })
    await core.accounts.createSubUsers(minter, named('minted', 3, 4))
    expect(await balance(minter)).toBe(0)
  })

  it('lets one of two lists win that want the same name at the same time, and takes all of it', async () => {
    const { core, agent, balance, audited, db } = await openService()
    const agents = await Promise.all([1, 2, 3, 4].map(() => agent({ balance: 50 })))
    const results = await Promise.allSettled(
      agents.map((each) =>
        core.accounts.createSubUsers(each, [
          ...named(each.username, 4, 10),
          { username: 'the-same', balance: 10 },
        ]),
      ),
    )
    expect(tally(results)).toEqual({ ok: 1, validation_error: 3 })
    expect(await db.read.account.count({ where: { role: 'user' } })).toBe(5)
    expect((await Promise.all(agents.map(balance))).toSorted((a, b) => a - b)).toEqual([0, 50, 50, 50])
    await audited()
  })

  it('lets the money of an agent be given away once only, however many lists come at the same time', async () => {
    const { core, agent, balance, audited } = await openService()
    const owner = await agent({ balance: 25 })
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((prefix) => core.accounts.createSubUsers(owner, named(`${prefix}-user`, 2, 10))),
    )
    expect(tally(results)).toEqual({ ok: 1, insufficient_balance: 2 })
    expect(await balance(owner)).toBe(5)
    await audited()
  })
})
