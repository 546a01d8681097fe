import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN, type Product, stockFile } from '../support/product.ts'
import { actorFor, buy, DAY, HOUR, startProductInTime, timesTold } from '../support/notices.ts'

const MINUTE = 60_000

/** One proxy of a product that is rented by the day; the number of its order. */
async function buyForADay({ core }: Product, customer: Actor): Promise<string> {
  await core.operator.addProduct(SHELL, {
    productNo: 'DAY',
    names: { en: 'Daily', zh: '日租' },
    price: 1,
    periodUnit: 1,
    periodLength: 1,
  })
  await core.operator.importStock(SHELL, stockFile('DAY', '198.51.100', 10))
  const { orderNo } = await core.orders.createStatic(customer, {
    poolId: 'DAY',
    userId: customer.id,
    ipCount: 1,
    duration: 1,
    unit: 1,
  })
  return orderNo
}

describe('proxies that end', () => {
  it('are announced three days and one day before, and at the end; each once, to the agent all of a kind together', async () => {
    const { product, pass } = await startProductInTime()
    const [ann, boss] = [await product.memberPhone(ANN), await product.memberPhone(BEN, AGENT)]
    const customer = await actorFor(product)
    const orders = [await buy(product, customer, 2), await buy(product, customer)]
    await Promise.all(
      orders.map((orderNo) => ann.waitFor(new RegExp(`ready[^]*${orderNo}`), { evenOld: true })),
    )

    await pass(28 * DAY - MINUTE)
    expect(timesTold(product, ann, /expires? in 3 days/)).toBe(0)
    await pass(MINUTE)
    const first = await ann.waitFor(/2 proxies expire in 3 days/)
    expect(first.text).toContain(orders[0])
    expect(first.keyboard.flat().map(({ text }) => text)).toEqual([
      '🔁 Renew',
      '📦 Open the order',
      '🏠 Menu',
      '✖️ Close',
    ])
    await ann.waitFor(/1 proxy expires in 3 days/, { evenOld: true })
    await pass(MINUTE)
    const digest = await boss.waitFor(/下级用户的代理 IP 将在 3 天后到期/)
    for (const orderNo of orders) expect(digest.text).toContain(orderNo)
    expect(digest.text).toContain('customer')

    await pass(2 * DAY)
    await ann.waitFor(/2 proxies expire within 24 hours/)
    await ann.waitFor(/1 proxy expires within 24 hours/, { evenOld: true })
    await pass(MINUTE)
    await boss.waitFor(/24 小时内到期/)
    await ann.press('🔁 Renew')
    await ann.waitFor(/Renew/)

    await pass(DAY)
    await ann.waitFor(/2 proxies have expired[^]*2 Apr 2026/)
    await ann.waitFor(/1 proxy has expired/, { evenOld: true })
    await pass(MINUTE)
    await boss.waitFor(/下级用户的代理 IP 已过期/)

    await product.stop()
    await product.start()
    await pass(MINUTE)
    ann.send('/help')
    await ann.waitFor('takes you to')
    for (const text of [/expires? in 3 days/, /expires? within 24 hours/, /ha(s|ve) expired/])
      expect(timesTold(product, ann, text)).toBe(2)
    for (const text of [/3 天后到期/, /24 小时内到期/, /代理 IP 已过期|代理已过期/])
      expect(timesTold(product, boss, text)).toBe(1)
  })

  it('are announced three hours before when they were bought for a day', async () => {
    const { product, pass } = await startProductInTime()
    const ann = await product.memberPhone(ANN)
    const customer = await actorFor(product)
    const daily = await buyForADay(product, customer)
    await ann.waitFor(daily)
    await pass(21 * HOUR - MINUTE)
    expect(timesTold(product, ann, /expires? within/)).toBe(0)
    await pass(2 * MINUTE)
    const warning = await ann.waitFor(/1 proxy expires within 24 hours/)
    expect(warning.text).toContain(daily)
    await pass(4 * HOUR)
    await ann.waitFor(new RegExp(`has expired[^]*${daily}`))
    expect(timesTold(product, ann, /expires? within/)).toBe(1)
  })

  it('are not warned of when they were bought for less, or are renewed meanwhile', async () => {
    const { product, clock, pass } = await startProductInTime()
    const { core } = product
    const ann = await product.memberPhone(ANN)
    const customer = await actorFor(product)
    const daily = await buyForADay(product, customer)
    await ann.waitFor(daily)
    await pass(HOUR)
    const orderNo = await buy(product, customer)
    await ann.waitFor(orderNo)
    await pass(DAY - HOUR)
    await ann.waitFor(new RegExp(`has expired[^]*${daily}`))

    // The warning is written, and cannot be delivered before the renewal.
    product.telegram.inject({ method: 'sendMessage', kind: 'drop-before', times: 1000 })
    await pass(29 * DAY + 2 * HOUR)
    await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_notice' AND last_error IS NOT NULL`)
    await core.orders.renewStatic(customer, { order: { orderNo }, duration: 1, unit: 3 })
    product.telegram.clearFaults()
    clock.advance(HOUR)
    core.jobs.queue.wake()
    await product.until(`SELECT 1 FROM notices WHERE kind = 'expiring_24h' AND status = 'void'`)
    expect(timesTold(product, ann, /expires? (in|within)/)).toBe(0)
  })
})

