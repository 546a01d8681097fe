import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf, buyStatic } from '../support/bought.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'
import { testProxy } from '../support/test-proxy.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }

/** An agent with orders of so many proxies, all of whose connections are led to one on this machine, and its list of them. */
async function withOrder(counts: readonly number[]) {
  const refused = new Set<string>()
  const proxy = await testProxy({
    accepts: (username) => username.startsWith('user') && !refused.has(username),
  })
  const product = await startProduct(
    { dial: () => ({ host: '127.0.0.1', port: proxy.port }) },
    { operatorChats: [OPS.id] },
  )
  const actor = await buyStatic(product, AGENT, counts)
  const agent = await product.memberPhone(ANN, AGENT)
  agent.send('/orders')
  return {
    product,
    proxy,
    agent,
    /** From now on the proxy refuses this user. */
    refuse: (username: string) => void refused.add(username),
    instances: async () => (await product.core.orders.getStatic(actor, { id: 1 })).instances,
  }
}

/** The same with one proxy, whose screen is open, and the operator. */
async function withProxy(replacePolicy: 'auto' | 'ask') {
  const shop = await withOrder([1])
  const { agent, product } = shop
  await product.core.operator.editProduct(SHELL, 'ISP', { replacePolicy })
  await agent.press(/× Residential/)
  await agent.press('🔎 Details')
  await agent.press(/192\.0\.2\.1:8000/)
  await agent.waitForButton('🩺 Test')
  return { ...shop, ops: product.phone(OPS) }
}

test('a proxy is tested, and what failed is said', async () => {
  const { proxy, agent, product } = await withProxy('auto')
  await agent.press('🩺 Test')
  const works = await agent.read('The proxy works')
  expect(works).toMatch(/Connected in \d+ ms, answered in \d+ ms/)
  expect(works).toContain('Exit address: 127.0.0.1')
  expect(works).not.toContain('pass1')
  await agent.press('🩺 Test again')
  await product.until('SELECT 1 FROM proxy_checks')
  expect(proxy.connections).toBe(1)
})

test('what fails a test, or is not replaced, leads to support with the proxy attached, and a test of an order with the order', async () => {
  const { agent, ops, refuse, instances } = await withProxy('ask')
  ops.send('/operator')
  await ops.waitForButton('🛎 To decide')
  const [proxy] = await instances()
  refuse(proxy?.username ?? '')
  await agent.press('🩺 Test')
  await agent.waitFor('It refuses the username or the password')
  await agent.press('💬 Support')
  await agent.waitFor(`About: proxy ${proxy?.ip}:8000`)
  agent.send('It lets nobody in')
  await agent.waitFor('Waiting for support')
  expect(await ops.read('It lets nobody in')).toContain(`About: proxy ${proxy?.ip}:8000`)
  await ops.press('🌐 The proxy')
  await ops.waitFor(`🌐 ${proxy?.ip}:8000`)
  // The operator tests it, too, and no more often.
  await ops.press('🩺 Test')
  await ops.waitFor('This is possible once a minute')
  ops.send('/tickets')
  await ops.press(/🟠 proxy/)
  await ops.press('👤 agent')
  await ops.waitFor('agent, an agent with')

  agent.send('/orders')
  await agent.press(/× Residential/)
  await agent.press('🩺 Test all')
  await agent.waitFor('0 of 1 proxies work')
  await agent.press('💬 Support')
  await agent.waitFor(/About: order S/)

  agent.send('/orders')
  await agent.press(/× Residential/)
  await agent.press('🔎 Details')
  await agent.press(/192\.0\.2\.1:8000/)
  await agent.press('♻️ Replace')
  await agent.press('It is too slow')
  await ops.press('✖️ Decline')
  await ops.waitFor('Why not?')
  ops.send('it works for us')
  const declined = await agent.waitFor('The shop writes: it works for us')
  expect(declined.keyboard.flat().map(({ text }) => text)).toContain('💬 Support')
})

