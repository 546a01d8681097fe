import { describe, expect, it } from 'vitest'
import { suppliedShop } from '../../support/supplied-shop.ts'

const MINUTE = 60_000

/** Ends the wait for the supplier as a kill would: what the request has done upstream stays unknown. */
function killed(): AbortSignal {
  return AbortSignal.abort()
}

describe('after a restart', () => {
  it('what was only intended is sent, once', async () => {
    const { order, buyer, step, restarted, runJobs, placed, proven } = await suppliedShop()
    await order(buyer)
    const core = restarted()
    await core.supply.takeOver()
    expect(await step(core)).toEqual(['settled'])
    expect(await step()).toEqual([])
    await runJobs()
    expect(placed()).toHaveLength(1)
    await proven(996)
  })

  it.each(['arrived', 'never arrived'])('what was sent and %s is looked up first', async (fate) => {
    const { order, buyer, supplier, step, restarted, runJobs, placed, proven, db, clock } =
      await suppliedShop()
    const { orderNo } = await order(buyer)
    supplier.meets('place', fate === 'arrived' ? 'answer_lost' : 'request_lost')
    await step()
    // As the kill between the commit and the answer leaves it: the look-up is not due yet.
    await db.write((tx) =>
      tx.supplierCall.update({
        where: { callNo: orderNo },
        data: { nextAt: new Date(clock.now().getTime() + 30_000) },
      }),
    )
    const core = restarted()
    await core.supply.takeOver()
    expect(await step(core)).toEqual([fate === 'arrived' ? 'settled' : 'absent'])
    expect(supplier.asked.slice(-2)).toEqual([`place ${orderNo}`, `find ${orderNo}`])
    clock.advance(MINUTE)
    await step(core)
    await runJobs()
    expect([placed().length, supplier.orders.size]).toEqual([fate === 'arrived' ? 1 : 2, 1])
    await proven(996)
  })

  it('what was marked as sent while the service stopped is sent by the next one', async () => {
    const { order, buyer, step, restarted, call, placed, proven, clock } = await suppliedShop()
    const { orderNo } = await order(buyer)
    expect(await step(undefined, killed())).toEqual(['fault'])
    expect([(await call(orderNo)).state, placed()]).toEqual(['intended', []])
    clock.advance(MINUTE)
    expect(await step(restarted())).toEqual(['settled'])
    await proven(996)
  })

  it('what was accepted is looked up', async () => {
    const { order, buyer, supplier, step, restarted, runJobs, placed, proven, clock } = await suppliedShop()
    supplier.behaviour.immediate = false
    const { orderNo } = await order(buyer)
    await step()
    supplier.finish(orderNo)
    clock.advance(MINUTE)
    expect(await step(restarted())).toEqual(['settled'])
    await runJobs()
    expect(placed()).toHaveLength(1)
    await proven(996)
  })

  it('what was settled is handed over once, however often the job runs', async () => {
    const { order, buyer, step, restarted, runJobs, found, proven } = await suppliedShop()
    const { orderNo } = await order(buyer, { ipCount: 2 })
    await step()
    const core = restarted()
    const [job] = await core.jobs.queue.claim(1, 0)
    if (!job) throw new Error('there is no job')
    await Promise.all([core.jobs.handleOrder(job), core.jobs.handleOrder(job), runJobs()])
    expect((await found(orderNo)).instances).toHaveLength(2)
    await proven(992)
  })

  it('two services that advance the same call send it once', async () => {
    const { order, buyer, core, restarted, placed, connectionId, proven } = await suppliedShop()
    await order(buyer)
    const [due] = await core.supply.due({ connectionId, limit: 1 })
    if (!due) throw new Error('nothing is due')
    const steps = await Promise.all([core, restarted()].map((each) => each.supply.advance(due)))
    expect(steps.map(({ outcome }) => outcome).toSorted()).toEqual(['settled', 'skipped'])
    expect(placed()).toHaveLength(1)
    await proven(996)
  })
})

describe('an address that is delivered twice', () => {
  it('is handed to one customer, and the other one is refunded', async () => {
    const { order, buyer, supplier, step, runJobs, found, proven, told, clock } = await suppliedShop({
      operatorChats: [900],
    })
    supplier.behaviour.immediate = false
    const first = await order(buyer)
    const second = await order(buyer)
    await step()
    supplier.finish(first.orderNo)
    supplier.finish(second.orderNo)
    const [one, two] = [supplier.orders.get(first.orderNo), supplier.orders.get(second.orderNo)]
    if (!one || !two) throw new Error('nothing was ordered')
    two.instances = one.instances
    clock.advance(MINUTE)
    expect(await step()).toEqual(['settled', 'settled'])
    await runJobs()
    const states = [(await found(first.orderNo)).status, (await found(second.orderNo)).status]
    expect(states.toSorted()).toEqual(['active', 'failed'])
    expect((await told()).map((text) => text.split(' ')[0])).toEqual(['supplier_extra'])
    await proven(996)
  })
})
