import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'
import { english } from '../support/times.ts'

const DAY_MS = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** The button that the menu recommends. */
const recommended = (phone: Awaited<ReturnType<Awaited<ReturnType<typeof startProduct>>['memberPhone']>>) =>
  phone
    .screen()
    .message.keyboard.flat()
    .flatMap(({ text, style }) => (style === 'primary' ? text : []))

describe('the main menu', () => {
  it('shows how things stand, and the one thing that is worth doing next', async () => {
    const product = await startProduct()
    const { core } = product
    const ann = await product.memberPhone(ANN)
    expect(ann.screen().text).toContain('👤 customer\n💰 Balance: 50.00 USD\n📦 Active proxies: 0')
    expect(ann.screen().text).toContain('Press “Buy proxies” to get your first ones')
    expect(recommended(ann)).toEqual(['🛒 Buy proxies'])
    await ann.press('📶 Traffic')
    await ann.waitFor('No dynamic products are sold')

    const { token } = await core.accounts.logIn({ ...CUSTOMER, address: 'test' })
    const actor = await core.accounts.authenticate(token)
    await core.orders.createStatic(actor, {
      poolId: 'ISP',
      userId: actor.id,
      ipCount: 3,
      duration: 1,
      unit: 3,
    })
    await product.until("SELECT 1 FROM static_orders WHERE status = 'active'")
    ann.send('/menu')
    expect(await ann.read('Active proxies: 3')).not.toContain('💡')
    expect(recommended(ann)).toEqual([])

    await product.edit('UPDATE instances SET expire_time = ? WHERE id = 2', inDays(2))
    await product.edit('UPDATE instances SET expire_time = ?, auto_renew = true WHERE id = 3', inDays(3))
    ann.send('/menu')
    const expiring = await ann.read('Expiring within 7 days: 2')
    expect(expiring).toContain(`A proxy expires on ${english.date(new Date(inDays(2)))}. Renew it`)
    expect(recommended(ann)).toEqual(['📦 My proxies'])
    await ann.press('📦 My proxies')
    await ann.waitFor('⏰ Ending (2)')

    await product.edit('UPDATE instances SET expire_time = ?', inDays(20))
    await core.operator.adjustBalance(SHELL, { ...CUSTOMER, amount: -36.5, remark: 'test' })
    ann.send('/menu')
    await ann.waitFor('Your balance is zero')
    expect(recommended(ann)).toEqual(['💳 Top up'])
    ann.send('/balance')
    await ann.waitFor('Spent in total: 13.50 USD')
    await ann.press('📒 Records')
    await ann.waitFor('Records')
  })

  it('of an agent leads to sub-users, dashboard and earnings, in Chinese too', async () => {
    const product = await startProduct()
    const ben = await product.memberPhone(BEN, AGENT)
    expect(ben.screen().text).toContain('👥 下级用户：1')
    expect(ben.screen().keyboard).toEqual([
      ['🛒 购买代理 IP', '📶 动态流量'],
      ['📦 我的代理 IP', '💳 充值'],
      ['👥 下级用户', '📊 数据看板'],
      ['💵 收益', '🏷 定价'],
      ['📒 账单记录', '⚙️ 设置'],
      ['❓ 帮助'],
    ])
    await product.edit("UPDATE accounts SET status = 'deleted' WHERE username = ?", CUSTOMER.username)
    ben.send('/menu')
    await ben.waitFor('创建您的第一个客户')
    expect(recommended(ben)).toEqual(['👥 下级用户'])
    await ben.press('❓ 帮助')
    await ben.waitFor('/traffic')
  })
})

describe('what waits', () => {
  it('is led to from the main menu: questions, orders on their way', async () => {
    const product = await startProduct({}, { operatorChats: [BEN.id] })
    const ben = product.phone(BEN)
    ben.send('/operator')
    await ben.waitFor('')
    const ann = await product.memberPhone(ANN)
    expect(ann.buttons()).not.toContain('💬 1 open question')
    const { token } = await product.core.accounts.logIn({ ...CUSTOMER, address: 'test' })
    const actor = await product.core.accounts.authenticate(token)
    await product.core.support.open(actor, { text: 'Where is it?', source: 'test' })
    await product.core.orders.createStatic(actor, {
      poolId: 'ISP',
      userId: actor.id,
      ipCount: 1,
      duration: 1,
      unit: 3,
    })
    await product.until("SELECT 1 FROM static_orders WHERE status = 'active'")
    await product.edit("UPDATE static_orders SET status = 'processing'")
    ann.send('/menu')
    await ann.press('⏳ 1 order on its way')
    await ann.waitFor('Orders: 1')
    ann.send('/menu')
    await ann.press('💬 1 open question')
    await ann.waitFor('Tickets waiting for an answer: 1')
  })
})
