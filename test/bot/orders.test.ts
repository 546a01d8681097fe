import { describe, expect, it } from 'vitest'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct } from '../support/product.ts'

/** Buys over the core and waits until the loop has completed the orders. */
async function buy({ core, until }: Product, account: typeof CUSTOMER, counts: number[]): Promise<void> {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  const actor = await core.accounts.authenticate(token)
  for (const ipCount of counts) {
    await core.orders.createStatic(actor, { poolId: 'ISP', userId: actor.id, ipCount, duration: 1, unit: 3 })
  }
  await until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')`)
}

describe('my proxies', () => {
  it('invites to buy when there are none', async () => {
    const ann = await (await startProduct()).memberPhone(ANN)
    ann.send('/proxies')
    await ann.waitFor('not bought any proxies yet')
    await ann.press('🛒 Buy proxies')
    await ann.waitFor('Which product?')
  })

  it('lists orders in pages, newest first, and comes back to the same page', async () => {
    const product = await startProduct()
    await buy(product, AGENT, [1, 1, 1, 1, 1, 1, 2])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.waitFor('Orders: 7')
    expect(agent.buttons()[0]).toMatch(/^✅ Residential ISP · 2 pcs · \d{4}-\d\d-\d\d$/)
    await agent.press('›')
    await agent.waitForButton('2 / 2')
    await agent.press(/Residential ISP/)
    await agent.waitFor('Proxies: 1')
    await agent.press('‹ Back')
    await agent.waitForButton('2 / 2')
  })

  it('shows an order with its proxies in pages that one button copies', async () => {
    const product = await startProduct()
    await buy(product, AGENT, [12])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.press(/Residential ISP/)
    const order = await agent.waitFor('192.0.2.1:8000:user1:pass1')
    const copy = order.keyboard.flat().find((button) => button.kind === 'copy')
    expect(copy?.text).toBe('📋 Copy these 8')
    expect(copy?.value.split('\n')).toHaveLength(8)
    await agent.press('›')
    expect(await agent.read('192.0.2.12:8000')).not.toContain('192.0.2.1:8000')
  })

  it('gives one order, or everything, as a text file', async () => {
    const product = await startProduct()
    await buy(product, AGENT, [2, 3])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.press('📄 All as .txt file')
    const all = await agent.file(await agent.waitFor('5 proxies, one per line'))
    expect(all.fileName).toBe('proxies.txt')
    expect(all.content.toString()).toMatch(/^(192\.0\.2\.\d+:8000:user\d+:pass\d+\n){5}$/)
    await agent.press(/3 pcs/)
    await agent.press('📄 As .txt file')
    const one = await agent.file(await agent.waitFor('3 proxies, one per line'))
    expect(one.content.toString().trim().split('\n')).toHaveLength(3)
  })

  it('shows what has expired or was released as that, and only what works as a proxy', async () => {
    const product = await startProduct()
    await buy(product, AGENT, [3])
    const agent = await product.memberPhone(ANN, AGENT)
    const { token } = await product.core.accounts.logIn({ ...AGENT, address: 'test' })
    const actor = await product.core.accounts.authenticate(token)
    const { orderNo, instances } = await product.core.orders.getStatic(actor, { id: 1 })
    await product.core.orders.cancelStatic(actor, { orderNo, instances: [instances[0]?.instanceNo ?? ''] })
    const expire = (condition: string) =>
      product.edit(
        `UPDATE instances SET expire_time = ? WHERE ${condition}`,
        new Date(Date.now() - 60_000).toISOString(),
      )
    expire("ip = '192.0.2.2'")
    await product.until("SELECT 1 FROM instances WHERE status = 'expired'")
    agent.send('/proxies')
    await agent.press(/Residential ISP/)
    const order = await agent.read('In use: 1 · expired: 1 · released: 1')
    expect(order).toContain('✅ Active')
    expect(order).toMatch(/Valid until: .*\nExpired proxies can be renewed until \d{4}-/)
    expect(order).toContain('192.0.2.3:8000')
    expect(order).not.toMatch(/192\.0\.2\.[12]:8000/)

    expire("ip = '192.0.2.3'")
    await product.until("SELECT 1 FROM static_orders WHERE status = 'expired'")
    await agent.press('‹ Back')
    await agent.press(/Residential ISP/)
    const expired = await agent.read('⌛ Expired')
    expect(expired).toMatch(/In use: 0 · expired: 2 · released: 1\nExpired: \d{4}-/)
    expect(expired).not.toContain(':8000')
    expect(agent.buttons()).not.toContain('📄 As .txt file')
    const answer = await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, 'ofile:1')
    expect(answer).toEqual({ text: 'You have no active proxies.', showAlert: true })
  })

  it("hides one customer's orders from another, whatever the button says", async () => {
    const product = await startProduct()
    await buy(product, AGENT, [1])
    const ben = await product.memberPhone(BEN, CUSTOMER)
    const { messageId } = ben.screen().message
    for (const data of ['order:1', 'ofile:1', 'order:1:1:1']) {
      const answer = await product.telegram.pressStale(BEN.id, messageId, data)
      expect(answer).toEqual({ text: '订单不存在。', showAlert: true })
    }
    expect(ben.dump()).not.toContain('192.0.2.1')
  })
})
