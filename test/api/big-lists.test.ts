import { describe, expect, test } from 'vitest'
import { LIST, openApi } from '../support/api.ts'
import { plantOrders } from '../support/many-orders.ts'
import { withTurns } from '../support/turns.ts'

interface Listed {
  readonly orderNo: string
  readonly instances_total: number
  readonly instances: readonly { readonly instance_no: string }[]
}

/** A user with orders of 60 proxies each; `order(n)` is the number of the n-th. */
async function shop(orders: number) {
  const api = await openApi()
  await api.product()
  const user = await api.customer(null, { name: 'user' })
  await plantOrders(api.db, orders, [user.id], 60)
  const client = await api.as(user)
  const list = async (query: string) => {
    const { body } = await client.get(`${LIST}?${query}`)
    return body.data.items as unknown as Listed[]
  }
  return { ...api, user, list, order: (n: number) => `S2025${String(n).padStart(21, '0')}` }
}

describe('Static orders with many proxies', () => {
  test('a list of several shows the first 50 of each and the number of all; a list by number has all', async () => {
    const { list, order, db } = await shop(2)
    const [second, first] = await list('')
    expect(second).toMatchObject({ orderNo: order(2), instances_total: 60 })
    expect(first?.instances).toHaveLength(50)
    expect(first?.instances[49]?.instance_no).toBe('I1-50')

    const [one, ...others] = await list(`orderNo=${order(1)}`)
    expect(others).toEqual([])
    expect(one).toMatchObject({ instances_total: 60 })
    expect(one?.instances).toHaveLength(60)
    expect((await list('orderNo=app-1'))[0]?.instances).toHaveLength(60)

    // Only what the caller is shown is counted.
    await db.write((tx) =>
      tx.instance.update({
        where: { instanceNo: 'I1-1' },
        data: { status: 'released', releasedAt: new Date(0) },
      }),
    )
    expect((await list(`orderNo=${order(1)}`))[0]).toMatchObject({ instances_total: 59 })
    const bin = await list(`orderNo=${order(1)}&show_recycle_bin=true`)
    expect(bin[0]?.instances_total).toBe(60)
    expect((await list(''))[1]?.instances[0]?.instance_no).toBe('I1-2')
  })

  test('a full page is read and written in steps, between which others are served', async () => {
    const { list, core, user } = await shop(100)
    const { result, turns } = await withTurns(() => core.orders.listStatic(user, { pageSize: 100 }))
    expect(result.items).toHaveLength(100)
    expect(result.items.flatMap(({ instances }) => instances)).toHaveLength(98 * 50)
    // 5,000 proxies, 250 at a time.
    expect(turns).toBeGreaterThanOrEqual(19)

    const both = await withTurns(() =>
      Promise.all([
        core.orders.listStatic(user, { pageSize: 100 }),
        core.orders.listStatic(user, { pageSize: 100 }),
      ]),
    )
    expect(both.turns).toBeGreaterThanOrEqual(2 * 19)
    const orders = await list('page_size=100')
    expect(orders.map(({ instances_total }) => instances_total)).toEqual(
      result.items.map(({ instancesTotal }) => instancesTotal),
    )
  })

  test('an order with hundreds of proxies is completed, renewed and released by short statements', async () => {
    const api = await openApi()
    await api.product()
    await api.stock('static', 400)
    const user = await api.customer(null, { name: 'user', balance: 2_000 })
    const orders = await Promise.all([200, 200].map((ipCount) => api.order(user, { ipCount })))
    await api.runJobs()
    const [{ orderNo } = { orderNo: '' }] = orders
    const renewal = await api.core.orders.renewStatic(user, { order: { orderNo } })
    expect(renewal.instances).toHaveLength(200)
    expect((await api.core.orders.cancelStatic(user, { orderNo })).releasedInstances).toHaveLength(200)
    await api.audited()
  })
})
