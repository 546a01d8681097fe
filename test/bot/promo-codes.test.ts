import { expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor } from '../support/notices.ts'
import type { Phone } from '../support/phone.ts'
import { AGENT, ANN, BEN, startProduct } from '../support/product.ts'

/** What the button under the newest message copies. */
function copied(phone: Phone): string | undefined {
  return phone
    .screen()
    .message.keyboard.flat()
    .find(({ kind }) => kind === 'copy')?.value
}

async function shop() {
  const product = await startProduct({}, { operatorChats: [BEN.id] })
  const { core } = product
  await core.operator.addProduct(SHELL, {
    productNo: 'DYN-1',
    names: { en: 'Dynamic 1', zh: '动态代理 1' },
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.proxy.example:8001',
    price: 3,
  })
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  await core.earnings.setPrice(agent, { markupPercent: 100 })
  return { ...product, core, agent }
}

it('a code lowers the price of proxies on the confirm screen, and can be taken off again', async () => {
  const { core, agent, memberPhone } = await shop()
  await core.promotions.create(agent, { code: 'SPRING', percent: 10, maxUsesPerUser: 1 })
  await core.operator.promotions.add(SHELL, { code: 'TRAFFIC', amount: 1, products: ['DYN-1'] })
  const ann = await memberPhone(ANN)
  const choose = async () => {
    ann.send('/buy')
    // The second time the number is remembered.
    await ann.waitFor(/Quantity: \d/)
    await ann.press(/^(✓ )?2$/)
    await ann.waitFor('Total: 18.00 USD')
  }
  await choose()
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('nothing')
  await ann.waitFor('I do not know this promotion code.')
  ann.send('traffic')
  await ann.waitFor('This promotion code is for other products.')
  ann.send('spring')
  expect(await ann.read('Total: 16.20 USD')).toContain('🎟 SPRING: −1.80 USD\nTotal: 16.20 USD')
  await ann.press('✖️ Without the code')
  expect(await ann.read('Total: 18.00 USD')).not.toContain('SPRING')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('Spring')
  await ann.waitFor('Total: 16.20 USD')
  await ann.press('✅ Buy for 16.20 USD')
  await ann.waitFor('Your proxies are ready')
  await ann.press('📦 Open the order')
  expect(await ann.read('✅ Active')).toContain('🎟 SPRING: −1.80 USD')

  // The code belongs to that purchase only; and what cannot be used any more is taken off, and said.
  await choose()
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('SPRING')
  await ann.waitFor('used as often as one customer is allowed')
  await core.promotions.create(agent, { code: 'SUMMER', amount: 5 })
  ann.send('SUMMER')
  await ann.waitFor('Total: 13.00 USD')
  await core.promotions.stop(agent, 'SUMMER')
  await ann.press('✅ Buy for 13.00 USD')
  expect(await ann.read('Total: 18.00 USD')).toContain('⚠️ This promotion code has ended.')
  expect(await core.operator.audit()).toEqual([])
})

it('a code lowers the price of traffic, until another purchase begins', async () => {
  const { core, memberPhone } = await shop()
  await core.operator.promotions.add(SHELL, { code: 'A'.repeat(32), percent: 50, maxUses: 1 })
  const ann = await memberPhone(ANN)
  await ann.press('📶 Traffic')
  await ann.press('Dynamic 1')
  await ann.press('🛒 Buy traffic')
  await ann.press('5 GB · 30.00 USD')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('wrong')
  await ann.waitFor('I do not know this promotion code.')
  ann.send('a'.repeat(32))
  await ann.waitFor('Total: 22.50 USD')
  await ann.press('✖️ Without the code')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('a'.repeat(32))
  await ann.waitFor('Total: 22.50 USD')
  // It stays while another amount is chosen.
  ann.send('4')
  await ann.waitFor('Total: 18.00 USD')
  await ann.press('5 GB · 30.00 USD')
  await ann.waitFor('Total: 22.50 USD')
  await ann.press('✅ Buy for 22.50 USD')
  expect(await ann.read('5 GB bought')).toContain(`🎟 ${'A'.repeat(32)}: −7.50 USD\nTotal: 22.50 USD`)
  // The amount is remembered, the code is not.
  await ann.press('🔁 Buy more')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('a'.repeat(32))
  await ann.waitFor('This promotion code is used up.')
  expect(await core.operator.audit()).toEqual([])
})

