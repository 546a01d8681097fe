import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf, buyStatic } from '../support/bought.ts'
import { AGENT, ANN, CUSTOMER, type Product, startProduct } from '../support/product.ts'
import { english } from '../support/times.ts'

type Phone = Awaited<ReturnType<Product['memberPhone']>>

async function openOrder(phone: Phone): Promise<void> {
  phone.send('/orders')
  await phone.press(/ × Res/)
  await phone.waitForButton('🔁 Renew')
}

/** The main button of a confirm screen, to be pressed again later. */
function mainButton(phone: Phone): string {
  return phone.screen().message.keyboard[0]?.[0]?.value ?? ''
}

describe('renewing proxies', () => {
  it('renews all, some or one, for what the confirm screen says', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, AGENT, [10])
    const agent = await product.memberPhone(ANN, AGENT)
    const ends = async () =>
      (await product.core.orders.getStatic(actor, { id: 1 })).instances.map(({ expireTime }) => expireTime)
    const before = await ends()
    await openOrder(agent)
    await agent.press('🔁 Renew')
    await agent.waitFor('Chosen: 10 of 10')
    await agent.press('Continue with 10 ›')
    await agent.press('3 months')
    const confirm = await agent.read('Total: 135.00 USD')
    expect(confirm).toContain('Unit price: 4.50 USD / month × 3')
    expect(confirm).toContain('Your balance: 955.00 USD\nBalance after: 820.00 USD')
    const press = mainButton(agent)
    const { messageId } = agent.screen().message
    await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, messageId, press)))
    expect(await agent.read('Renewed and paid (10)')).toContain('Paid: 135.00 USD\nYour balance: 820.00 USD')
    const afterAll = await ends()
    expect(afterAll.every((end, index) => end > (before[index] ?? ''))).toBe(true)
    await product.telegram.pressStale(ANN.id, messageId, press)
    expect(await ends()).toEqual(afterAll)
    await agent.press('📦 Open the order')
    expect(await agent.read('Proxies: 10')).toContain('Paid for renewals: 135.00 USD')

    await agent.press('🔁 Renew')
    await agent.press('⬜️ None')
    await agent.waitFor('Chosen: 0 of 10')
    expect(agent.buttons().join()).not.toContain('Continue')
    await agent.press('⬜️ 192.0.2.2:8000')
    await agent.press('›')
    await agent.waitForButton('2 / 2')
    await agent.press('⬜️ 192.0.2.10:8000')
    await agent.waitFor('Chosen: 2 of 10')
    await agent.press('Continue with 2 ›')
    await agent.press('1 month')
    expect(await agent.read('Total: 9.00 USD')).toContain('Proxies: 2 of 10')
    await agent.press('‹ Back')
    await agent.waitFor('For how long?')
    await agent.press('‹ Back')
    await agent.waitFor('Chosen: 2 of 10')
    await agent.press('☑️ 192.0.2.2:8000')
    await agent.waitFor('Chosen: 1 of 10')
    await agent.press('Continue with 1 ›')
    await agent.press('1 month')
    await agent.press('✅ Renew · 4.50 USD')
    await agent.waitFor('Renewed and paid (1)')
    const afterSome = await ends()
    expect(afterSome.map((end, index) => end > (afterAll[index] ?? ''))).toEqual([
      ...Array<boolean>(9).fill(false),
      true,
    ])

    // Nobody is to believe that what was not renewed lasts as long as what was.
    const [first, last] = [new Date(afterSome[0] ?? ''), new Date(afterSome[9] ?? '')]
    await agent.press('📦 Open the order')
    expect(await agent.read('Proxies: 10')).toContain(
      `Valid until: ${english.dateTime(first)} (earliest) – ${english.dateTime(last)} (latest)`,
    )
    await agent.press('‹ Back')
    await agent.press(new RegExp(`10 × .* ${english.shortDate(first, new Date())}$`))
    await agent.press('🔎 Details')
    await agent.press('⚪ 192.0.2.1:8000')
    await agent.press('🗓 Other term')
    await agent.waitFor('Proxies: 1 of 10')
    await agent.press('‹ Back')
    expect(await agent.read('IP: 192.0.2.1')).toMatch(/1 month more, until .*: 4\.50 USD/)
    const { value } = (await agent.waitForButton('🔁 Renew 1 month · 4.50 USD')).button
    const onCard = agent.screen().message.messageId
    // Pressed twice, it is renewed once: what it offered was for the end that it had.
    await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, onCard, value)))
    await agent.waitFor(
      (message) => message.messageId === onCard && /Renewed and paid|IP: /.test(message.text),
    )
    expect((await ends())[0]).toBe(afterSome[9])
    expect(await product.core.operator.audit()).toEqual([])
  })

  it('shows a new price, or what is missing, before it charges anything', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [2])
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    await ann.press('🔁 Renew')
    await ann.press('Continue with 2 ›')
    await ann.press('1 month')
    await ann.waitFor('Total: 9.00 USD')
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 5 })
    expect((await ann.press(/Renew ·/)).text).toBe('The price has changed. Please check again.')
    await ann.waitFor('Total: 10.00 USD')
    await ann.press('‹ Back')
    await ann.press('12 months')
    await ann.waitFor('short by 79.00 USD')
    expect(ann.buttons()).toContain('🙋 Ask my agent')
    const { messageId } = ann.screen().message
    const { resume } = await product.core.chats.readDraft(ANN.id)
    await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 79, remark: 'paid' })
    await ann.waitFor('Money has arrived')
    await product.telegram.pressStale(ANN.id, messageId, resume ?? '')
    await ann.press('✅ Renew · 120.00 USD')
    await ann.waitFor('Renewed and paid (2)')
    // Done is done, wherever else a button of it is.
    await product.telegram.pressStale(ANN.id, messageId, resume ?? '')
    await ann.waitFor('Renewed and paid (2)')
  })

  it('renews what has expired within the grace, and for a sub-user from its balance', async () => {
    const product = await startProduct()
    const customer = await buyStatic(product, CUSTOMER, [1])
    const past = new Date(Date.now() - 60_000).toISOString()
    await product.edit('UPDATE instances SET expire_time = ?', past)
    await product.until("SELECT 1 FROM static_orders WHERE status = 'expired'")
    const agent = await product.memberPhone(ANN, AGENT)
    await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, `ou:${customer.id}`)
    await agent.press(/ × Res/)
    await agent.press('🔁 Renew')
    await agent.press('1 month')
    expect(await agent.read('Total: 4.50 USD')).toContain(
      'Balance of customer: 45.50 USD\nBalance after: 41.00 USD',
    )
    await agent.press(/Renew ·/)
    await agent.waitFor('Renewed and paid (1)')
    await agent.press('📦 Open the order')
    await agent.waitFor('✅ Active')
    expect((await product.core.accounts.balance(await actorOf(product, AGENT))).balance).toBe(1_000_000_000)
  })
})

