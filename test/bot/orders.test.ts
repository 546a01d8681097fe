import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf, buyStatic } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct, stockFile } from '../support/product.ts'

/** Makes the time of some proxies be over, and waits until the loop has seen it. */
async function expire(product: Product, condition: string, seen: string): Promise<void> {
  const past = new Date(Date.now() - 60_000).toISOString()
  product.edit(`UPDATE instances SET expire_time = ? WHERE ${condition}`, past)
  await product.until(seen)
}

describe('my proxies', () => {
  it('invites to buy when there are none', async () => {
    const ann = await (await startProduct()).memberPhone(ANN)
    ann.send('/proxies')
    await ann.waitFor('not bought any proxies yet')
    await ann.press('🛒 Buy proxies')
    await ann.waitFor('Quantity: 1')
  })

  it('lists orders in pages, newest first, and comes back to the same page of the same list', async () => {
    const product = await startProduct()
    await buyStatic(product, AGENT, [1, 1, 1, 1, 1, 1, 2])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.waitFor('Orders: 7')
    const orders = agent.buttons().filter((label) => label.includes('Residential'))
    expect(orders).toHaveLength(6)
    expect(orders[0]).toMatch(/^✅ 2 × Residential ISP → \d{4}-\d\d-\d\d$/)
    await agent.press('✅ Active')
    await agent.waitForButton('✓ ✅ Active')
    await agent.press('‹')
    expect(agent.buttons()).toContain('1 / 2')
    await agent.press('›')
    await agent.waitForButton('2 / 2')
    // There is nothing beyond the last page.
    for (const beyond of agent.buttons().filter((label) => label === '›')) await agent.press(beyond)
    expect(agent.buttons()).toContain('2 / 2')
    await agent.press(/Residential ISP/)
    await agent.waitFor('Proxies: 1')
    await agent.press('🔎 Details')
    await agent.press(/192\.0\.2/)
    await agent.press('📦 Open the order')
    await agent.press('‹ Back')
    await agent.waitForButton('2 / 2')
    expect(agent.buttons()).toContain('✓ ✅ Active')
  })

  it('filters orders by what has become of them', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, AGENT, [1, 2, 3, 4])
    const [last] = (await product.core.orders.listStatic(actor)).items
    await product.core.orders.cancelStatic(actor, { orderNo: last?.orderNo ?? '' })
    await expire(product, 'order_id = 1', "SELECT 1 FROM static_orders WHERE id = 1 AND status = 'expired'")
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    product.edit('UPDATE instances SET expire_time = ? WHERE order_id = 2', soon)
    product.edit("UPDATE static_orders SET status = 'failed' WHERE id = 3")
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.waitFor('Orders: 4')
    const pieces = async (filter: string, expected: number[]) => {
      await agent.press(filter)
      await agent.waitForButton(`✓ ${filter}`)
      expect(agent.screen().text).toContain(`Orders: ${expected.length}`)
      const counts = agent.buttons().flatMap((label) => /(\d+) ×/.exec(label)?.[1] ?? [])
      expect(counts.map(Number)).toEqual(expected)
    }
    await pieces('⏳ Preparing', [])
    await pieces('✅ Active', [2])
    await pieces('⏰ Expiring', [2])
    await pieces('⌛ Expired', [1])
    await pieces('❌ Failed', [3])
    await pieces('🗑 Recycle bin', [4, 1])
    await pieces('All', [4, 3, 2, 1])
  })

  it("shows an order with its proxies in pages that one button copies, in the chat's own form", async () => {
    const product = await startProduct()
    await buyStatic(product, AGENT, [12])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.press(/Residential ISP/)
    const order = await agent.waitFor('192.0.2.1:8000:user1:pass1')
    const copy = order.keyboard.flat().find((button) => button.kind === 'copy')
    expect(copy?.text).toBe('📋 Copy these 8')
    expect(copy?.value.split('\n')).toHaveLength(8)
    await agent.press('›')
    expect(await agent.read('192.0.2.12:8000')).not.toContain('192.0.2.1:8000')
    product.edit("UPDATE chats SET proxy_format = 'http'")
    await agent.press('‹')
    await agent.waitFor('http://user1:pass1@192.0.2.1:8000')
  })

  it('gives one order, or everything, as lines or as a table', async () => {
    const product = await startProduct()
    const { operator } = product.core
    await operator.addProduct(SHELL, { productNo: 'ODD', nameEn: 'Odd', nameZh: '特殊', price: 1 })
    await operator.importStock(SHELL, stockFile('ODD', '198.51.100', 1).replace('pass1', '"=1+1,""x"'))
    await buyStatic(product, AGENT, [2, 3])
    await buyStatic(product, AGENT, [1], { poolId: 'ODD' })
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/proxies')
    await agent.press('📄 Active as .txt')
    const all = await agent.file(await agent.waitFor('6 proxies, one per line'))
    expect(all.fileName).toBe('proxies.txt')
    expect(all.content.toString()).toMatch(/^(192\.0\.2\.\d+:8000:user\d+:pass\d+\n){5}/)
    expect(all.content.toString()).toContain('\n198.51.100.1:8000:user1:=1+1,"x\n')
    await agent.press('📊 Active as .csv')
    const table = await agent.file(await agent.waitFor('6 proxies, with a header line'))
    expect(table.fileName).toBe('proxies.csv')
    const rows = table.content.toString().replace('\uFEFF', '').split('\r\n')
    expect(rows[0]).toBe(
      'user,order_no,instance_no,ip,port,username,password,country_code,city_code,cidr,status,auto_renew,opened_at,expire_time',
    )
    expect(rows).toHaveLength(8)
    expect(rows[6]).toMatch(
      /^agent,S\w+,I\w+,198\.51\.100\.1,8000,user1,"'=1\+1,""x",US,USNYC,198\.51\.100\.0\/24,active,false,/,
    )
    await agent.press(/3 ×/)
    await agent.press('📄 .txt')
    const one = await agent.file(await agent.waitFor('3 proxies, one per line'))
    expect(one.fileName).toMatch(/^S\d{17}\w{8}\.txt$/)
    expect(one.content.toString().trim().split('\n')).toHaveLength(3)
  })

  it('shows everything about one proxy, and renews it by itself on demand', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, CUSTOMER, [2])
    const ann = await product.memberPhone(ANN)
    ann.send('/proxies')
    await ann.press(/Residential ISP/)
    await ann.waitFor('Auto-renew: off')
    await ann.press('🔎 Details')
    await ann.waitFor('There are 2.')
    await ann.press('✅ 192.0.2.2:8000')
    const proxy = await ann.read('IP: 192.0.2.2')
    for (const fact of ['192.0.2.2:8000:user2:pass2', 'Port: 8000', 'Username: user2', 'Password: pass2'])
      expect(proxy).toContain(fact)
    expect(proxy).toContain('Location: 🇺🇸 United States, New York\nIP range: 192.0.2.0/24')
    expect(proxy).toMatch(/Valid until: \d{4}-.*\nAuto-renew: off/)
    expect(
      ann
        .screen()
        .message.keyboard.flat()
        .find(({ kind }) => kind === 'copy')?.value,
    ).toBe('192.0.2.2:8000:user2:pass2')
    expect((await ann.press('🔁 Turn auto-renew on')).text).toBe('Auto-renew is on.')
    await ann.waitFor('Auto-renew: on')
    await ann.press('📦 Open the order')
    await ann.waitFor('Auto-renew: on for 1 of 2')
    await ann.press('🔁 Turn auto-renew on')
    await ann.waitFor(/Auto-renew: on$/m)
    await ann.press('🔁 Turn auto-renew off')
    await ann.waitFor('Auto-renew: off')
    const { instances } = await product.core.orders.getStatic(actor, { id: 1 })
    expect(instances.map(({ autoRenew }) => autoRenew)).toEqual([false, false])
  })

  it('shows what has expired or was released as that, and only what works as a proxy', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, AGENT, [3])
    const agent = await product.memberPhone(ANN, AGENT)
    const { orderNo, instances } = await product.core.orders.getStatic(actor, { id: 1 })
    await product.core.orders.cancelStatic(actor, { orderNo, instances: [instances[0]?.instanceNo ?? ''] })
    await expire(product, "ip = '192.0.2.2'", "SELECT 1 FROM instances WHERE status = 'expired'")
    agent.send('/proxies')
    await agent.press(/Residential ISP/)
    const order = await agent.read('In use: 1 · expired: 1 · released: 1')
    expect(order).toContain('✅ Active')
    expect(order).toMatch(/Valid until: .*\nExpired proxies can be renewed until \d{4}-/)
    expect(order).toContain('192.0.2.3:8000')
    expect(order).not.toMatch(/192\.0\.2\.[12]:8000/)
    await agent.press('🔎 Details')
    await agent.press('🗑 192.0.2.1:8000')
    const released = await agent.waitFor(/Released: \d{4}-/)
    expect(released.keyboard.flat().map(({ text }) => text)).not.toContain('🔁 Renew')
    await agent.press('‹ Back')
    await agent.press('⌛ 192.0.2.2:8000')
    await agent.waitFor(/Expired: \d{4}-.*\nExpired proxies can be renewed until/)
    await agent.press('📦 Open the order')

    await expire(product, "ip = '192.0.2.3'", "SELECT 1 FROM static_orders WHERE status = 'expired'")
    await agent.press('‹ Back')
    await agent.press(/Residential ISP/)
    const expired = await agent.waitFor('⌛ Expired')
    expect(expired.text).toMatch(/In use: 0 · expired: 2 · released: 1\nExpired: \d{4}-/)
    expect(expired.text).not.toContain(':8000')
    expect(expired.keyboard.flat().map(({ text }) => text)).not.toContain('📄 .txt')
    const answer = await product.telegram.pressStale(ANN.id, expired.messageId, 'ofile:1')
    expect(answer).toEqual({ text: 'There are no active proxies.', showAlert: true })
  })

  it("shows an agent its sub-user's orders, with the same screens", async () => {
    const product = await startProduct()
    const customer = await buyStatic(product, CUSTOMER, [2])
    const agent = await product.memberPhone(ANN, AGENT)
    const press = (data: string) =>
      product.telegram.pressStale(ANN.id, agent.screen().message.messageId, data)
    await press(`ou:${customer.id}`)
    await agent.waitFor('Proxies of customer')
    await agent.press('📄 Active as .txt')
    await agent.waitFor('2 proxies, one per line')
    await agent.press('⌛ Expired')
    await agent.waitFor('There are no such orders')
    await agent.press('✅ Active')
    await agent.waitForButton('✓ ✅ Active')
    await agent.press(/2 ×/)
    expect(await agent.read('192.0.2.2:8000')).toContain('👤 customer')
    await agent.press('‹ Back')
    await agent.waitFor('Proxies of customer')
    await agent.waitForButton('✓ ✅ Active')
    await agent.press('🛒 Buy for customer')
    await agent.waitFor('👤 For customer')
    // Of somebody else's user there is nothing to see.
    await product.core.operator.createAgent(SHELL, { username: 'other', password: 'other-password' })
    const other = await product.memberPhone(BEN, { username: 'other', password: 'other-password' })
    const { messageId } = other.screen().message
    for (const data of [`ou:${customer.id}`, 'ou:999', 'ou:x', 'order:1', 'oproxy:1:0', 'oproxies:1:1'])
      expect(await product.telegram.pressStale(BEN.id, messageId, data)).toMatchObject({ showAlert: true })
    const files = await product.telegram.pressStale(BEN.id, messageId, `ofiles:${customer.id}:csv`)
    expect(files).toMatchObject({ showAlert: true })
    expect(other.dump()).not.toMatch(/192\.0\.2|customer/)
  })

  it('shows an agent the orders of all its sub-users in one list, and their proxies in one file', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [2])
    await buyStatic(product, AGENT, [1])
    await product.core.operator.createAgent(SHELL, { username: 'other', password: 'other-password' })
    await product.core.operator.adjustBalance(SHELL, { username: 'other', amount: 50, remark: 'test' })
    await buyStatic(product, { username: 'other', password: 'other-password' }, [1])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/users')
    await agent.press('📦 All proxies')
    await agent.waitFor('Proxies of all users')
    expect(agent.buttons().filter((label) => label.includes(' × '))).toEqual([
      expect.stringMatching(/^👤 agent · ✅ 1 ×/),
      expect.stringMatching(/^👤 customer · ✅ 2 ×/),
    ])
    await agent.press('📊 Active as .csv')
    const table = await agent.file(await agent.waitFor('3 proxies, with a header line'))
    const users = table.content.toString().trim().split('\r\n').slice(1)
    expect(users.map((row) => row.split(',')[0])).toEqual(['customer', 'customer', 'agent'])
    await agent.press('⌛ Expired')
    await agent.waitFor('There are no such orders')
    await agent.press('🔎 Search')
    await agent.waitFor('A part of one will do')
    agent.send('192.0.2.1')
    expect(await agent.read('192.0.2.1:8000')).toContain('👤 customer')
    await agent.press('‹ Back')
    await agent.waitFor('Proxies of all users')
    await agent.press('‹ Back')
    await agent.waitFor('Sub-users: 1')
    // A customer who forges the button sees its own.
    const ben = await product.memberPhone(BEN, CUSTOMER)
    await product.telegram.pressStale(BEN.id, ben.screen().message.messageId, 'oafiles:csv')
    const own = await ben.file(await ben.waitFor(/2/))
    expect(own.content.toString()).not.toContain('agent')
  })

  it("hides one customer's orders from another, whatever the button says", async () => {
    const product = await startProduct()
    await buyStatic(product, AGENT, [1])
    const ben = await product.memberPhone(BEN, CUSTOMER)
    const { messageId } = ben.screen().message
    const actions = ['order:1', 'ofile:1', 'ofile:1:csv', 'order:1:1:1', 'oauto:1:1', 'oproxyauto:1:0:1']
    for (const data of [...actions, 'oproxies:1:1', 'oproxy:1:0', 'renew:1', 'renew:1:0', 'release:1']) {
      const answer = await product.telegram.pressStale(BEN.id, messageId, data)
      expect(answer).toEqual({ text: '订单不存在。', showAlert: true })
    }
    expect(ben.dump()).not.toContain('192.0.2.1')
    expect((await product.core.orders.getStatic(await actorOf(product, AGENT), { id: 1 })).autoRenew).toBe(
      false,
    )
  })
})
