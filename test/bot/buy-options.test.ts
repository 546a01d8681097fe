import { describe, expect, it } from 'vitest'
import { unmarked } from '../../src/bot/kit/mark.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorOf } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct, stockFile } from '../support/product.ts'

type Phone = Awaited<ReturnType<Product['memberPhone']>>

/** A product with all that can be chosen, in two ranges of New York. */
async function addChoosable({ core }: Product): Promise<void> {
  await core.operator.addProduct(SHELL, {
    productNo: 'PICK',
    names: { en: 'Pick your own', zh: '自选代理' },
    price: 1,
    cidrSupported: true,
    assignIpSupported: true,
  })
  await core.operator.importStock(SHELL, stockFile('PICK', '198.51.100', 5))
  await core.operator.importStock(SHELL, stockFile('PICK', '203.0.113', 4))
}

/** The screen of a purchase, of another product if one is named. */
async function choose(phone: Phone, ...labels: (string | RegExp)[]): Promise<void> {
  phone.send('/buy')
  await phone.waitFor('Quantity: 1')
  if (labels.length > 0) await phone.press('🏷 Residential ISP')
  for (const label of labels) await phone.press(label)
  await phone.waitFor('Quantity: 1')
}

/** An agent's purchase for a sub-user, up to the confirm screen. */
async function beginFor({ telegram }: Product, agent: Phone, userId: number, count: string): Promise<void> {
  await telegram.pressStale(ANN.id, agent.screen().message.messageId, `bf:${userId}`)
  await agent.press(count)
}

/** Addresses of the proxies in an order's notice. */
async function delivered(phone: Phone): Promise<string[]> {
  const text = await phone.read('Your proxies are ready')
  return [...text.matchAll(/^(\d+\.\d+\.\d+\.\d+):/gm)].map(([, ip]) => ip ?? '')
}

