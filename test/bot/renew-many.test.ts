import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf, buyStatic } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct } from '../support/product.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Orders whose time for a refund is over; the first two proxies end in two days. */
async function bought(account: typeof CUSTOMER, counts: readonly number[]): Promise<Product> {
  const product = await startProduct()
  await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 4, minQuantity: 3 })
  await buyStatic(product, account, counts)
  await product.edit('UPDATE static_orders SET created_at = ?', inDays(-3))
  await product.edit('UPDATE instances SET expire_time = ? WHERE id <= 2', inDays(2))
  return product
}

/** How many renewals there are; the books are right. */
async function renewals({ core, until }: Product): Promise<number> {
  expect(await core.operator.audit()).toEqual([])
  return ((await until('SELECT count(*) AS number FROM renewals')) as { number: number }).number
}

describe('renewing many proxies', () => {
  it('takes three presses, whatever orders they came with', async () => {
    const product = await bought(CUSTOMER, [1, 2])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press('🔁 Renew')
    const screen = await ann.read('Chosen: 2 of 3')
    expect(screen).toContain('For: As bought')
    expect(screen).toContain('Residential ISP × 2: 4.50 USD / month')
    expect(screen).toContain('3 or more: 4.00 USD / month each')
    const { messageId, keyboard } = ann.screen().message
    const pay = keyboard[0]?.[0]?.value ?? ''
    await ann.press('✅ Renew 2 · 9.00 USD')
    await ann.waitFor('Renewed and paid: 2 proxies')
    await product.telegram.pressStale(ANN.id, messageId, pay)
    expect(await renewals(product)).toBe(2)
    await ann.press('📦 My proxies')
    await ann.waitFor('In use: 3')
  })

  it('shows the price of what is chosen, for the term that is pressed or typed', async () => {
    const product = await bought(CUSTOMER, [1, 2])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press('🔁 Renew')
    await ann.press('☑️ All')
    await ann.waitForButton('✅ Renew 3 · 12.00 USD')
    await ann.press('3 months')
    await ann.waitForButton('✅ Renew 3 · 36.00 USD')
    ann.send('半年')
    await ann.waitFor('For: 6 months')
    ann.send('192.0.2.3\n192.0.2.1:8000')
    await ann.waitFor('Chosen: 2 of 3')
    await ann.press(/^☑️ 192\.0\.2\.1\b/)
    await ann.waitForButton('✅ Renew 1 · 27.00 USD')
    ann.send('nonsense')
    await ann.waitFor('Nothing here is called “nonsense”')
    await ann.press('⬜️ None')
    await ann.waitFor('Choose some to see the price.')
    expect(ann.buttons().join()).not.toContain('✅ Renew')
    expect(await ann.press('⬜️ None')).toMatchObject({ text: 'Nothing has changed.' })
    await ann.press('⏰ End 2')
    await ann.waitFor('Chosen: 2 of 3')
    await ann.press('‹ Back')
    await ann.waitFor('In use: 3')
  })

  it('charges nothing when a price has risen, or what is chosen cannot be renewed any more', async () => {
    const product = await bought(CUSTOMER, [1, 2])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press('🔁 Renew')
    await ann.press('☑️ All')
    await ann.waitForButton('✅ Renew 3 · 12.00 USD')
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 4.2, minQuantity: 3 })
    expect((await ann.press(/✅ Renew 3/)).text).toBe('The price has changed. Please check again.')
    await ann.waitForButton('✅ Renew 3 · 12.60 USD')
    const actor = await actorOf(product, CUSTOMER)
    await product.core.orders.cancelStatic(actor, {
      orderNo: (await product.core.orders.getStatic(actor, { id: 1 })).orderNo,
    })
    await ann.press(/✅ Renew 3/)
    await ann.waitFor('Chosen: 2 of 2')
    expect(await renewals(product)).toBe(0)
  })

  it('lets all that are chosen renew themselves, and notes what they are for', async () => {
    const product = await bought(CUSTOMER, [1, 2])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press('🔁 Renew')
    await ann.press('☑️ All')
    await ann.waitFor('Chosen: 3 of 3')
    expect((await ann.press('🔁 Auto on')).text).toBe('3 renew themselves now.')
    await ann.waitForButton(/192\.0\.2\.3 🔁/)
    expect((await ann.press('✋ Auto off')).text).toBe('3 do not renew themselves any more.')
    await ann.press('📝 Note')
    await ann.waitFor('What do you call these 3 proxies?')
    ann.send('Shop 1')
    await ann.waitFor('Chosen: 3 of 3')
    await ann.press('⬜️ None')
    ann.send('shop 1')
    await ann.waitFor('Chosen: 3 of 3')
  })

  it('an agent renews those of a sub-user, who pays and is told', async () => {
    const product = await bought(CUSTOMER, [2])
    const ann = await product.memberPhone(ANN)
    const agent = await product.memberPhone(BEN, AGENT)
    const { id } = await actorOf(product, CUSTOMER)
    await product.telegram.pressStale(BEN.id, agent.screen().message.messageId, `px:${id}`)
    await agent.press('🔁 续费')
    await agent.waitFor('👤 customer')
    await agent.press(/✅ 续费 2 · 9\.00 USD/)
    await agent.waitFor('2 个代理 IP 续费成功')
    await ann.waitFor(/renew/i)
    expect(await renewals(product)).toBe(1)
  })

  it('goes on where it was when the money has come', async () => {
    const product = await bought(CUSTOMER, [2])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press('🔁 Renew')
    await ann.press('12 months')
    await ann.waitFor('short by')
    await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 200, remark: 'paid' })
    await ann.press('🛒 Continue the purchase')
    await ann.press('✅ Renew 2 · 108.00 USD')
    await ann.waitFor('Renewed and paid: 2 proxies')
    expect(await renewals(product)).toBe(1)
  })
})
