import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused } from '../../support/service.ts'

/** An agent of level 2 with a sub-user, and a monthly product at 1. */
async function shop() {
  const service = await openService()
  const seller = await service.agent({ name: 'seller', balance: 1000, level: 2 })
  const user = await service.customer(seller, { name: 'user', balance: 1000 })
  await service.product()
  await service.stock('static', 30)
  const quoted = async (buyer: typeof user, ipCount: number) => {
    const quote = await service.core.orders.quoteStatic(buyer, {
      poolId: 'static',
      userId: buyer.id,
      ipCount,
      duration: 1,
      unit: 3,
    })
    return quote.unitPrice / 1e6
  }
  return { ...service, seller, user, quoted }
}

describe('who orders for whom', () => {
  it('an agent orders for itself or a direct sub-user, who pays from its own balance', async () => {
    const { order, seller, user, balance, core } = await shop()
    await order(seller)
    const { orderNo } = await order(seller, { userId: user.id })
    expect([await balance(seller), await balance(user)]).toEqual([999, 999])
    expect(await core.orders.getStatic(user, { orderNo })).toMatchObject({
      userId: user.id,
      username: 'user',
      agentId: seller.id,
    })
    expect(await core.orders.getStatic(seller, { orderNo })).toMatchObject({ userId: user.id })
  })

  it('a sub-user orders for itself only', async () => {
    const { order, seller, user, customer } = await shop()
    const sibling = await customer(seller, { balance: 5 })
    await order(user)
    for (const userId of [seller.id, sibling.id, 999])
      await refused(order(user, { userId }), 'agent_required')
  })

  it("an agent does not order for somebody else's sub-user, another agent, or nobody", async () => {
    const { order, agent, seller, user, customer, db } = await shop()
    const rival = await agent({ balance: 10 })
    const orphan = await customer(null, { balance: 10 })
    await refused(order(rival, { userId: user.id }), 'not_direct_sub_user')
    await refused(order(rival, { userId: seller.id }), 'not_direct_sub_user')
    await refused(order(rival, { userId: orphan.id }), 'not_direct_sub_user')
    await refused(order(rival, { userId: 999 }), 'sub_user_not_found')
    expect(await db.read.staticOrder.count()).toBe(0)
  })

  it('an agent does not order for a sub-user who is disabled or deleted', async () => {
    const { order, seller, user, db } = await shop()
    for (const [status, code] of [
      ['disabled', 'account_disabled'],
      ['deleted', 'sub_user_not_found'],
    ] as const) {
      await db.write((tx) => tx.account.update({ where: { id: user.id }, data: { status } }))
      await refused(order(seller, { userId: user.id }), code)
    }
  })

  it('a stranger does not learn that an order exists', async () => {
    const { order, agent, customer, seller, user, core } = await shop()
    const { orderNo } = await order(user)
    for (const stranger of [await agent(), await customer(seller), await customer(null)]) {
      await refused(core.orders.getStatic(stranger, { orderNo }), 'order_not_found')
      expect((await core.orders.listStatic(stranger, { orderNo })).total).toBe(0)
    }
  })
})

describe('the price of one IP', () => {
  it("is the user's own, else that of the level of its agent, else the product's", async () => {
    const { core, agent, seller, user, quoted } = await shop()
    const other = await agent({ level: 1 })
    const set = core.operator.setPrice
    expect([await quoted(user, 1), await quoted(seller, 1), await quoted(other, 1)]).toEqual([1, 1, 1])
    await set(SHELL, { productNo: 'static', price: 0.8, level: 2 })
    expect([await quoted(user, 1), await quoted(seller, 1), await quoted(other, 1)]).toEqual([0.8, 0.8, 1])
    await set(SHELL, { productNo: 'static', price: 0.9, username: 'USER' })
    expect([await quoted(user, 1), await quoted(seller, 1), await quoted(other, 1)]).toEqual([0.9, 0.8, 1])
  })

  it('is the one with the highest minimum that the order reaches', async () => {
    const { core, user, quoted, stock } = await shop()
    await stock('static', 500)
    for (const [minQuantity, price] of [
      [10, 0.7],
      [5, 0.8],
      [100, 0.5],
    ] as const) {
      await core.operator.setPrice(SHELL, { productNo: 'static', price, minQuantity })
    }
    expect(await Promise.all([1, 4, 5, 9, 10, 99, 100, 500].map((count) => quoted(user, count)))).toEqual([
      1, 1, 0.8, 0.8, 0.7, 0.7, 0.5, 0.5,
    ])
  })

  it('does not mix scopes: a better scope holds even where a tier of another is lower', async () => {
    const { core, user, quoted } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.1, minQuantity: 10 })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.8, level: 2 })
    expect(await quoted(user, 20)).toBe(0.8)
  })

  it('falls back to the next scope below the smallest tier of the better one', async () => {
    const { core, user, quoted } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.6, level: 2, minQuantity: 10 })
    expect([await quoted(user, 9), await quoted(user, 10)]).toEqual([1, 0.6])
  })

  it('can be set anew, and is what an order is charged', async () => {
    const { core, order, user, balance } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 2.5, username: 'user' })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.333333, username: 'user' })
    await order(user, { ipCount: 3, duration: 2 })
    expect(await balance(user)).toBe(998.000002)
  })

  it('multiplies with IPs and billing periods, and the quote says the same as the order', async () => {
    const { core, order, product, stock, user, balance, audited } = await shop()
    await product('weekly', { price: 0.25, periodUnit: 1, periodLength: 7 })
    await stock('weekly', 5)
    const wanted = {
      poolId: 'weekly',
      userId: user.id,
      ipCount: 4,
      duration: 14,
      unit: 1,
      cycleTimes: 3,
    } as const
    expect(await core.orders.quoteStatic(user, wanted)).toMatchObject({
      unitPrice: 250_000,
      periods: 6,
      quantity: 4,
      totalAmount: 6_000_000,
      balance: 1_000_000_000,
      balanceAfter: 994_000_000,
    })
    await order(user, wanted)
    expect(await balance(user)).toBe(994)
    await audited()
  })
})