describe('what can be chosen when buying', () => {
  it('asks for the project of a shared product, in a list or in writing', async () => {
    const product = await startProduct()
    const { operator } = product.core
    const shared = (en: string) => ({ names: { en, zh: '共享代理' }, price: 2, shared: true })
    const projects = [
      { code: 'amz', name: 'Amazon' },
      { code: 'ebay', name: 'eBay' },
    ]
    await operator.addProduct(SHELL, { ...shared('Shared list'), productNo: 'SHR', projects })
    await operator.addProduct(SHELL, { ...shared('Shared free'), productNo: 'FREE' })
    await operator.importStock(SHELL, stockFile('SHR', '198.51.100', 3))
    await operator.importStock(SHELL, stockFile('FREE', '203.0.113', 3))
    const ann = await product.memberPhone(ANN)

    ann.send('/buy')
    await ann.press('🏷 Residential ISP')
    await ann.press('Shared list · 2.00')
    expect(await ann.read('For which project?')).toContain('Product: Shared list')
    await ann.press('eBay')
    expect(await ann.read('Total: 2.00 USD')).toContain('Project: eBay')
    await ann.press(/Buy for/)
    expect(await ann.read('Order accepted')).toContain('Project: eBay')

    ann.send('/buy')
    // What was bought last.
    expect(await ann.read('Total: 2.00 USD')).toContain('Project: eBay')
    ann.send('amazon')
    await ann.waitFor('Project: Amazon')
    await ann.press('🏷 Shared list')
    await ann.press(/Shared free/)
    await ann.waitFor('name or code')
    ann.send('x'.repeat(65))
    await ann.waitFor('at most 64 characters')
    ann.send('my <shop>')
    expect(await ann.read('Total: 2.00 USD')).toContain('Project: my <shop>')
    await ann.press('📁 my <shop>')
    await ann.waitFor('For which project?')
    await ann.press('‹ Back')
    await ann.waitFor('Project: my <shop>')
    const { items } = await product.core.orders.listStatic(await actorOf(product, CUSTOMER))
    expect(items.map(({ projectId }) => projectId)).toEqual(['ebay'])
  })

  it('takes proxies from chosen IP ranges, and asks again when one sells out meanwhile', async () => {
    const product = await startProduct()
    await addChoosable(product)
    const ann = await product.memberPhone(ANN)
    await choose(ann, /Pick your own/)
    await ann.press('🧩 IP ranges')
    await ann.waitFor('Chosen so far: 0')
    expect(ann.buttons()).toEqual(['198.51.100.0/24 · 5', '203.0.113.0/24 · 4', '‹ Back', '🏠 Menu'])
    await ann.press('198.51.100.0/24 · 5')
    await ann.waitFor('5 free')
    expect(ann.buttons()).toEqual(['1', '2', 'All 5', '‹ Back', '🏠 Menu'])
    ann.send('6')
    await ann.waitFor('Only 5 are left here')
    ann.send('3')
    await ann.waitFor('Chosen so far: 3')
    await ann.press('203.0.113.0/24 · 4')
    await ann.press('2')
    await ann.waitFor('Chosen so far: 5')
    expect(ann.buttons()).toContain('✓ 203.0.113.0/24 · 2 of 4')
    await ann.press('✓ 198.51.100.0/24 · 3 of 5')
    await ann.press('✖️ None of this range')
    await ann.waitFor('Chosen so far: 2')
    await ann.press('198.51.100.0/24 · 5')
    await ann.press('All 5')
    await ann.press('Continue with 7 ›')
    const confirm = await ann.read('Total: 7.00 USD')
    expect(confirm).toContain('• 203.0.113.0/24 × 2\n• 198.51.100.0/24 × 5')
    await ann.press('✓ 🧩 IP ranges')
    await ann.waitFor('Chosen so far: 7')
    await ann.press('Continue with 7 ›')
    await ann.waitFor('Total: 7.00 USD')

    await product.edit(
      "UPDATE stock_ips SET disabled = true WHERE ip IN ('203.0.113.1', '203.0.113.2', '203.0.113.3')",
    )
    expect((await ann.press(/Buy for/)).showAlert).toBe(true)
    expect(await ann.read('no longer available')).toContain('Quantity: 6')
    await ann.press('✅ Buy for 6.00 USD')
    expect((await delivered(ann)).toSorted()).toEqual([
      ...[1, 2, 3, 4, 5].map((host) => `198.51.100.${host}`),
      '203.0.113.4',
    ])
  })

  it('keeps the page of many IP ranges while one after the other is chosen', async () => {
    const product = await startProduct()
    await addChoosable(product)
    for (let network = 1; network <= 8; network += 1)
      await product.core.operator.importStock(SHELL, stockFile('PICK', `10.0.${network}`, 2))
    const ann = await product.memberPhone(ANN)
    await choose(ann, /Pick your own/)
    await ann.press('🧩 IP ranges')
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    const range = /203\.0\.113\.0\/24/
    await ann.press(range)
    await ann.waitFor('4 free')
    await ann.press('‹ Back')
    await ann.waitForButton('2 / 2')
    await ann.press(range)
    await ann.press('All 4')
    await ann.waitFor('Chosen so far: 4')
    expect(ann.buttons()).toContain('2 / 2')
  })

  it('sells exactly the IPs that were pasted, and names each that it cannot', async () => {
    const product = await startProduct()
    await addChoosable(product)
    const ann = await product.memberPhone(ANN)
    await choose(ann, /Pick your own/)
    ann.send('198.51.100.2\n198.51.100.300\nhello')
    await ann.waitFor('Not an IP address (2): 198.51.100.300, hello.')
    ann.send('198.51.100.2\n192.0.2.1\n8.8.8.8')
    await ann.waitFor('Not available in this product and location (2): 192.0.2.1, 8.8.8.8.')
    ann.send(Array.from({ length: 260 }, (_, index) => `10.0.${index % 250}.${index % 9}`).join('\n'))
    expect(await ann.read('Not available')).toMatch(/… and \d+ more\./)
    ann.send('198.51.100.2、203.0.113.4\r\n198.51.100.2，')
    expect(await ann.read('Total: 2.00 USD')).toContain('Quantity: 2\n• 198.51.100.2\n• 203.0.113.4')
    await product.edit("UPDATE stock_ips SET disabled = true WHERE ip = '203.0.113.4'")
    expect((await ann.press(/Buy for/)).text).toBe('Some of these IPs are no longer available.')
    await ann.waitFor('No longer available: 203.0.113.4.')
    ann.send('198.51.100.2')
    await ann.press('✅ Buy for 1.00 USD')
    expect(await delivered(ann)).toEqual(['198.51.100.2'])
  })

  it('lists the free IPs, one network after the other, to be ticked', async () => {
    const product = await startProduct()
    await addChoosable(product)
    const ann = await product.memberPhone(ANN)
    await choose(ann, /Pick your own/)
    await ann.press('📌 Exact IPs')
    expect(await ann.read('Which IPs exactly?')).toContain('Free here: 9.')
    const [first = '', second = ''] = ann.buttons()
    expect([first, second].map((ip) => ip.replace(/\.\d+$/, '')).toSorted()).toEqual([
      '198.51.100',
      '203.0.113',
    ])
    await ann.press(first)
    await ann.waitForButton(`✓ ${first}`)
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    const last = ann.buttons()[0] ?? ''
    await ann.press(last)
    await ann.waitFor('Chosen: 2')
    await ann.press(`✓ ${last}`)
    await ann.waitFor('Chosen: 1')
    await ann.press('Continue with 1 ›')
    expect(await ann.read('Total: 1.00 USD')).toContain(`• ${first}`)
    await ann.press('✅ Buy for 1.00 USD')
    expect(await delivered(ann)).toEqual([first])
  })

  it('renews by itself what was bought so, and says what happens and until when money comes back', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('Quantity: 1')
    ann.send('3 months')
    await ann.waitFor('Term: 3 months')
    expect(ann.screen().text).toContain('Refund if released within 24 hours: in full')
    await ann.press('🔁 Auto-renew')
    await ann.waitFor('Auto-renew: on. Renewed for 3 months an hour before expiry')
    await ann.press(/Buy for/)
    expect(await ann.read('Order accepted')).toContain('Auto-renew: on')
    await ann.waitFor('Your proxies are ready')
    const { items } = await product.core.orders.listStatic(await actorOf(product, CUSTOMER))
    expect(items[0]?.instances.map(({ autoRenew }) => autoRenew)).toEqual([true])
  })

  it('offers the terms that are whole billing periods, the period itself among them', async () => {
    const product = await startProduct()
    const { operator } = product.core
    const named = (en: string) => ({ names: { en, zh: '代理' }, price: 0.1, periodUnit: 1 }) as const
    await operator.addProduct(SHELL, { ...named('Daily'), productNo: 'DAY', periodLength: 1 })
    await operator.addProduct(SHELL, { ...named('Odd'), productNo: 'ODD', periodLength: 45 })
    await operator.importStock(SHELL, stockFile('DAY', '198.51.100', 1))
    await operator.importStock(SHELL, stockFile('ODD', '203.0.113', 1))
    const ann = await product.memberPhone(ANN)
    await choose(ann, 'Daily · 0.10')
    await ann.press('🗓 1 day')
    await ann.waitFor('For how long?')
    const days = ['1 day', '3 days', '7 days', '14 days']
    const months = ['1 month', '3 months', '6 months', '12 months']
    expect(ann.buttons()).toEqual(['✓ 1 day', ...days.slice(1), ...months, '‹ Back', '🏠 Menu'])
    await choose(ann, 'Odd · 0.10')
    await ann.press('🗓 45 days')
    await ann.waitFor('For how long?')
    expect(ann.buttons()).toEqual(['✓ 45 days', '3 months', '6 months', '12 months', '‹ Back', '🏠 Menu'])
    await ann.press('✓ 45 days')
    await ann.waitFor('Total: 0.10 USD')
  })

  it('lets an agent buy for its sub-user, who pays its own price from its own balance', async () => {
    const product = await startProduct()
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 5, username: 'customer' })
    const agent = await product.memberPhone(ANN, AGENT)
    const customer = await actorOf(product, CUSTOMER)
    const press = (data: string) =>
      product.telegram.pressStale(ANN.id, agent.screen().message.messageId, data)
    await press(`bf:${customer.id}`)
    expect(await agent.read('Quantity: 1')).toContain('👤 For customer')
    await agent.press('10')
    const confirm = await agent.waitFor('Total: 50.00 USD')
    expect(confirm.text).toContain('👤 For customer')
    expect(confirm.text).toContain('Balance of customer: 50.00 USD\nBalance after: 0.00 USD')
    await agent.press('20')
    await agent.waitFor('The balance of customer is short by 50.00 USD')
    expect(agent.buttons()).toContain('💰 Top up customer')
    await agent.press('2')
    await agent.waitFor('Total: 10.00 USD')
    const pay = agent.screen().message.keyboard.flat()[0]?.value ?? ''
    await product.edit("UPDATE accounts SET status = 'disabled' WHERE username = 'customer'")
    expect((await agent.press(/Buy for/)).text).toBe(
      'This account is disabled. Only the person who created it can enable it again.',
    )
    await agent.waitFor('Main menu')
    await product.edit("UPDATE accounts SET status = 'active' WHERE username = 'customer'")
    await press(pay)
    await agent.waitFor('Order accepted')
    const [own, theirs] = await Promise.all([
      product.core.accounts.balance(await actorOf(product, AGENT)),
      product.core.accounts.balance(customer),
    ])
    expect([own.balance, theirs.balance]).toEqual([1_000_000_000, 40_000_000])

    // Nobody else's, nobody who may not buy, and nobody for a customer.
    expect(await press('bf:999')).toMatchObject({ showAlert: true })
    await product.edit("UPDATE accounts SET status = 'disabled' WHERE username = 'customer'")
    expect((await press(`bf:${customer.id}`)).text).toBe('customer is disabled and cannot buy anything.')
    await product.edit("UPDATE accounts SET status = 'active' WHERE username = 'customer'")
    const ben = await product.memberPhone(BEN)
    const refused = await product.telegram.pressStale(BEN.id, ben.screen().message.messageId, 'bf:1')
    expect(refused).toMatchObject({ showAlert: true })
  })

  it('gives a sub-user that is short what is missing, and goes on with the purchase', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    const customer = await actorOf(product, CUSTOMER)
    await beginFor(product, agent, customer.id, '20')
    await agent.waitFor('The balance of customer is short by 40.00 USD')
    await agent.press('💰 Top up customer')
    await agent.waitFor('How much?')
    await agent.press('Cancel')
    await agent.waitFor('The balance of customer is short by 40.00 USD')
    await agent.press('💰 Top up customer')
    await agent.press('The missing 40.00 USD')
    await agent.waitFor('customer: 50.00 USD → 90.00 USD')
    await agent.press('✅ Add 40.00 USD')
    await agent.waitFor('Balance changed: +40.00 USD')
    await agent.press('🛒 Continue the purchase')
    await agent.waitFor('Balance after: 0.00 USD')
    await agent.press('✅ Buy for 90.00 USD')
    await agent.waitFor('Order accepted')
    // Whoever changes the balance for another reason is led nowhere.
    await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, `user:${customer.id}`)
    await agent.press('💰 Adjust balance')
    await agent.waitFor('How much?')
    expect(agent.buttons().join()).not.toContain('missing')
    await agent.press('+10')
    await agent.press('✅ Add 10.00 USD')
    await agent.waitFor('Balance changed: +10.00 USD')
    expect(agent.buttons()).not.toContain('🛒 Continue the purchase')
  })

  it('names who pays by the name of this moment', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    const [seller, customer] = await Promise.all([actorOf(product, AGENT), actorOf(product, CUSTOMER)])
    await beginFor(product, agent, customer.id, '5')
    await agent.waitFor('Balance of customer: 50.00 USD')
    const { accounts } = product.core
    await accounts.editSubUserAccount(seller, customer.id, { username: 'renamed' })
    await accounts.createSubUser(seller, { username: 'customer', password: 'another one', balance: 5 })
    await agent.press('🔁 Auto-renew')
    const confirm = await agent.waitFor('Auto-renew: on')
    expect(confirm.text).toContain('Balance of renamed: 50.00 USD')
    expect(confirm.text).not.toContain('customer')
  })

  it('gives money to one sub-user and goes on with nothing of another', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    const [seller, customer] = await Promise.all([actorOf(product, AGENT), actorOf(product, CUSTOMER)])
    const other = await product.core.accounts.createSubUser(seller, {
      username: 'other',
      password: 'of other',
    })
    await beginFor(product, agent, customer.id, '20')
    await agent.waitFor('short by 40.00 USD')
    const giveBalance = agent.screen().message.keyboard.flat()[0]?.value ?? ''
    await beginFor(product, agent, other.id, '10')
    await agent.waitFor('The balance of other is short by 45.00 USD')
    await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, giveBalance)
    await agent.press('The missing 40.00 USD')
    await agent.press('✅ Add 40.00 USD')
    await agent.waitFor('Balance changed: +40.00 USD')
    expect(agent.buttons()).not.toContain('🛒 Continue the purchase')
  })

  it('keeps a purchase that is short of money, and goes on with it after the top-up', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await choose(ann)
    await ann.press('20')
    await ann.waitFor('short by 40.00 USD')
    const { keyboard, messageId } = ann.screen().message
    const ask = keyboard.flat().find(({ text }) => text === '🙋 Ask my agent')
    expect(unmarked(ask?.value ?? '').data).toBe(`tpk:${(40_000_000).toString(36)}`)
    const { resume } = await product.core.chats.readDraft(ANN.id)
    await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 40, remark: 'paid' })
    await ann.waitFor('Money has arrived')
    await ann.waitFor('The shop has added 40.00 USD')
    await ann.press('✖️ Close')
    await product.telegram.pressStale(ANN.id, messageId, resume ?? '')
    await ann.waitFor('Balance after: 0.00 USD')
    await ann.press('✅ Buy for 90.00 USD')
    await ann.waitFor('Order accepted')
    // It is bought, and not again.
    await product.telegram.pressStale(ANN.id, messageId, resume ?? '')
    await ann.waitFor('Order accepted')
    expect(ann.buttons().join()).not.toContain('Buy for')
  })

  it('pays for what the button showed, and not for what was chosen after it', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await choose(ann)
    await ann.press('2')
    await ann.waitFor('Total: 9.00 USD')
    const { keyboard, messageId } = ann.screen().message
    const pay = keyboard.flat()[0]?.value ?? ''
    await ann.press('1')
    await ann.waitFor('Total: 4.50 USD')
    const answer = await product.telegram.pressStale(ANN.id, messageId, pay)
    expect(answer.text).toContain('old')
    await ann.waitFor('Total: 4.50 USD')
    ann.send('/buy')
    await ann.waitFor('Quantity: 1')
    expect((await product.telegram.pressStale(ANN.id, messageId, pay)).text).toContain('old')
    await ann.waitFor('Quantity: 1')
    expect((await product.core.accounts.balance(await actorOf(product, CUSTOMER))).balance).toBe(50_000_000)
  })

  it('asks again for what is not for sale any more', async () => {
    const product = await startProduct()
    await addChoosable(product)
    const ann = await product.memberPhone(ANN)
    await choose(ann, /Pick your own/)
    await product.edit("UPDATE products SET enabled = false WHERE product_no = 'PICK'")
    await ann.press('5')
    expect(await ann.read('no longer available')).toContain('Which product?')
    expect(ann.buttons()).toEqual(['Residential ISP · 4.50', '🏠 Menu'])
  })

  it('fits the longest names and the most proxies into what Telegram takes', async () => {
    const product = await startProduct()
    const { core } = product
    const [name, project] = ['W'.repeat(80), 'p'.repeat(32)]
    await core.operator.addProduct(SHELL, {
      productNo: 'N'.repeat(32),
      names: { en: name, zh: name },
      price: 0.000001,
      shared: true,
      projects: [
        { code: project, name: 'P'.repeat(80) },
        { code: 'other', name: 'Other' },
      ],
      cidrSupported: true,
      assignIpSupported: true,
    })
    const long = 'u'.repeat(124)
    const network = (range: number) => `2001:db8:aaaa:bbbb:cccc:dddd:eeee:${range}`
    const lines = Array.from({ length: 500 }, (_, index) => {
      const range = 1 + (index % 5)
      const place = `US,NY,${'C'.repeat(16)},${network(range)}000/116`
      return `${'N'.repeat(32)},${network(range)}${100 + Math.floor(index / 5)},65535,${long}${1000 + index},${long},${place}`
    })
    await core.operator.importStock(
      SHELL,
      ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n'),
    )
    const longest = { username: 'm'.repeat(50), password: 'long-enough', balance: 1 }
    const { id } = await core.accounts.createSubUser(await actorOf(product, AGENT), longest)
    const agent = await product.memberPhone(ANN, AGENT)
    await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, `bf:${id}`)
    await agent.press('🏷 Residential ISP')
    await agent.waitFor('Which product?')
    await agent.press(/^W+…/)
    await agent.press('P'.repeat(80))
    await agent.waitFor('Quantity: 1')
    agent.send('12 months')
    await agent.press('🧩 IP ranges')
    for (const range of [1, 2, 3, 4, 5]) {
      await agent.press(`${network(range)}000/116 · 100`)
      await agent.press('All 100')
    }
    await agent.press('Continue with 500 ›')
    await agent.waitFor('Quantity: 500')
    await agent.press('🔁 Auto-renew')
    await agent.waitFor('Auto-renew: on')
    await agent.press(/Buy for/)
    const notice = await agent.waitFor('Your proxies are ready')
    expect((await agent.file(notice)).content.toString().split('\n')).toHaveLength(501)

    await agent.press('📦 Open the order')
    await agent.waitFor('Proxies: 500')
    await agent.press('🔁 Renew')
    await agent.waitFor('Chosen: 500 of 500')
    await agent.press('Continue with 500 ›')
    await agent.press('12 months')
    await agent.waitFor('Proxies: 500 of 500')
    await agent.press(/Renew ·/)
    await agent.waitFor('Renewed and paid (500)')
    await agent.press('📦 Open the order')
    await agent.press('🗑 Release')
    await agent.press('☑️ All')
    await agent.press('Continue with 500 ›')
    expect(await agent.read('cannot be undone')).toContain('… and 490 more')
    await agent.press('‹ Back')
    await agent.press('‹ Back')
    await agent.press('🔎 Details')
    await agent.press(/65535/)
    expect(await agent.read('Password: ')).toContain(long)
    await agent.press('📦 Open the order')
    await agent.press('‹ Back')
    expect(await agent.read('Orders: 1')).toContain(`Orders of ${longest.username}`)
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
    expect(await core.operator.audit()).toEqual([])
  })
})
