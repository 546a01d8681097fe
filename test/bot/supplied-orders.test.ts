import { describe, expect, it } from 'vitest'
import { handle } from '../../src/core/job-handlers.ts'
import { endCall } from '../support/end-call.ts'
import { outside } from '../support/service.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { suppliedOrder, withAcme } from '../support/supplied-order.ts'
import { ANN } from '../support/product.ts'

/** Ann with 97 and an order of 3 proxies from a connection, on whose screen she is. */
async function supplied() {
  const shop = await startShop(ANN, withAcme())
  const order = await suppliedOrder(shop, shop.boss)
  shop.ann.send('/orders')
  await shop.ann.press(/3 × Static/)
  await shop.ann.waitForButton('🔁 Renew')
  return { ...shop, ...order }
}

/** Carries out all jobs that are due; what they announce is sent to the phones. */
async function workOff({ core, bot }: Pick<Shop, 'core' | 'bot'>): Promise<void> {
  const { messenger, refreshScreen } = bot
  const handlers = core.jobs.handlers(outside({ messenger, refreshScreen }))
  for (;;) {
    const jobs = await core.jobs.queue.claim(9, 60_000)
    if (jobs.length === 0) return
    for (const job of jobs) expect(await handle(handlers, job)).toBeUndefined()
  }
}

async function numberOfLastCall({ db }: Pick<Shop, 'db'>): Promise<string> {
  return (await db.read.supplierCall.findFirstOrThrow({ orderBy: { id: 'desc' } })).callNo
}

describe('renewing proxies that a third party supplies', () => {
  it('is accepted first; the new expiry comes in a message', async () => {
    const shop = await supplied()
    const { ann, answers } = shop
    await ann.press('🔁 Renew')
    await ann.press('Continue with 3 ›')
    await ann.press('1 month')
    await ann.press('✅ Renew · 3.00 USD')
    const accepted = await ann.read('Renewal accepted and paid (3)')
    expect(accepted).toContain('Paid: 3.00 USD\nYour balance: 94.00 USD')
    expect(accepted).toContain('The new expiry follows in a message')
    expect(accepted).not.toContain('New expiry:')
    await ann.press('📦 Open the order')
    const order = await ann.read('Renewal in progress: 3 proxies')
    expect(order).toContain('Valid until: 1 Apr 2026')
    expect(ann.buttons()).toContain('🔄 Refresh')
    expect(ann.buttons().join()).not.toMatch(/Renew|Release/)

    const instances = await answers([0, 1])
    await endCall(shop, await numberOfLastCall(shop), { instances, reason: 'one is gone' })
    await workOff(shop)
    const done = await ann.read('2 proxies renewed', { evenOld: true })
    expect(done).not.toContain('automatically')
    expect(done).toContain('Paid: 2.00 USD · balance: 95.00 USD')
    expect(done).toContain('Valid until: 1 May 2026')
    const failed = await ann.read('1 proxy could not be renewed', { evenOld: true })
    expect(failed).toContain('The supplier refused; 1.00 USD was returned to the balance.')
    expect(failed).toContain('Valid until: 1 Apr 2026')
    expect(failed).not.toContain('try again')
  })
})

describe('renewing many proxies of a third party', () => {
  it('shows how many it has answered for, and ends in what was renewed and what was not', async () => {
    const shop = await supplied()
    const { ann, answers, clock } = shop
    ann.send('/proxies')
    await ann.waitFor('My proxies')
    await ann.press('🔁 Renew')
    await ann.press('☑️ All')
    await ann.press('✅ Renew 3 · 3.00 USD')
    const waiting = await ann.read('3 of them wait for their supplier')
    expect(waiting).toContain('Renewed and paid: 3 proxies')
    expect(waiting).toContain('▱▱▱▱▱▱ 0 of 3')

    const instances = await answers([0, 1])
    await endCall(shop, await numberOfLastCall(shop), { instances, reason: 'one is gone' })
    await workOff(shop)
    clock.advance(3000)
    await workOff(shop)
    const ended = await ann.read('Renewed and paid: 2 proxies', { evenOld: true })
    expect(ended).toContain('1 could not be renewed. 1.00 USD is back on the balance.')
    expect(ended).not.toContain('▱')
  })
})

describe('another password for a proxy', () => {
  it('is asked for after a confirmation, once an hour, and comes in a message', async () => {
    const shop = await supplied()
    const { ann, answers } = shop
    await ann.press('🔎 Details')
    await ann.press(/10\.200/)
    await ann.press('🔑 New password')
    expect(await ann.read('New password')).toContain('The old one stops working.')
    await ann.press('‹ Back')
    await ann.press('🔑 New password')
    const asked = await ann.press('🔑 Change the password')
    expect(asked.text).toBe('The new password comes in a message.')
    await ann.press('🔑 New password')
    const again = await ann.press('🔑 Change the password')
    expect(again.text).toBe('This is possible once an hour for each proxy.')
    expect(await shop.db.read.supplierCall.count({ where: { kind: 'reset' } })).toBe(1)
    const instances = await answers([0], { username: 'ann', password: 'fresh' })
    await endCall(shop, await numberOfLastCall(shop), { instances })
    await workOff(shop)
    expect(await ann.read('A proxy has a new password', { evenOld: true })).toContain(':ann:fresh')
    expect(shop.log.join('\n')).not.toContain('fresh')
  })

  it('is not offered where the supplier gives none', async () => {
    const shop = await startShop(ANN, withAcme({ resets: false }))
    await suppliedOrder(shop, shop.boss)
    shop.ann.send('/orders')
    await shop.ann.press(/3 × Static/)
    await shop.ann.press('🔎 Details')
    await shop.ann.press(/10\.200/)
    await shop.ann.waitForButton(/^🔁 Renew/)
    expect(shop.ann.buttons()).not.toContain('🔑 New password')
  })
})