it('an agent makes a code in the chat, in two presses or with all its limits, and stops it', async () => {
  const { core, agent, memberPhone } = await shop()
  const ann = await memberPhone(ANN, AGENT)
  await ann.press('👥 Sub-users')
  await ann.press('⋯ More')
  await ann.press('🎟 Promotion codes')
  expect(await ann.read('Promotion codes: 0')).toContain('out of your earnings')
  await ann.press('➕ New code')
  await ann.waitFor('What does it take off')
  await ann.press('20%')
  // What it comes to is said before it is made.
  expect(await ann.read('How much may the code cost')).toContain(
    'At today’s prices:\n• Residential ISP: 9.00 → 7.20 (−20%)\n• Dynamic 1: 6.00 → 4.80 (−20%)',
  )
  await ann.press('✅ Make the code now')
  expect(await ann.read('The code is ready')).toMatch(
    /🎟 \w{8} · 🟢 Open\nTakes off: 20% of a purchase\nFor all products[^]*• Dynamic 1: 6\.00 → 4\.80 \(−20%\)$/,
  )

  await ann.press('‹ Back')
  await ann.press('➕ New code')
  await ann.waitFor('What does it take off')
  ann.send('101%')
  await ann.waitFor('from 1% to 100%')
  ann.send('2.50')
  await ann.waitFor('How much may the code cost')
  await ann.press('🚫 Nothing')
  await ann.waitFor('Which code?')
  ann.send('no')
  await ann.waitFor('A code has 3–32')
  ann.send('summer')
  await ann.waitFor('in all?')
  await ann.press('10')
  await ann.waitFor('one customer')
  ann.send('1')
  await ann.waitFor('For how many days')
  for (const wrong of ['2020-01-01 10:00', '2026-02-30 10:00', '4000', '2126-01-01 10:00']) {
    ann.send(wrong)
    await ann.waitFor('a time to come')
  }
  const day = new Date(core.now().getTime() + 30 * 24 * 60 * 60_000).toISOString().slice(0, 10)
  ann.send(`${day} 23:59 +8`)
  await ann.waitFor('For which products?')
  ann.send('ISP, nothing')
  await ann.waitFor('There is no such product')
  ann.send('ISP, DYN-1')
  const made = await ann.read('The code is ready')
  expect(made).toContain(
    'Takes off: 2.50 USD of a purchase\nFor: ISP, DYN-1\nUsed: 0 of 10\nAt most 1 per customer\nUntil ',
  )
  expect(await core.promotions.get(agent, 'SUMMER')).toMatchObject({
    amount: 2_500_000,
    products: ['ISP', 'DYN-1'],
    maxUses: 10,
    maxUsesPerUser: 1,
    validUntil: `${day}T15:59:00.000Z`,
  })
  await ann.press('⛔ Stop this code')
  await ann.waitFor('Nobody can use it any more')
  await ann.press('⛔ Stop this code')
  await ann.waitFor('⛔ Stopped')
  await ann.press('‹ Back')
  expect((await ann.waitFor('Promotion codes: 2')).text).toBeDefined()
  expect(ann.buttons()[0]).toBe('⛔ SUMMER · 2.50 USD')
})

it('the operator makes codes in its chat, and sees those of agents', async () => {
  const { core, agent, phone } = await shop()
  await core.promotions.create(agent, { code: 'OFAGENT', percent: 5 })
  const ben = phone({ ...BEN, languageCode: 'en' })
  ben.send('/operator')
  await ben.press('⚙️ Set-up')
  await ben.press('🎟 Codes')
  await ben.press('🟢 OFAGENT · 5%')
  await ben.waitFor('Cost so far for agent: 0.00 USD')
  await ben.press('‹ Back')
  await ben.press('➕ New code')
  await ben.waitFor('What does it take off')
  await ben.press('10%')
  await ben.waitFor('Which code?')
  ben.send('ofagent')
  await ben.waitFor('in all?')
  await ben.press('✅ Make the code now')
  await ben.waitFor('The code OFAGENT already exists')
  ben.send('welcome')
  await ben.waitFor('in all?')
  await ben.press('✅ Make the code now')
  await ben.waitFor('The code is ready')
  expect((await core.operator.trail.list({ action: 'promo' })).items).toMatchObject([
    { action: 'promo.add', subject: 'WELCOME' },
  ])
})

