import { expect, test } from 'vitest'
import { handle } from '../../src/core/job-handlers.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import type { ShopRole } from '../../src/core/people/permissions.ts'
import { MEMBER, startBot } from '../support/bot.ts'
import { outside } from '../support/service.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const ANN = { id: 710, firstName: 'Ann', username: 'Ann_From_Leeds', languageCode: 'en' }

/** A customer who has two proxies and writes from a phone of its own, and somebody who runs the shop. */
async function shop(role?: ShopRole) {
  const started = await startBot({ operatorChats: [OPS.id] })
  const { core, db, phone, product, stock, order, runJobs } = started
  const row = await db.read.account.findFirstOrThrow({ where: { username: MEMBER.username } })
  const ann = { id: row.id, username: row.username, role: row.role, agentId: row.agentId, level: 1 }
  await product()
  await stock('static', 3, { ips: ['198.51.100.7', '198.51.100.8', '198.51.100.9'] })
  const { orderNo } = await order(ann, { ipCount: 2 })
  await runJobs()
  const hers = phone(ANN)
  hers.send(`/login`)
  await hers.waitFor(/username/i)
  hers.send(MEMBER.username)
  await hers.waitFor(/password/i)
  hers.send(MEMBER.password)
  await hers.waitFor(/👤 customer/)
  if (role) await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: 1 })
  if (role) await core.operator.people.add(SHELL, { name: 'Olivia', role, telegramId: OPS.id })
  const { instances } = await core.orders.getStatic(ann, { orderNo })
  return { ...started, ann, hers, orderNo, instances, ops: phone(OPS) }
}

test('a proxy that is found by its address is refunded in three presses, and the customer hears of it', async () => {
  const { core, db, clock, ops, orderNo, instances, bugs, telegram } = await shop()
  ops.send('198.51.100.7:8000:u0:an-old-password')
  expect(await ops.read('198.51.100.7:8000')).toContain('Can still be refunded: 1.00 USD')
  expect(telegram.messages(OPS.id).some(({ text }) => text.includes('an-old-password'))).toBe(false)
  await ops.press('↩️ Refund')
  expect(await ops.read('Why?')).toContain('Refund 1.00 USD of 1.00 USD for 198.51.100.7:8000 to customer?')
  ops.send('5 too much')
  await ops.waitFor('At most 1.00 USD can be refunded.')
  ops.send('0.25 slow for a day')
  expect(await ops.read('Do it?')).toContain('Refund 0.25 USD of 1.00 USD')
  await ops.press('✅ Refund')
  await ops.waitFor('✅ 0.25 USD refunded; the balance is 48.25 USD.')
  await ops.press('↩️ Refund')
  await ops.press('Does not work')
  await ops.press('✅ Refund and end it')
  await ops.waitFor('✅ 0.75 USD refunded; the balance is 49.00 USD.')
  expect(ops.buttons()).not.toContain('↩️ Refund')
  expect((await core.operator.trail.list({ action: 'order.refund' })).items).toMatchObject([
    { subject: orderNo, username: 'customer', details: { reason: 'Does not work', release: true } },
    { subject: orderNo, details: { amount: 0.25, reason: 'slow for a day' } },
  ])
  expect(await core.operator.audit()).toEqual([])
  const told = await db.read.notice.findMany({ where: { chatId: ANN.id, kind: 'balance_adjusted' } })
  expect(told.map(({ data }) => data)).toEqual(
    expect.arrayContaining(['slow for a day', 'Does not work'].map((text) => expect.stringContaining(text))),
  )

  // Another proxy can be switched off in the settings; money in its place cannot.
  await core.chats.setMuted(ANN.id, 'replacement_ended', true)
  const replace = (refund: boolean) => {
    clock.advance(120_000)
    const { instanceNo = '' } = instances[1] ?? {}
    return core.operator.orders.replace(SHELL, { instanceNo, reason: 'dead', refund })
  }
  expect([(await replace(false)).status, (await replace(true)).status]).toEqual(['done', 'refunded'])
  const ended = await db.read.notice.findMany({ where: { chatId: ANN.id, kind: 'replacement_ended' } })
  expect(ended.map(({ data }) => data)).toEqual([expect.stringContaining('"status":"refunded"')])
  expect(bugs()).toEqual([])
})