test('all proxies of an order are tested in the background, and those that fail are replaced from the summary', async () => {
  const { agent, proxy, product, refuse, instances } = await withOrder([3])
  await agent.press(/× Residential/)
  const broken = (await instances())[1]
  refuse(broken?.username ?? '')
  await agent.press('🩺 Test all')
  expect(await agent.read('Testing the proxies')).toContain('▱▱▱▱▱▱ 0 of 3')
  const summary = await agent.read('2 of 3 proxies work')
  expect(summary).toContain(`⚠️ 2. ${broken?.ip}:8000\nIt refuses the username or the password.`)
  expect(summary).not.toContain(broken?.password)
  expect(agent.buttons().filter((label) => label.includes('Replace'))).toEqual(['♻️ Replace 2'])
  const probes = proxy.connections
  expect(await agent.press('🩺 Test all again')).toMatchObject({ text: 'This is possible once a minute.' })
  expect(proxy.connections).toBe(probes)
  await product.core.operator.editProduct(SHELL, 'ISP', { replacePolicy: 'auto' })
  await agent.press('♻️ Replace 2')
  await agent.waitFor('You get another proxy')
  await agent.press('It does not connect')
  await agent.waitFor('The proxy is replaced')
  expect((await instances()).map(({ ip }) => ip)).not.toContain(broken?.ip)
})

test('all proxies are tested together, whatever orders they came with', async () => {
  const { agent, product, refuse, instances } = await withOrder([1, 2])
  const [broken] = await instances()
  refuse(broken?.username ?? '')
  agent.send('/proxies')
  await agent.press('🩺 Test all')
  const summary = await agent.read('2 of 3 proxies work')
  expect(summary).toContain(`⚠️ 1. ${broken?.ip}:8000\nIt refuses the username or the password.`)
  expect(await agent.press('🩺 Test all again')).toMatchObject({ text: 'This is possible once a minute.' })
  await product.core.operator.editProduct(SHELL, 'ISP', { replacePolicy: 'auto' })
  await agent.press('♻️ Replace 1')
  await agent.press('It does not connect')
  await agent.waitFor('The proxy is replaced')
  expect((await instances()).map(({ ip }) => ip)).not.toContain(broken?.ip)
})

test('what does not work is not delivered, and the customer is told why it is missing', async () => {
  const proxy = await testProxy({ accepts: (username) => username !== 'user7' })
  const product = await startProduct(
    { dial: () => ({ host: '127.0.0.1', port: proxy.port }) },
    { checks: { regular: true, echoUrl: undefined, controlProxy: undefined } },
  )
  const agent = await product.memberPhone(ANN, AGENT)
  await buyStatic(product, AGENT, [30])
  const told = await agent.read('29 of 30 proxies are ready')
  expect(told).toContain('4.50 USD was returned to the balance')
  expect(told).toContain('1 proxy did not work when I tested it before the delivery.')
})

test('a test of an order goes on after a restart, and its screen follows it', async () => {
  const { agent, product, proxy } = await withOrder([2])
  await agent.press(/× Residential/)
  proxy.fault = 'hang'
  await agent.press('🩺 Test all')
  await agent.waitFor('0 of 2')
  await expect.poll(() => proxy.connections, PATIENCE).toBe(2)
  await product.stop()
  proxy.fault = undefined
  await product.start()
  await agent.waitFor('All 2 proxies work')
})

test('a proxy is replaced after a preview, once, and its screen says what it was before', async () => {
  const { agent, product, instances } = await withProxy('auto')
  const [before] = await instances()
  await agent.press('♻️ Replace')
  await agent.waitFor('What is wrong with it?')
  await agent.press('✍️ Something else')
  await agent.waitFor('in your own words')
  agent.send('it is <slow>')
  const preview = await agent.read('You get another proxy')
  expect(preview).toContain('Reason: it is <slow>')
  const { message, button } = await agent.waitForButton('♻️ Replace it now')
  await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, message.messageId, button.value)))
  await agent.waitFor('The proxy is replaced')
  const [after] = await instances()
  expect([after?.instanceNo, after?.ip === before?.ip]).toEqual([before?.instanceNo, false])
  await agent.press('🔎 Open the proxy')
  const screen = await agent.read('replaced, before')
  expect(screen).toContain('192.0.2.1:8000')
  expect(screen).toContain(after?.ip ?? '')
})