it('the announcement of a code says what it gives, and there is none of a code that gives nothing', async () => {
  const product = await shop()
  const { core, agent, memberPhone, phone } = product
  const [ann, customer] = [await memberPhone(ANN, AGENT), await actorFor(product)]
  const announcement = async (code: string) => {
    ann.send('/users')
    await ann.press('⋯ More')
    await ann.press('🎟 Promotion codes')
    await ann.press(new RegExp(code))
    await ann.waitFor(/Used: 0/)
    return copied(ann)
  }
  const told = (code: string, off: string) => `Promotion code ${code}: ${off}. Type it when you buy.`
  await core.promotions.create(agent, { code: 'TWENTY', percent: 20 })
  expect(await announcement('TWENTY')).toBe(told('TWENTY', '20% off'))
  await core.earnings.setPrice(agent, { productNo: 'DYN-1', markupPercent: 15 })
  expect(await announcement('TWENTY')).toBe(told('TWENTY', '20% off Residential ISP, 13% off Dynamic 1'))
  expect(ann.screen().text).toContain('never more than you earn on the purchase')
  await core.earnings.setPrice(agent, { productNo: 'DYN-1', markupPercent: 0 })
  expect(await announcement('TWENTY')).toBe(told('TWENTY', '20% off Residential ISP'))
  await core.earnings.setPrice(agent, { userId: customer.id, markupPercent: 0 })
  expect(await announcement('TWENTY')).toBe(told('TWENTY', 'up to 20% off Residential ISP'))
  await core.promotions.create(agent, { code: 'NOTHING', percent: 20, products: ['DYN-1'] })
  expect(await announcement('NOTHING')).toBeUndefined()
  expect(ann.screen().text).toContain('No discount at the moment: you earn nothing on these products')

  const ben = phone({ ...BEN, languageCode: 'en' })
  await core.operator.promotions.add(SHELL, { code: 'OURS', percent: 30 })
  ben.send('/operator')
  await ben.press('⚙️ Set-up')
  await ben.press('🎟 Codes')
  await ben.press(/OURS/)
  await ben.waitFor('• Dynamic 1: 3.00 → 2.10 (−30%)')
  expect(copied(ben)).toBe(told('OURS', '30% off the shop’s prices'))
})

it('a code may cost the balance of its agent: as much as is chosen, in three presses', async () => {
  const product = await shop()
  const { core, agent, memberPhone } = product
  const [ann, customer] = [await memberPhone(ANN, AGENT), await actorFor(product)]
  await core.earnings.setPrice(agent, { markupPercent: 0 })
  const { balance } = await core.accounts.balance(agent)
  ann.send('/users')
  await ann.press('⋯ More')
  await ann.press('🎟 Promotion codes')
  await ann.press('➕ New code')
  await ann.waitFor('What does it take off')
  await ann.press('20%')
  expect(await ann.read('How much may the code cost')).toContain('No discount at the moment')
  ann.send('much')
  await ann.waitFor('Please send an amount')
  await ann.press('10')
  expect(await ann.read('Which code?')).toContain(
    '• Dynamic 1: 3.00 → 2.40 (−20%)\nWhat the purchase does not earn comes out of the balance: at most 10.00 USD more.',
  )
  await ann.press('✅ Make the code now')
  await ann.waitFor('From the balance: 0.00 USD of 10.00 USD')
  const [code] = (await core.promotions.list(agent)).items.map((made) => made.code)
  expect(copied(ann)).toBe(`Promotion code ${code}: 20% off, while it lasts. Type it when you buy.`)
  await core.orders.createDynamic(customer, { poolId: 'DYN-1', trafficAmount: 10, promoCode: code })
  ann.send('/users')
  await ann.press('⋯ More')
  await ann.press('🎟 Promotion codes')
  await ann.press(new RegExp(code ?? ''))
  expect(await ann.read('From the balance: 6.00 USD of 10.00 USD')).toContain('at most 4.00 USD more')
  ann.send('/records')
  await ann.waitFor('🎟 Promotion code')
  expect((await core.accounts.balance(agent)).balance).toBe(balance - 6_000_000)
  expect(await core.operator.audit()).toEqual([])
})
