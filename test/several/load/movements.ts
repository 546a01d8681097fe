import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Actor } from '../../../src/core/access/actor.ts'
import { CUSTOMER } from '../../support/product.ts'
import { post } from '../buyer.ts'
import type { Asking, Part, Shop } from './part.ts'

/** What one movement is worth, in the currency and in its millionths. */
const MOVED = 0.01
const MOVED_MICROS = 10_000

/** An agent that moves money to its customer. */
export async function startMovements({ core, db }: Shop, agent: Actor, asking: Asking): Promise<Part> {
  const { id } = await core.accounts.createSubUser(agent, CUSTOMER)
  let moved = 0
  return {
    name: 'movements of money',
    clients: 1,
    async step() {
      const askedAt = performance.now()
      const key = randomUUID()
      const body = { amount: MOVED, remark: 'load' }
      await asking.ask((server, sending) =>
        post(server, `/open/app/agent/sub-users/${id}/balance`, body, { ...sending, key }),
      )
      moved += 1
      return askedAt
    },
    async prove() {
      const { balance } = await db.read.account.findUniqueOrThrow({ where: { id } })
      expect(Number(balance)).toBe(moved * MOVED_MICROS)
    },
  }
}