describe('proxies of whose end nobody was told in time', () => {
  it('are announced by the last warning only', async () => {
    const { product, pass } = await startProductInTime()
    const ann = await product.memberPhone(ANN)
    const customer = await actorFor(product)
    await ann.waitFor(await buy(product, customer), { evenOld: true })
    await pass(30 * DAY + HOUR)
    await ann.waitFor(/1 proxy expires within 24 hours/)
    await pass(DAY)
    await ann.waitFor(/1 proxy has expired/)
    await product.until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'deliver_notice')")
    expect(timesTold(product, ann, /in 3 days/)).toBe(0)
  })
})

describe('proxies that renew themselves', () => {
  it('are announced when they were renewed; nobody is warned as long as the balance pays', async () => {
    const { product, pass } = await startProductInTime()
    const ann = await product.memberPhone(ANN)
    const customer = await actorFor(product)
    const orderNo = await buy(product, customer, 2)
    await ann.waitFor(orderNo)
    await product.core.orders.setAutoRenew(customer, { orderNo, autoRenew: true })
    await pass(30 * DAY + HOUR)
    await pass(DAY - 2 * HOUR)
    await pass(HOUR)
    const renewed = await ann.waitFor(/2 proxies renewed automatically/)
    expect(renewed.text).toContain('Paid: 9.00 USD · balance: 32.00 USD')
    expect(renewed.text).toContain('1 May 2026')
    expect(timesTold(product, ann, /expire|low/)).toBe(0)
  })

  it('are warned of when the balance is short, and their failed renewal is told once, with what is missing', async () => {
    const { product, clock, pass } = await startProductInTime()
    const [ann, boss] = [await product.memberPhone(ANN), await product.memberPhone(BEN, AGENT)]
    const customer = await actorFor(product)
    const orderNo = await buy(product, customer, 6)
    await ann.waitFor(orderNo)
    await product.core.orders.setAutoRenew(customer, { orderNo, autoRenew: true })
    await pass(23 * DAY)
    expect(timesTold(product, ann, /running low/)).toBe(0)
    await pass(DAY)
    const low = await ann.waitFor(/running low/)
    expect(low.text).toContain('Balance: 23.00 USD')
    expect(low.text).toContain('cost 27.00 USD')
    await pass(MINUTE)
    await boss.waitFor(/余额 23.00 USD，续费需 27.00 USD/)

    await pass(6 * DAY)
    const warned = await ann.waitFor(/6 proxies expire within 24 hours[^]*short by 4.00 USD/)
    expect(warned.keyboard.flat().map(({ text }) => text)).toContain('💳 Top up')
    await pass(DAY - HOUR)
    const failed = await ann.waitFor(/6 proxies could not be renewed automatically/)
    expect(failed.text).toContain('The balance is short by 4.00 USD.')
    for (let minutes = 0; minutes < 15; minutes += 5) {
      const job = await product.until(
        `SELECT attempts FROM jobs WHERE kind = 'auto_renew_static_order' AND leased_until IS NULL`,
      )
      const { attempts } = job as { attempts: number }
      clock.advance(5 * MINUTE)
      product.core.jobs.queue.wake()
      await product.until(
        `SELECT 1 FROM jobs WHERE kind = 'auto_renew_static_order' AND attempts > ${attempts} AND leased_until IS NULL`,
      )
    }
    await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 4, remark: 'gift' })
    clock.advance(5 * MINUTE)
    product.core.jobs.queue.wake()
    await ann.waitFor(/6 proxies renewed automatically/)
    expect(timesTold(product, ann, /could not be renewed/)).toBe(1)
    expect(timesTold(product, ann, /running low/)).toBe(1)
  })
})

describe('traffic', () => {
  it('is announced at 80 % and when it is used up, again after more was bought', async () => {
    const { product } = await startProductInTime()
    const ann = await product.memberPhone(ANN)
    const customer = await actorFor(product)
    const { core } = product
    await core.operator.addProduct(SHELL, {
      productNo: 'DYN',
      names: { en: 'Dynamic', zh: '动态' },
      proxyType: 104,
      pool: 'dynamic_1',
      gateway: 'gw.example.com:8000',
      price: 3,
    })
    const order = { poolId: 'DYN', trafficAmount: 1 }
    await core.orders.createDynamic(customer, order)
    const { username: account } = (await product.until('SELECT username FROM traffic')) as {
      username: string
    }
    let reports = 0
    const use = (megabytes: number) =>
      core.traffic.recordUsage({ account, bytes: megabytes * 1_000_000, reportId: `r${(reports += 1)}` })

    await use(799)
    await use(1)
    const most = await ann.waitFor(/80% of your traffic is used/)
    expect(most.text).toContain('Used: 0.8 GB of 1 GB')
    await use(100)
    await use(100)
    const all = await ann.waitFor(/Your traffic is used up/)
    expect(all.keyboard.flat().map(({ text }) => text)).toContain('📶 Buy more traffic')
    await core.orders.createDynamic(customer, order)
    await use(599)
    await use(1)
    await ann.waitFor(/80% of your traffic is used[^]*1.6 GB of 2 GB/)
    await use(5000)
    await ann.waitFor(/used up[^]*2 GB of 2 GB/)
    expect(timesTold(product, ann, /80%/)).toBe(2)
    expect(timesTold(product, ann, /used up/)).toBe(2)
  })
})
