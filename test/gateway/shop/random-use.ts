import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { type Credential, type Flow } from '../../support/flow.ts'
import { meteredShop, type SubAccount } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { SEED } from '../../support/seed.ts'
import { runningMs } from '../../support/times.ts'

const MB = 1_000_000
const AGENTS = 3
/** What a kill may lose: a second of counting, and the second in which that is written. */
const LOST_MS = 2_000
const STEPS = 60

const Step = fc.record({
  what: fc.constantFrom(
    ...([
      'buy',
      'download',
      'download',
      'download',
      'create',
      'give',
      'take_back',
      'toggle',
      'remove',
    ] as const),
  ),
  agent: fc.nat(AGENTS - 1),
  /** Which of the credentials of the agent. */
  which: fc.nat(),
  megabytes: fc.integer({ min: 1, max: 8 }),
})

interface Used {
  readonly credential: Credential
  readonly flows: { readonly flow: Flow; readonly begun: number }[]
}

interface Sub extends Used {
  readonly credential: SubAccount
  status: 'active' | 'disabled'
}

/** Buys, moves, takes back and downloads traffic at the same time, while the gateway is killed so often: each byte is counted once. */
export async function proveRandomUse(kills: number): Promise<void> {
  const shop = await meteredShop()
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, async (_, agent) => ({
      main: { credential: await shop.buy(40 * MB, agent), flows: [] } as Used,
      subs: [] as Sub[],
    })),
  )
  const all: Used[] = agents.map(({ main }) => main)
  /** Of those that were disabled or deleted in the middle of a download: what was on its way then was counted. */
  const broken = new Set<Used>()
  const killedAt: number[] = []
  const steps = fc.sample(Step, { numRuns: STEPS, seed: SEED })
  const allowed = (error: Error) => {
    if (!/traffic_not_available|402 traffic_exhausted|sub_account_not_found/.test(error.message)) throw error
  }

  for (const [index, { what, agent, which, megabytes }] of steps.entries()) {
    const bytes = megabytes * MB
    const { main, subs } = agents[agent] as (typeof agents)[number]
    const sub = subs[which % Math.max(1, subs.length)]
    if (kills > 0 && index % Math.ceil(STEPS / kills) === Math.ceil(STEPS / kills) - 1) {
      killedAt.push(runningMs())
      await shop.killGateway()
    }
    if (what === 'buy') await shop.buy(bytes, agent)
    else if (what === 'download') {
      const user = which % 2 === 0 || sub?.status !== 'active' ? main : sub
      await shop
        .flow(user.credential, bytes + (which % 100_000))
        .then((flow) => void user.flows.push({ flow, begun: runningMs() }), allowed)
    } else if (what === 'create') {
      const credential = await shop.addSubAccount(bytes, agent).catch(allowed)
      if (credential) {
        const created: Sub = { credential, flows: [], status: 'active' }
        subs.push(created)
        all.push(created)
      }
    } else if (sub && what === 'give') await shop.move(sub.credential, bytes, agent).catch(allowed)
    else if (sub && what === 'take_back') await shop.move(sub.credential, -bytes, agent).catch(allowed)
    else if (sub && what === 'toggle') {
      sub.status = sub.status === 'active' ? 'disabled' : 'active'
      await shop.setStatus(sub.credential, sub.status, agent)
      broken.add(sub)
    } else if (sub && what === 'remove') {
      await shop.remove(sub.credential, agent)
      broken.add(sub)
      subs.splice(subs.indexOf(sub), 1)
    }
  }
  for (const { flows } of all) for (const { flow } of flows) await flow.ended

  /** What must have been counted at least. */
  const leastOf = ({ flows }: Used) =>
    flows.reduce((sum, { flow, begun }) => {
      const kill = killedAt.find((at) => at >= begun)
      return sum + (kill === undefined ? flow.passed() : flow.passedAt(kill - LOST_MS))
    }, 0)
  const mostOf = (used: Used) =>
    kills > 0 || broken.has(used)
      ? shop.source.passed(used.credential)
      : used.flows.reduce((sum, { flow }) => sum + flow.passed(), 0)
  for (const used of all)
    await vi.waitUntil(async () => (await shop.reported(used.credential)).bytes >= leastOf(used), PATIENCE)
  await shop.product.terminate()
  for (const used of all) {
    const { bytes, counted } = await shop.reported(used.credential)
    expect(bytes).toBeGreaterThanOrEqual(leastOf(used))
    expect(bytes).toBeLessThanOrEqual(mostOf(used))
    expect(counted).toBe(bytes)
  }
  expect(all.reduce((sum, { flows }) => sum + flows.length, 0)).toBeGreaterThan(10)
  await shop.audit()
}