test('the operator allows a wish in the chat or declines it with a reason, and the customer is told', async () => {
  const { agent, ops, instances } = await withProxy('ask')
  ops.send('/operator')
  await ops.waitForButton('🛎 To decide')
  const wish = async () => {
    await agent.press('♻️ Replace')
    await agent.press('It is too slow')
    await agent.waitFor('The shop has been asked')
  }
  await wish()
  const told = await ops.read('agent wants another proxy')
  expect(told).toContain('Reason: It is too slow')
  await ops.press('✖️ Decline')
  await ops.waitFor('Why not?')
  ops.send('it works for us')
  await ops.waitFor('Declined')
  await agent.waitFor('The shop writes: it works for us')
  const [before] = await instances()
  await agent.press('🔎 Open the proxy')
  await wish()
  ops.send('/operator')
  await ops.press('♻️ Replacements (1)')
  await ops.press(/192\.0\.2\.1/)
  await ops.press('✅ Allow')
  await ops.waitFor('The proxy is replaced')
  await agent.waitFor('A proxy was replaced')
  expect((await instances())[0]?.ip).not.toBe(before?.ip)
})

/** An order of so many proxies, the first of which three failed tests over ten minutes call dead; its screen of that test is open. */
async function withDead(count: number, policy: 'auto' | 'ask' = 'auto') {
  const shop = await withOrder([count])
  const { agent, product, refuse, instances } = shop
  await product.core.operator.editProduct(SHELL, 'ISP', { replacePolicy: policy })
  const [dead] = await instances()
  const address = `${dead?.ip}:8000`
  refuse(dead?.username ?? '')
  await product.edit(
    "UPDATE instances SET verdict = 'unknown', failures = 2, failing_since = ? WHERE id = ?",
    new Date(Date.now() - 11 * 60_000).toISOString(),
    dead?.id,
  )
  agent.send(address)
  await agent.press('🩺 Test')
  await agent.waitFor('The proxy is dead')
  return { ...shop, dead, address }
}

test('a dead proxy is dead on every screen, in the files and in the lists', async () => {
  const { agent, product, dead, address } = await withDead(3)
  const actor = await actorOf(product, AGENT)
  expect((await product.core.orders.listProxies(actor, { health: 'dead' })).items).toMatchObject([
    { ip: dead?.ip, health: 'dead' },
  ])
  await agent.press('‹ Back')
  await agent.waitFor('🔴 Dead')
  agent.send('/menu')
  expect(await agent.read('Main menu')).toContain('🔴 1 of 3 proxies is dead')
  await agent.press('📦 My proxies')
  const narrowed = await agent.read('🎛 🔴 Dead (1)')
  expect(narrowed).toContain('✅ In use: 3 · 🔴\u00a0dead:\u00a01')
  expect(narrowed).toContain(`🔴 ${address}`)
  expect(agent.buttons().filter((label) => label.includes('192.0.2.'))).toEqual([
    expect.stringMatching(`^🔴 ${dead?.ip} → `),
  ])
  agent.send('/orders')
  await agent.waitFor('My orders')
  await agent.press('🎛 Filter')
  await agent.press('🔴 Dead 1')
  await agent.press(/^🔴 3 × Res/)
  const order = await agent.read('🔴 1 of 3 proxies is dead')
  expect(order).toContain(`🔴 ${address}:user1`)
  await agent.press('📄 .txt')
  const text = await agent.waitFor('🔴 1 of 3 proxies is dead: the last in the file')
  expect((await agent.file(text)).content.toString().split('\n').at(-2)).toContain(address)
  await agent.press('📊 .csv')
  const table = (await agent.file(await agent.waitFor('with a header line'))).content.toString()
  expect(table.split('\n').filter((line) => line.trim().endsWith(',dead'))).toEqual([
    expect.stringContaining(dead?.ip ?? ''),
  ])
  await agent.press('🔎 Details')
  await agent.waitForButton(`🔴 ${address}`)
})