describe('what a product does not offer is refused', () => {
  it('another term than whole billing periods', async () => {
    const { order, user } = await shop()
    await refused(order(user, { duration: 45, unit: 1 }), 'duration_not_supported', {
      product_no: 'static',
      duration: 1,
      unit: 3,
    })
    await refused(order(user, { duration: 11, unit: 4 }), 'duration_not_supported')
  })

  it('an unknown, a withdrawn, and a product sold by traffic', async () => {
    const { order, product, user, db } = await shop()
    await product('traffic', { proxyType: 104, pool: 'dynamic_1' })
    await db.write((tx) => tx.product.update({ where: { productNo: 'static' }, data: { enabled: false } }))
    for (const poolId of ['nothing', 'static', 'traffic', '%'])
      await refused(order(user, { poolId }), 'product_not_found')
  })

  it('a place it does not have, with the places that it has', async () => {
    const { order, stock, user } = await shop()
    await stock('static', 2, { country: 'DE', city: 'DEBER' })
    for (const place of [
      { countryCode: 'FR' },
      { cityCode: 'USNYC' },
      { countryCode: 'US', cityCode: 'DEBER' },
      { regionCode: 'XX' },
    ]) {
      await expect(order(user, place)).rejects.toMatchObject({
        code: 'location_not_supported_for_product',
        data: {
          product_no: 'static',
          requested: { countryCode: null, cityCode: null, regionCode: null, ...place },
          supported_regions: [
            { countryCode: 'DE', cityCode: 'DEBER', stock: 2 },
            { countryCode: 'US', cityCode: '', stock: 30 },
          ],
        },
      })
    }
  })

  it('a project with an exclusive product, none or a wrong one with a shared product', async () => {
    const { order, product, stock, user } = await shop()
    await product('shared', { shared: true, projects: [{ code: 'shop', name: 'A shop' }] })
    await stock('shared', 2)
    await refused(order(user, { projectId: 'shop' }), 'project_not_allowed')
    await refused(order(user, { poolId: 'shared' }), 'project_required')
    await refused(order(user, { poolId: 'shared', projectId: 'other' }), 'project_not_allowed')
    await order(user, { poolId: 'shared', projectId: 'shop' })
  })

  it('ranges and addresses, when it does not sell by them', async () => {
    const { order, user } = await shop()
    await refused(order(user, { cidrBlocks: [{ cidr: '10.0.0.0/24', count: 1 }] }), 'invalid_cidr_blocks')
    await refused(order(user, { assignedIp: '10.0.0.1' }), 'assigned_ip_unavailable')
  })
})

