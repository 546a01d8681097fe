import { expect, test } from 'vitest'
import { handle } from '../../src/core/job-handlers.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { MEMBER, startBot } from '../support/bot.ts'
import { OPS, startEarningShop } from '../support/earning-shop.ts'
import type { Phone } from '../support/phone.ts'
import { ANN, CUSTOMER, startProduct } from '../support/product.ts'
import { outside } from '../support/service.ts'
import { unitsOf } from '../support/top-ups.ts'
import { askedIn, startUsdtProduct } from '../support/usdt-product.ts'

/** More is not taken for any of the usual tasks. */
const MOST = 5

/** Does a task, and counts its presses; what is typed or sent is not counted. */
async function pressesOf(ops: Phone, task: (press: Phone['press']) => Promise<unknown>): Promise<number> {
  let presses = 0
  await task((label) => {
    presses += 1
    return ops.press(label)
  })
  expect(presses).toBeLessThanOrEqual(MOST)
  return presses
}

async function startShop() {
  const maker = { make: async () => ({ bytes: 1, places: ['folder' as const] }) }
  const shop = await startBot({
    operatorChats: [OPS.id],
    backups: { maker, everyMs: 24 * 60 * 60_000 },
  })
  const { core, clock, db } = shop
  const ops = shop.phone(OPS)
  ops.send('/chatid')
  await ops.waitFor('This is an operator chat')
  /** What the loop does at once: its sweeps, then its jobs. */
  const work = async () => {
    clock.advance(61_000)
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    const { queue, handlers } = core.jobs
    for (const job of await queue.claim(50, 1000))
      await handle(handlers(outside({ messenger: shop.bot.messenger })), job)
  }
  return { ...shop, ops, work, db }
}

test('the usual tasks of an operator take few presses: those that the documents tell', async () => {
  const shop = await startShop()
  const { ops, core, db, clock, product, agent, work, phone, bugs } = shop
  await product('static')
  await agent({ name: 'reseller' })

  const newProduct = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('🏷 Products')
    await press('➕ New product')
    await ops.waitFor('What is its number?')
    ops.send('number: TIERS\nname: Tiers\nprice: 1: 4.50, 10: 4.00')
    await ops.waitFor('Add this product?')
    await press('✅ Add the product')
    await ops.waitFor('The product is added')
  })

  const stock = await pressesOf(ops, async (press) => {
    const lines = Array.from({ length: 500 }, (_, at) => {
      const ip = `198.51.${100 + Math.floor(at / 250)}.${at % 250}`
      return `static,${ip},8000,u${at},secret,US,,,`
    })
    const heading = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
    ops.sendFile({
      fileName: 'stock.csv',
      mimeType: 'text/csv',
      content: Buffer.from([heading, ...lines].join('\n')),
    })
    await press('✅ Add 500')
    await ops.waitFor('500 proxies added')
  })

  const price = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('🏷 Products')
    await press(/static/)
    await press('💲 Prices')
    await ops.waitFor('Send')
    ops.send('reseller 1: 3')
    await ops.waitFor('New prices')
    await press('✅ Set these prices')
    await ops.waitFor('The prices are set')
  })

  const customer = phone({ id: 800, firstName: 'Ann', languageCode: 'en' })
  customer.send('/login')
  await customer.waitFor('username')
  customer.send(MEMBER.username)
  await customer.waitFor('password')
  customer.send(MEMBER.password)
  await customer.waitFor('Main menu')
  const broadcast = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('📣 Broadcast')
    await press(/^Everybody/)
    await ops.waitFor('Send me a text')
    ops.send('Good news')
    await ops.waitFor('This is what they will see')
    await press('📣 Send to 1 chat')
    await ops.waitFor('Sending')
  })

  await db.write((tx) =>
    tx.job.create({
      data: {
        kind: 'send_activation_mail',
        key: '2',
        failures: 5,
        lastError: 'no answer',
        runAt: clock.now(),
        createdAt: clock.now(),
      },
    }),
  )
  await work()
  await ops.waitFor('A background job keeps failing')
  const again = await pressesOf(ops, async (press) => {
    await press('🔁 Try again')
    await ops.waitFor('It is tried again now')
  })
  const drop = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('⚠️ Failing jobs (1)')
    await press(/Activation mail/)
    await press('🗑 Drop')
    await press('🗑 Drop it for good')
    await ops.waitFor('Dropped')
  })

  const backup = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('⚙️ Set-up')
    await press('💾 Backups')
    await press('💾 Back up now')
    await ops.waitFor('One is being made')
  })

  const person = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('⚙️ Set-up')
    await press('👥 People')
    await press('➕ Add a person')
    await ops.waitFor('name')
    ops.send('Olivia')
    const roles = await ops.waitFor('The first person is an owner, who then adds the others')
    expect(roles.keyboard.flat().map(({ text }) => text)).toEqual(['Owner', 'Cancel'])
    await press('Owner')
    await ops.waitFor('/chatid')
    ops.send(String(OPS.id))
    await ops.waitFor(`Telegram: ${OPS.id}`)
  })

  const buyer = await shop.customer(null, { name: 'buyer', balance: 10 })
  const { orderNo } = await shop.order(buyer)
  await work()
  const [proxy] = (await core.orders.getStatic(buyer, { orderNo })).instances
  const find = await pressesOf(ops, async () => {
    ops.send(proxy?.ip ?? '')
    await ops.waitFor(`${proxy?.ip}:${proxy?.port}`)
  })
  const refund = await pressesOf(ops, async (press) => {
    ops.send(proxy?.ip ?? '')
    await press('↩️ Refund')
    await press('Does not work')
    await press('✅ Refund')
    await ops.waitFor('refunded; the balance is')
  })

  expect({ newProduct, stock, price, broadcast, again, drop, backup, person, find, refund }).toEqual({
    find: 0,
    refund: 3,
    newProduct: 3,
    stock: 1,
    price: 4,
    broadcast: 3,
    again: 1,
    drop: 4,
    backup: 3,
    person: 4,
  })
  expect(await core.operator.people.list()).toMatchObject([{ name: 'Olivia', role: 'owner' }])
  await core.operator.people.remove(SHELL, 'Olivia')
  expect(bugs()).toEqual([])
})