test('what the tests say of each proxy stands in the list, in the order and as a filter; a dead one offers its replacement first', async () => {
  const { agent, product, address } = await withDead(3)
  await product.edit("UPDATE instances SET verdict = 'alive', answer_ms = 4000 WHERE ip = '192.0.2.2'")
  agent.send('/proxies')
  await agent.press('🎛 Filter')
  await agent.waitForButton('🐢 Slow 1')
  expect(agent.buttons()).toEqual(expect.arrayContaining(['🔴 Dead 1', '⚪ Untested 1']))
  expect(agent.buttons().join()).not.toContain('Works')
  await agent.press('🐢 Slow 1')
  const slow = await agent.read('🎛 🐢 Slow (1)')
  expect(slow).toContain('🐢 192.0.2.2:8000')
  expect(slow).not.toContain('192.0.2.3')
  await agent.waitForButton(/^🐢 192\.0\.2\.2 → /)
  agent.send('/orders')
  await agent.press(/^🔴 3 × Res/)
  const order = await agent.read('🐢 Slow 1 · ⚪ Untested 1')
  expect(order).toMatch(/🔴 192\.0\.2\.1:.*\n🐢 192\.0\.2\.2:.*\n⚪ 192\.0\.2\.3:/)
  agent.send(address)
  await agent.waitFor('🔴 Dead')
  expect(agent.buttons()[0]).toBe('♻️ Replace')
  expect(agent.buttons().filter((label) => label === '♻️ Replace')).toHaveLength(1)
})

test('a dead proxy is renewed only after a question: alone, with its order, and among many', async () => {
  const { agent, address, product } = await withDead(3)
  const renewed = async () =>
    ((await product.until('SELECT count(*) AS number FROM renewed_instances')) as { number: number }).number
  agent.send(address)
  await agent.press('🔁 Renew')
  expect(await agent.read('The proxy is dead')).toContain('A renewal costs the same')
  await agent.press('🔁 Renew it anyway')
  await agent.press('1 month')
  await agent.waitForButton('✅ Renew · 4.50 USD')

  agent.send('/orders')
  await agent.press(/^🔴 3 × Res/)
  await agent.press('🔁 Renew')
  await agent.press('Continue with 3 ›')
  await agent.waitFor('🔴 1 of 3 proxies is dead')
  await agent.press('🔁 Only the 2 others')
  await agent.press('1 month')
  await agent.waitForButton('✅ Renew · 9.00 USD')

  agent.send('/proxies')
  await agent.press('🔁 Renew')
  await agent.press('☑️ All')
  await agent.press('✅ Renew 3 · 13.50 USD')
  await agent.waitFor('🔴 1 of 3 proxies is dead')
  expect(await renewed()).toBe(0)
  await agent.press('🔁 Only the 2 others')
  await agent.press('✅ Renew 2 · 9.00 USD')
  await agent.waitFor('Renewed and paid: 2 proxies')
  expect(await renewed()).toBe(2)
})

test('a dead proxy is replaced by one press, once', async () => {
  const { agent, product, instances, dead } = await withDead(1)
  const { message, button } = await agent.waitForButton('♻️ Replace')
  await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, message.messageId, button.value)))
  await agent.waitFor('The proxy is replaced')
  expect((await instances())[0]?.ip).not.toBe(dead?.ip)
  expect(await product.until('SELECT count(*) AS number FROM replacements')).toMatchObject({ number: 1 })
  expect(agent.dump()).not.toContain('What is wrong with it?')
})
