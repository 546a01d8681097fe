import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf, buyStatic } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('the list of proxies', () => {
  it('shows what is in use whatever order it came with, and what can be narrowed by one button', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [1, 2])
    await product.edit('UPDATE instances SET expire_time = ? WHERE id = 1', inDays(2))
    await product.edit("UPDATE instances SET status = 'released', released_at = ? WHERE id = 2", inDays(-1))
    await product.edit("UPDATE instances SET country_code = 'DE', city_code = '' WHERE id = 3")
    const ann = await product.memberPhone(ANN)
    ann.send('/proxies')
    const list = await ann.read('My proxies')
    expect(list).toContain('✅ In use: 2 · ⏰\u00a0expiring:\u00a01')
    expect(list).toContain('192.0.2.3:8000\n🇩🇪 Germany')
    expect(list).not.toContain('192.0.2.2')
    expect(ann.buttons().filter((label) => label.includes('192.0.2.'))).toEqual([
      expect.stringMatching(/^🇩🇪 192\.0\.2\.3 → /),
      expect.stringMatching(/^🇺🇸 192\.0\.2\.1 → /),
    ])

    await ann.press('🎛 Filter')
    await ann.press('🇩🇪 DE 1')
    await ann.waitFor('🎛 🇩🇪 Germany')
    expect(ann.buttons().filter((label) => label.includes('192.0.2.'))).toHaveLength(1)
    await ann.press(/192\.0\.2\.3/)
    await ann.waitFor('IP: 192.0.2.3')
    await ann.press('‹ Back')
    await ann.waitFor('🎛 🇩🇪 Germany')
    await ann.press('🎛 Filter')
    await ann.press('✖️ No filter')
    await ann.press('🎛 Filter')
    await ann.press('⏰ Ending 1')
    expect(await ann.read('⏰ Ending (1)')).toContain('192.0.2.1:8000')
    await ann.press('🎛 Filter')
    await ann.press('🗑 Gone 1')
    await ann.press(/192\.0\.2\.2/)
    await ann.waitFor('🗑 Released')
    await ann.press('🛒 Buy again')
    await ann.waitFor('Residential ISP')
  })

  it('knows a proxy by the note of its owner, which the agent sees and a stranger does not', async () => {
    const product = await startProduct()
    const customer = await buyStatic(product, CUSTOMER, [2])
    await buyStatic(product, AGENT, [1])
    const ann = await product.memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.press(/192\.0\.2\.1 /)
    await ann.press('📝 Note')
    await ann.waitFor('What do you call')
    ann.send('x'.repeat(65))
    await ann.waitFor('At most 64 characters')
    ann.send('Shop <A> \n 张三')
    expect(await ann.read('IP: 192.0.2.1')).toContain('📝 Shop <A> 张三')
    await ann.press('‹ Back')
    await ann.waitForButton('🇺🇸 192.0.2.1 Shop <A> 张三')
    await ann.press('🎛 Filter')
    await ann.press('📝 Noted 1')
    await ann.waitFor('📝 Noted (1)')

    const agent = await product.memberPhone(BEN, AGENT)
    agent.send('张三')
    expect(await agent.read('IP：192.0.2.1')).toContain('📝 Shop <A> 张三')
    const instances = (await product.core.orders.listProxies(await actorOf(product, AGENT), {})).items
    const own = instances.find(({ userId }) => userId !== customer.id)
    await expect(
      product.core.orders.setProxyNote(customer, { instances: [own?.instanceNo ?? ''], note: 'mine' }),
    ).rejects.toMatchObject({ code: 'instance_not_found' })

    ann.send('Shop')
    await ann.waitFor('IP: 192.0.2.1')
    await ann.press('📝 Note')
    await ann.press('✖️ Remove the note')
    expect(await ann.read('IP: 192.0.2.1')).not.toContain('📝')
  })

  it('shows an agent those of its sub-users in the same list', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [1])
    await buyStatic(product, AGENT, [1])
    const agent = await product.memberPhone(BEN, AGENT)
    await agent.press('📦 我的代理 IP')
    expect(await agent.read('我的代理 IP')).not.toContain('192.0.2.1:')
    await agent.press('🎛 筛选')
    await agent.press('👥 全部用户')
    expect(await agent.read('全部用户的代理')).toContain('👤 customer')
    await agent.press(/192\.0\.2\.1 /)
    await agent.waitFor('IP：192.0.2.1')
    await agent.press('‹ 返回')
    await agent.waitFor('全部用户的代理')
  })
})

describe('what is pasted anywhere', () => {
  it('opens what it names, in whatever spelling, and keeps the screen when it names nothing', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [3, 1])
    const ann = await product.memberPhone(ANN)
    await ann.press('⚙️ Settings')
    await ann.waitFor('Settings')
    for (const text of [
      '192.0.2.2',
      '１９２．０．２．２',
      'user2:pass2@192.0.2.2:8000',
      '192.0.2.2:8000:user2:pass2',
    ]) {
      ann.send(text)
      await ann.waitFor('IP: 192.0.2.2')
      ann.send('/settings')
      await ann.waitFor('Settings')
    }
    expect(ann.dump()).not.toMatch(/user \d+: .*pass2/)
    ann.send('192.0.2.1\n192.0.2.3')
    await ann.waitFor('Found proxies: 2')
    await ann.press(/192\.0\.2\.3/)
    await ann.press('‹ Back')
    await ann.waitFor('Found proxies: 2')
    const [order] = (await product.core.orders.listStatic(await actorOf(product, CUSTOMER))).items
    ann.send(order?.orderNo ?? '')
    await ann.waitFor('Proxies: 1')

    await ann.press('🔎 Details')
    const { message } = ann.screen()
    ann.send('nothing like that')
    await ann.waitFor('Nothing matches that')
    await ann.press('✖️ Close')
    expect(ann.screen().message.messageId).toBe(message.messageId)
    await ann.press(/192\.0\.2\.4/)
    await ann.waitFor('IP: 192.0.2.4')
  })

  it('opens a sub-user by its name, for its agent only', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('customer')
    await agent.waitFor('👤 customer')
    const customer = await product.memberPhone(BEN)
    customer.send('agent')
    await customer.waitFor('没有找到')
    customer.send('customer +10')
    await customer.waitFor('没有找到')
  })

  it('changes the balance of a sub-user by what is typed, after one press', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [1])
    const agent = await product.memberPhone(ANN, AGENT)
    const balance = async () =>
      (await product.core.accounts.balance(await actorOf(product, CUSTOMER))).balance
    const before = await balance()
    agent.send('customer +1,5 for the test')
    expect(await agent.read('Balance of customer')).toContain('for the test')
    expect(await balance()).toBe(before)
    await agent.press('✅ Add 1.50 USD')
    await agent.waitFor('👤 customer')
    expect(await balance()).toBe(before + 1_500_000)
    agent.send('@customer −99 999')
    expect(await agent.read('has only')).toContain('👤 customer')
    agent.send('all customer')
    expect(await agent.read('192.0.2.1')).toContain('customer')
    // Nobody of that name, and somebody else's sub-user, look the same.
    await product.core.operator.createAgent(SHELL, { username: 'rival' })
    for (const name of ['nobody', 'rival']) {
      agent.send(`${name} +10`)
      await agent.waitFor('Nothing matches that')
    }
    agent.sendFile({ fileName: 'a.png', mimeType: 'image/png', content: Buffer.from('x') })
    await agent.waitFor('I read text only')
  })
})