test('a payment that fits no top-up is credited by three presses from its message', async () => {
  const { product, tron, pass } = await startUsdtProduct({ operatorChats: [OPS.id] })
  const [ops, ann] = [product.phone(OPS), await product.memberPhone(ANN)]
  ops.send('/operator')
  await ops.waitFor('Operator')
  await ann.press('💳 Top up')
  await ann.press('20 USDT')
  const asked = askedIn(await ann.read(/Waiting for your payment/))
  await pass(10_000)
  tron.chain.transfer({ units: unitsOf(asked) - 1_000_000n })
  await pass(66_000)
  await ops.waitFor('arrived and matches no top-up')
  const presses = await pressesOf(ops, async (press) => {
    await press('✅ Assign to a top-up')
    await ops.waitFor('Which top-up does it pay?')
    await press(/customer · /)
    await ops.waitFor('Assign the payment?')
    await press(/^✅ Credit/)
    await ops.waitFor('credited to customer')
  })
  expect(presses).toBe(3)
})

test('money that is asked for, and a payout, take one press on their messages, a new agent three', async () => {
  const { core, ops, boss, agent } = await startEarningShop(ANN)
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: -990, remark: 'spent' })
  await boss.waitFor('has taken 990.00 USD')
  boss.send('/buy')
  await boss.press('20')
  await boss.press('🙋 Ask the shop')
  await ops.waitFor('agent asks for money')
  const askedMoney = await pressesOf(ops, async (press) => {
    await press(/^✅ Give /)
    await boss.waitFor('That is enough')
  })

  await core.earnings.requestPayout(agent, { amount: 12, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' })
  await ops.waitFor('agent wants a payout of 12.00 USD')
  const payout = await pressesOf(ops, async (press) => {
    await press('✅ Paid')
    await ops.waitFor('id of the transaction')
    ops.send('ab'.repeat(32))
    await ops.waitFor('agent got 6.00 USDT')
  })
  const newAgent = await pressesOf(ops, async (press) => {
    ops.send('/operator')
    await press('🤝 Agents')
    await press('➕ New agent')
    await ops.waitFor('name')
    ops.send('northwind')
    await press('✅ Create the agent')
    await ops.waitFor('northwind')
  })
  expect({ askedMoney, payout, newAgent }).toEqual({ askedMoney: 1, payout: 1, newAgent: 3 })
  expect(await core.operator.payouts.list({})).toMatchObject({ total: 1 })
})

test('what customers do every day takes few presses: those that the README tells', async () => {
  const { core, memberPhone } = await startProduct()
  const { operator } = core
  await operator.addProduct(SHELL, {
    productNo: 'DYN-1',
    names: { en: 'Dynamic 1', zh: '动态代理 1' },
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.proxy.example:8001',
    price: 1,
  })
  const { token } = await core.accounts.logIn({ ...CUSTOMER, address: 'test' })
  const customer = await core.accounts.authenticate(token)
  await core.orders.createDynamic(customer, { poolId: 'DYN-1', trafficAmount: 1 })
  const ann = await memberPhone(ANN)

  const five = await pressesOf(ann, async (press) => {
    await press('🛒 Buy proxies')
    await press('5')
    await press('✅ Buy for 22.50 USD')
    await ann.waitFor('Your proxies are ready')
  })
  ann.send('/menu')
  const asBefore = await pressesOf(ann, async (press) => {
    await press('🛒 Buy proxies')
    await press('✅ Buy for 22.50 USD')
    await ann.waitFor('Order accepted')
  })

  ann.send('/traffic')
  await ann.press(/^Dynamic 1/)
  await ann.press('🔌 Get proxies')
  await ann.press('📌 Sticky IP')
  await ann.waitForButton('✓ 📌 10 min')
  ann.send('10')
  await ann.press('✅ Get 10 here')
  await ann.waitFor('Your 10 proxies')
  ann.send('/menu')
  const sticky = await pressesOf(ann, async (press) => {
    await press('📶 Traffic')
    await press(/^⚡ 10 · /)
    await ann.waitFor('Your 10 proxies')
  })
  expect({ five, asBefore, sticky }).toEqual({ five: 3, asBefore: 2, sticky: 2 })
})