describe('releasing proxies', () => {
  it('of which one has expired within the grace leaves nothing that could be renewed', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [2])
    const past = new Date(Date.now() - 60_000).toISOString()
    await product.edit('UPDATE instances SET expire_time = ? WHERE id = 2', past)
    await product.until("SELECT 1 FROM instances WHERE id = 2 AND status = 'expired'")
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    expect(ann.buttons()).toContain('🔁 Renew')
    await ann.press('🗑 Release')
    await ann.press('🗑 Release this proxy')
    await ann.waitFor('Released (1)')
    await ann.press('📦 Open the order')
    await ann.waitFor('🚫 Cancelled')
    expect(ann.buttons()).not.toContain('🔁 Renew')
    await ann.press('🔎 Details')
    await ann.press(/192\.0\.2\.2/)
    expect(await ann.read('192.0.2.2')).not.toContain('can be renewed')
    expect(ann.buttons()).not.toContain('🔁 Renew')
  })

  it('releases some, then all, and gives back what the confirm screen says', async () => {
    const product = await startProduct()
    await buyStatic(product, CUSTOMER, [3])
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    await ann.press('🗑 Release')
    await ann.waitFor('Chosen: 0 of 3')
    await ann.press('⬜️ 192.0.2.2:8000')
    await ann.press('Continue with 1 ›')
    const confirm = await ann.waitFor('Refund: 4.50 USD')
    expect(confirm.text).toContain('• 192.0.2.2:8000')
    expect(confirm.text).toContain('Your balance: 36.50 USD\nBalance after: 41.00 USD')
    expect(confirm.keyboard[0]?.[0]).toMatchObject({ text: '🗑 Release this proxy', style: 'danger' })
    const press = mainButton(ann)
    const { messageId } = ann.screen().message
    await Promise.all([1, 2].map(() => product.telegram.pressStale(ANN.id, messageId, press)))
    await ann.waitFor('Refunded: 4.50 USD\nYour balance: 41.00 USD')
    await ann.press('📦 Open the order')
    expect(await ann.read('In use: 2')).not.toContain('192.0.2.2:')
    await ann.press('🗑 Release')
    await ann.press('☑️ All')
    await ann.press('Continue with 2 ›')
    await ann.press('🗑 Release these 2 proxies')
    await ann.waitFor('Released (2)')
    await ann.press('📦 Open the order')
    await ann.waitFor('🚫 Cancelled')
    expect(ann.buttons()).toEqual(['🔎 Details', '🧾 Receipt', '‹ Back', '🏠 Menu'])
    // An old button of the order finds nothing left.
    const { messageId: now } = ann.screen().message
    for (const data of ['renew:1', 'release:1', 'renew:1:0', 'release:1:7'])
      expect(await product.telegram.pressStale(ANN.id, now, data)).toMatchObject({ showAlert: true })
    ann.send('/balance')
    await ann.waitFor('50.00 USD')
    expect(await product.core.operator.audit()).toEqual([])
  })

  it.each([
    [
      'en',
      '🗑 Release',
      'Continue with 2 ›',
      'Refund: 6.00 USD',
      'Kept back: 1.00 USD. A single proxy costs more',
    ],
    ['zh', '🗑 退订', '继续（2 个）›', '退款：6.00 USD', '不退部分：1.00 USD。保留的 1 个代理'],
  ] as const)(
    'of a number that was cheaper shows in %s what is kept back',
    async (language, release, goOn, refund, kept) => {
      const product = await startProduct()
      await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 3.5, minQuantity: 3 })
      await buyStatic(product, CUSTOMER, [3])
      const ann = await product.memberPhone(ANN)
      await product.core.chats.setLanguage(ANN.id, language)
      ann.send('/orders')
      await ann.press(/^✅ 3 ×/)
      await ann.press(release)
      await ann.press('⬜️ 192.0.2.2:8000')
      await ann.press('⬜️ 192.0.2.3:8000')
      await ann.press(goOn)
      expect((await ann.waitFor(refund)).text).toContain(kept)
    },
  )

  it('does not take what was to be paid back when the time for it ends before the press', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, CUSTOMER, [1])
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    await ann.press('🗑 Release')
    await ann.waitFor('Refund: 4.50 USD')
    const earlier = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await product.edit('UPDATE static_orders SET created_at = ?', earlier)
    expect(await ann.press('🗑 Release this proxy')).toMatchObject({ showAlert: true })
    await ann.waitFor('No refund: it was possible until')
    expect((await product.core.orders.getStatic(actor, { id: 1 })).status).toBe('active')
    await ann.press('🗑 Release this proxy')
    await ann.waitFor('Refunded: 0.00 USD')
  })

  it('releases nothing by a confirm button that showed other proxies than are picked now', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, CUSTOMER, [3])
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    await ann.press('🗑 Release')
    await ann.press('⬜️ 192.0.2.1:8000')
    await ann.press('Continue with 1 ›')
    await ann.waitFor('Refund: 4.50 USD')
    const { messageId } = ann.screen().message
    const forOne = mainButton(ann)
    await ann.press('‹ Back')
    await ann.press('☑️ All')
    await ann.press('Continue with 3 ›')
    await ann.waitFor('Refund: 13.50 USD')
    expect((await product.telegram.pressStale(ANN.id, messageId, forOne)).text).toContain(
      'That button was old',
    )
    await ann.waitFor('Refund: 13.50 USD', { evenOld: true })
    const { instances } = await product.core.orders.getStatic(actor, { id: 1 })
    expect(instances.map(({ status }) => status)).toEqual(['active', 'active', 'active'])
  })

  it('asks again about proxies that are gone meanwhile, and knows old buttons', async () => {
    const product = await startProduct()
    const actor = await buyStatic(product, CUSTOMER, [2])
    const ann = await product.memberPhone(ANN)
    await openOrder(ann)
    await ann.press('🗑 Release')
    await ann.press('☑️ All')
    await ann.press('Continue with 2 ›')
    await ann.waitFor('Refund: 9.00 USD')
    const { messageId } = ann.screen().message
    const old = mainButton(ann)
    const { orderNo, instances } = await product.core.orders.getStatic(actor, { id: 1 })
    await product.core.orders.cancelStatic(actor, { orderNo, instances: [instances[0]?.instanceNo ?? ''] })
    await ann.press('‹ Back')
    await ann.waitFor('Chosen: 1 of 1')
    await product.telegram.pressStale(ANN.id, messageId, old)
    await ann.waitFor('Refund: 4.50 USD')
    await ann.press('🏠 Menu')
    const id = old.split(':')[1] ?? ''
    const forged = [
      'set:9:1:1',
      'set:x:1:1',
      'all',
      'pick:99',
      'term:m7',
      'term:x',
      'do',
      'do:X:1',
      'valueOf',
      'done',
    ]
    for (const verb of forged) await product.telegram.pressStale(ANN.id, messageId, `life:${id}:${verb}`)
    for (const data of ['life', 'life:XXXXXX:confirm', 'renew', 'renew:x', 'release:1:x'])
      await product.telegram.pressStale(ANN.id, messageId, data)
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
    expect((await product.core.orders.getStatic(actor, { id: 1 })).status).toBe('active')
  })
})