test('everything that is pasted leads to its page, and each list of a customer opens', async () => {
  const { ops, orderNo, core, bugs, ann } = await shop()
  ops.send('@ann_from_leeds')
  const page = await ops.read('👤 customer')
  expect(page).toContain('Agent: agent-1\nBalance: 48.00 USD\nReceived: 50.00 USD · spent: 2.00 USD')
  for (const [button, shown] of [
    [/📦 Orders: 1/, 'Orders of customer: 1'],
    [/🌐 In use: 2/, 'Proxies in use of customer: 2'],
    ['📒 Entries', '-2.00 USD · 🛒 Purchase'],
    ['📊 Traffic', 'There is nothing here.'],
    [/💳 Top-ups: 0/, 'There is nothing here.'],
    [/💬 Chats: 1/, '💬 Ann @ann_from_leeds · 710 · en'],
  ] as const) {
    await ops.press(button)
    await ops.waitFor(shown)
    await ops.press('👤 customer')
    await ops.waitFor('Balance: 48.00 USD')
  }
  ops.send(orderNo)
  await ops.read('Can still be refunded: 2.00 USD')
  await ops.press(/198\.51\.100\.8/)
  await ops.waitFor('🌐 198.51.100.8:8000')
  await ops.press('📦 The order')
  ops.send('/find 198.51.100.')
  await ops.waitFor('Found for 198.51.100.')
  expect(ops.buttons()).toHaveLength(4)
  ops.send('/find 198.51.100.9')
  await ops.waitFor('🗄 In stock: 198.51.100.9:8000, static, on sale')
  ops.send('who-is-that')
  await ops.waitFor('Nothing was found for who-is-that.')
  // What is typed at the stock is a list, not a search.
  ops.send('/stock')
  await ops.waitFor('For sale: 1')
  ops.send('198.51.100.9')
  await ops.waitFor(/What (is to|shall|should|do)|1 prox/)
  ops.send('/find')
  await ops.press('➕ New customer')
  ops.send('username: x')
  await ops.waitFor('username: At least 3 characters')
  ops.send('username: newcomer\nagent: agent-1\nbalance: 3\nremark: vip')
  await ops.press('✅ Create the customer')
  expect(await ops.read('The customer is created.')).toMatch(
    /start=inv_[\s\S]*Agent: agent-1\nBalance: 3\.00 USD/,
  )
  await ops.press('📇 Contact')
  ops.send('email: new@example.com')
  await ops.waitFor('📇 new@example.com · vip')
  expect(await core.operator.customers.show(ann.id)).toMatchObject({ chats: 1 })
  expect(bugs()).toEqual([])
})

test('a customer is adjusted, moved, let in, logged out, disabled and deleted; a proxy replaced and given credentials', async () => {
  const { core, ops, hers, instances, bot, bugs } = await shop()
  await core.operator.createAgent(SHELL, { username: 'next' })
  const changed = async (button: string, reason: string, now: string, done: string | RegExp) => {
    await ops.press(button)
    await ops.press(reason)
    await ops.waitFor('Do it?')
    await ops.press(now)
    await ops.waitFor(done)
  }
  ops.send('customer')
  await ops.press('💰 Adjust')
  ops.send('x')
  await ops.waitFor('Please send an amount')
  ops.send('-48.01')
  await ops.waitFor('has only')
  ops.send('+2.5')
  expect(await ops.read('Why?')).toContain('customer: +2.50 USD, 48.00 USD → 50.50 USD')
  ops.send('a gift')
  await ops.press('✅ Adjust the balance')
  await ops.waitFor('The balance is 50.50 USD.')
  await ops.press('🔀 Move')
  ops.send('nobody')
  await ops.waitFor('⚠️')
  await ops.press('🤝 next')
  await ops.press('Wrong agent')
  expect(await ops.read('Do it?')).toContain('from: agent-1\nto: next')
  await ops.press('✅ Move')
  const moved = await ops.read('Moved. Agent: next')
  expect(moved).toContain('Agent: next\nBalance: 50.50 USD')
  expect(moved).toContain('The old agent had chosen the password')
  const { queue, handlers } = core.jobs
  for (const job of await queue.claim(50, 1000))
    await handle(handlers(outside({ messenger: bot.messenger })), job)
  expect(await hers.read('customer has a new agent')).toMatch(
    /Your agent is now next\.[^]*• Password: you are logged out\./,
  )
  await changed('🔑 Link', 'Password forgotten', '✅ Make the link', /start=inv_/)
  await changed('🚪 Log out', 'Phone lost', '✅ Log out everywhere', 'Logged out everywhere.')
  hers.send('/balance')
  await hers.waitFor(/Log in/)
  await changed('🚫 Disable', 'Misuse', '🚫 Disable', '🚫 Disabled')
  await changed('▶️ Enable', 'Paid', '▶️ Enable', '✅ Enabled.')

  ops.send(instances[0]?.ip ?? '')
  await ops.waitFor(`🌐 ${instances[0]?.ip}`)
  await changed('♻️ Replace', 'Blocked by a site', '✅ Replace', 'Replaced by 198.51.100.9:8000')
  expect(ops.screen().text).toContain(`: ${instances[0]?.ip}:8000`)
  ops.send(instances[1]?.ip ?? '')
  await ops.waitFor(`🌐 ${instances[1]?.ip}`)
  await ops.press('♻️ Replace')
  await ops.press('Wrong place')
  await ops.press('✅ Replace')
  await ops.waitFor('not enough are left')
  await ops.press('✅ Replace or refund')
  await ops.waitFor(/None was free: [01]\.\d+ USD refunded/)
  ops.send('198.51.100.9')
  await ops.waitFor('🌐 198.51.100.9')
  await ops.press('🔑 Credentials')
  ops.send('two words')
  await ops.waitFor('Please send the password')
  ops.send('a-new-secret')
  await ops.press('Known to others')
  await ops.press('✅ Change credentials')
  await ops.waitFor('They are valid now')

  ops.send('customer')
  await ops.waitFor('👤 customer')
  await changed('🗑 Delete', 'Second account', '🗑 Delete for good', 'Deleted.')
  expect(ops.buttons()).not.toContain('💰 Adjust')
  expect((await core.operator.trail.list()).items.map(({ action }) => action).slice(0, 11)).toEqual([
    'customer.delete',
    'proxy.credentials',
    'proxy.replace',
    'proxy.replace',
    'customer.enable',
    'customer.disable',
    'customer.logout',
    'customer.link',
    'customer.move',
    'balance.adjust',
    'agent.create',
  ])
  expect(await core.operator.audit()).toEqual([])
  expect(bugs()).toEqual([])
})

