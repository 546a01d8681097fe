import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, type Service, tally } from '../../support/service.ts'

let names = 0
/** Of the users that exist when the step is made. */
const user = fc.nat(9)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), units: fc.nat(15) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('create many' as const),
      units: fc.array(fc.nat(8), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      user,
      units: fc.integer({ min: -15, max: 15 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      user,
      ipCount: fc.integer({ min: 1, max: 4 }),
      byAgent: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), user }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('status' as const), user, active: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('operator' as const),
      user,
      units: fc.integer({ min: -9, max: 9 }),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Delivers all, half or nothing, depending on the order. */
const uneven = scriptedSupplier((order) =>
  delivers(Math.floor((order.ipCount * (order.orderId % 3)) / 2))(order),
)

async function carryOut(
  service: Service,
  agent: Actor,
  users: Actor[],
  { ...action }: Step,
): Promise<unknown> {
  const { accounts, jobs, operator } = service.core
  const chosen = 'user' in action ? users[action.user % Math.max(users.length, 1)] : undefined
  switch (action.do) {
    case 'create': {
      const created = await accounts.createSubUser(agent, {
        username: `user-${(names += 1)}`,
        password: 'secret',
        balance: action.units,
      })
      return users.push({
        ...agent,
        id: created.id,
        username: created.username,
        role: 'user',
        agentId: agent.id,
      })
    }
    case 'create many': {
      const list = action.units.map((balance) => ({ username: `user-${(names += 1)}`, balance }))
      const created = await accounts.createSubUsers(agent, list)
      return users.push(
        ...created.users.map(({ id, username }) => ({
          ...agent,
          id,
          username,
          role: 'user' as const,
          agentId: agent.id,
        })),
      )
    }
    case 'complete':
      return Promise.all((await jobs.queue.claim(4, 0)).map((job) => jobs.handleOrder(job)))
    case 'adjust':
      return (
        chosen && accounts.adjustSubUserBalance(agent, chosen.id, { amount: action.units, remark: 'test' })
      )
    case 'order':
      return (
        chosen &&
        service.order(action.byAgent ? agent : chosen, { userId: chosen.id, ipCount: action.ipCount })
      )
    case 'delete':
      return chosen && accounts.deleteSubUser(agent, chosen.id)
    case 'status':
      return (
        chosen &&
        accounts.setSubUserStatus(agent, chosen.id, { status: action.active ? 'active' : 'disabled' })
      )
    case 'operator':
      return (
        chosen &&
        operator.adjustBalance(SHELL, { username: chosen.username, amount: action.units, remark: 'test' })
      )
  }
}

/** Whatever an agent and its users do, after which the books are proved. */
export const familyBooks = (funding: 'transfer' | 'mint') =>
  fc.asyncProperty(
    fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
    async (rounds) => {
      const service = await openService({ suppliers: { uneven } })
      const agent = await service.agent({ balance: 60, funding })
      await service.product('static', { price: 1.5, supplier: 'uneven' })
      await service.db.write((tx) => tx.location.create({ data: { productId: 1, countryCode: 'US' } }))
      const users: Actor[] = []
      for (const round of rounds) {
        tally(await Promise.allSettled(round.map((action) => carryOut(service, agent, users, action))))
        await service.audited()
      }
      await service.runJobs()
      await service.audited()
      const rows = await service.db.read.account.findMany()
      for (const { status, balance } of rows)
        if (status === 'deleted' && funding === 'transfer') expect(balance).toBe(0n)
    },
  )