describe('where the proxies come from', () => {
  const ipsOf = async ({ runJobs, core, user }: Awaited<ReturnType<typeof shop>>, orderNo: string) => {
    await runJobs()
    return (await core.orders.getStatic(user, { orderNo })).instances
  }

  it('the place that the order names, by country, city or either as region', async () => {
    const service = await shop()
    await service.stock('static', 3, { country: 'DE', state: 'BE', city: 'DEBER' })
    for (const place of [
      { countryCode: 'DE' },
      { regionCode: 'BE' },
      { countryCode: 'DE', cityCode: 'DEBER' },
    ]) {
      const { orderNo } = await service.order(service.user, place)
      expect(await ipsOf(service, orderNo)).toMatchObject([
        { countryCode: 'DE', state: 'BE', cityCode: 'DEBER' },
      ])
    }
    await refused(service.order(service.user, { countryCode: 'DE' }), 'out_of_stock', {
      requested: 1,
      available: 0,
    })
  })

  it('several places, when the order names none', async () => {
    const service = await shop()
    await service.stock('static', 5, { country: 'DE' })
    const { orderNo } = await service.order(service.user, { ipCount: 35 })
    const places = (await ipsOf(service, orderNo)).map(({ countryCode }) => countryCode)
    expect([
      places.filter((place) => place === 'US').length,
      places.filter((place) => place === 'DE').length,
    ]).toEqual([30, 5])
  })

  it('the ranges that the order names, as many as it says; an address without a range is a range of its own', async () => {
    const service = await shop()
    await service.product('ranges', { cidrSupported: true })
    await service.stock('ranges', 2, { cidr: '10.1.1.0/24', ips: ['10.1.1.1', '10.1.1.2', '10.1.1.3'] })
    await service.stock('ranges', 2, { cidr: '10.1.2.0/24', ips: ['10.1.2.1', '10.1.2.2'] })
    await service.stock('ranges', 1, { ips: ['10.9.9.9'] })
    const offered = (await service.core.catalog.ipRanges({ productNo: 'ranges' })).flatMap(
      ({ ipRanges }) => ipRanges,
    )
    expect(offered).toEqual([
      { ipRange: '10.1.1.0/24', stock: 3 },
      { ipRange: '10.1.2.0/24', stock: 2 },
      { ipRange: '10.9.9.9/32', stock: 1 },
    ])
    const order = (...cidrBlocks: { cidr: string; count: number }[]) =>
      service.order(service.user, { poolId: 'ranges', ipCount: 4, cidrBlocks })
    await refused(order({ cidr: '10.1.1.0/24', count: 3 }), 'invalid_cidr_blocks')
    for (const cidr of ['10.1.3.0/24', '10.1.1.0/25', '10.1.1.1/32', '10.1.1.1', '%']) {
      await refused(order({ cidr: '10.1.1.0/24', count: 1 }, { cidr, count: 3 }), 'invalid_cidr_blocks', {
        cidr,
      })
      const wanted = {
        poolId: 'ranges',
        userId: service.user.id,
        ipCount: 1,
        duration: 1,
        unit: 3 as const,
        cidrBlocks: [{ cidr, count: 1 }],
      }
      await refused(service.core.orders.quoteStatic(service.user, wanted), 'invalid_cidr_blocks')
    }
    await refused(
      order({ cidr: '10.1.1.0/24', count: 1 }, { cidr: '10.1.2.0/24', count: 3 }),
      'out_of_stock',
      {
        cidr: '10.1.2.0/24',
        requested: 3,
        available: 2,
      },
    )
    const { orderNo } = await order(
      { cidr: '10.1.1.0/24', count: 2 },
      { cidr: '10.1.2.0/24', count: 1 },
      { cidr: '10.9.9.9/32', count: 1 },
    )
    const cidrs = (await ipsOf(service, orderNo)).map(({ cidr }) => cidr)
    expect(cidrs.toSorted()).toEqual(['', '10.1.1.0/24', '10.1.1.0/24', '10.1.2.0/24'])
    await service.audited()
  })

  it('the addresses that the order names, and others up to the count', async () => {
    const service = await shop()
    await service.product('assigned', { assignIpSupported: true })
    const [first = '', second = '', third = ''] = await service.stock('assigned', 6)
    const order = (ipCount: number, ips: string[], one?: string) =>
      service.order(service.user, { poolId: 'assigned', ipCount, assignedIpList: ips, assignedIp: one })
    const { orderNo } = await order(3, [second, third], second)
    const got = (await ipsOf(service, orderNo)).map(({ ip }) => ip)
    expect(got).toEqual(expect.arrayContaining([second, third]))
    expect(got).toHaveLength(3)
    await refused(order(1, [second]), 'assigned_ip_unavailable')
    await refused(order(2, [first, '10.255.255.255']), 'assigned_ip_unavailable')
    await refused(order(1, [first, third]), 'validation_error')
    await service.audited()
  })

  it('one seat on each shared address that the order names, not two on one', async () => {
    const service = await shop()
    await service.product('shared', { shared: true, assignIpSupported: true })
    await service.stock('shared', 2, { ips: ['10.7.0.1', '10.7.0.2'], seats: 2 })
    await service.db.write((tx) =>
      tx.stockIp.updateMany({ where: { ip: '10.7.0.2' }, data: { disabled: true } }),
    )
    const order = (assignedIpList: string[], ipCount = 2) =>
      service.order(service.user, { poolId: 'shared', projectId: 'any', ipCount, assignedIpList })
    await refused(order(['10.7.0.1', '10.7.0.2']), 'assigned_ip_unavailable')
    const { orderNo } = await order(['10.7.0.1'], 1)
    expect(await ipsOf(service, orderNo)).toHaveLength(1)
    await order(['10.7.0.1'], 1)
    await refused(order(['10.7.0.1'], 1), 'assigned_ip_unavailable')
    await service.audited()
  })

  it('an IPv6 address in any of its spellings', async () => {
    const service = await shop()
    await service.product('six', { assignIpSupported: true })
    await service.stock('six', 1, { ips: ['2001:DB8:0:0::1'] })
    const { orderNo } = await service.order(service.user, { poolId: 'six', assignedIp: '2001:0db8::0001' })
    expect(await ipsOf(service, orderNo)).toMatchObject([{ ip: '2001:db8::1' }])
  })
})