test('a proxy, or all of an order, is ended without a refund, with a reason that the customer reads', async () => {
  const { core, ops, orderNo, hers, bot, bugs } = await shop()
  ops.send('198.51.100.7')
  await ops.press('⏹ End')
  expect(await ops.read('Why?')).toContain('customer: end 1 proxy now without a refund?')
  ops.send('sends spam')
  await ops.press('⏹ End without refund')
  await ops.waitFor('✅ Ended: 1. Nothing was refunded.')
  expect(ops.buttons()).not.toContain('⏹ End')
  const { queue, handlers } = core.jobs
  for (const job of await queue.claim(50, 1000))
    await handle(handlers(outside({ messenger: bot.messenger })), job)
  expect(await hers.read('The shop has ended 1 proxy')).toMatch(/It no longer works[^]*Reason: sends spam/)
  await ops.press('📦 The order')
  await ops.press('⏹ End all')
  await ops.press('Misuse')
  await ops.press('⏹ End without refund')
  // By judgement it can still be given back.
  await ops.waitFor(/✅ Ended: 1[^]*Can still be refunded: 2\.00 USD/)
  expect(ops.buttons()).not.toContain('⏹ End all')
  const customer = await core.operator.customers.show('customer')
  expect([customer.balance, customer.activeProxies]).toEqual([48_000_000, 0])
  expect((await core.operator.trail.list({ action: 'proxy.end' })).items).toMatchObject([
    { subject: orderNo, username: 'customer', details: { reason: 'Misuse' } },
    { subject: orderNo, details: { reason: 'sends spam' } },
  ])
  expect(await core.operator.orders.end(SHELL, { orderNo, reason: 'again' })).toMatchObject({ ended: [] })
  expect((await core.operator.trail.list({ action: 'proxy.end' })).items).toHaveLength(2)
  expect(await core.operator.audit()).toEqual([])
  expect(bugs()).toEqual([])
})

test('support helps and gives nothing back; an old button is refused in words', async () => {
  const { ops, core, telegram } = await shop('support')
  ops.send('/operator')
  await ops.waitFor('Operator')
  await core.chats.setLanguage(OPS.id, 'zh')
  ops.send('198.51.100.7')
  await ops.waitFor('🌐 198.51.100.7:8000')
  expect(ops.buttons()).toEqual([
    '♻️ 更换',
    '🔑 账密',
    '🩺 检测',
    '📦 订单',
    '👤 customer',
    '🔎 查找',
    expect.anything(),
  ])
  await ops.press('♻️ 更换')
  await ops.press('被网站屏蔽')
  await ops.waitFor('确定执行？')
  expect(ops.buttons()).not.toContain('✅ 更换，无货则退款')
  await ops.press('✅ 更换')
  await ops.waitFor('已换成 198.51.100.9:8000')
  ops.send('customer')
  await ops.waitFor('余额：48.00 USD')
  const may = ops.buttons()
  expect(may).toContain('🚪 退出登录')
  for (const button of ['🔑 链接', '💰 调整余额', '🔀 转移', '🗑 删除', '🚫 禁用', '📇 联系方式'])
    expect(may).not.toContain(button)
  const { message } = ops.screen()
  await telegram.pressStale(OPS.id, message.messageId, 'cuc:delete:2')
  expect((await core.operator.customers.show('customer')).status).toBe('active')
})
