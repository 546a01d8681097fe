import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { toNumber } from '../../src/core/money.ts'
import { actorFor, buy, startProductInTime } from '../support/notices.ts'
import { AGENT, ANN, BEN, type Product, startProduct } from '../support/product.ts'
import { startUsdtProduct } from '../support/usdt-product.ts'

const OPERATORS = { id: 900, firstName: 'Olga', languageCode: 'en' }

/** Whose balance does not pay for twenty proxies. */
async function chooseTwenty(phone: Awaited<ReturnType<Product['memberPhone']>>) {
  for (const label of ['🛒 Buy proxies', '20']) await phone.press(label)
  return phone.waitFor(/short by/)
}

test('whoever gets money, or loses it, is told in the chat by whom, why, and what the balance is', async () => {
  const product = await startProduct()
  const [ann, ben] = [await product.memberPhone(ANN, AGENT), await product.memberPhone(BEN)]
  const { adjustBalance } = product.core.operator

  await adjustBalance(SHELL, { username: 'customer', amount: 7.5, remark: 'for <b>patience</b>' })
  const added = await ben.waitFor('商家已为您增加余额 7.50 USD')
  expect(added.text).toContain('for <b>patience</b>')
  expect(added.text).toContain('当前余额：57.50 USD')
  // Its agent hears of what it has not done itself.
  await product.until(
    `SELECT 1 FROM notices WHERE kind = 'balance_adjusted' AND data LIKE '%"about":%"username":%"customer"%'`,
  )

  await adjustBalance(SHELL, { username: 'agent', amount: -10, remark: 'fee' })
  expect((await ann.waitFor('The shop has taken 10.00 USD from your balance')).text).toContain('Remark: fee')

  for (const label of ['🏠 Menu', '👥 Sub-users', /customer/, /Adjust/]) await ann.press(label)
  ann.send('-20')
  await ann.press(/20\.00 USD/)
  const taken = await ben.waitFor('代理商 agent 已扣除您的余额 20.00 USD')
  expect(taken.text).toContain('当前余额：37.50 USD')
  expect(taken.text).not.toContain('备注')

  // Whoever had switched it off in an older version is told, too: nobody can.
  await ben.press('🏠 主菜单')
  await ben.press('⚙️ 设置')
  await ben.press(/通知/)
  expect(ben.buttons().join()).not.toMatch(/余额调整/)

  // A sub-user that is deleted leaves its balance to the agent, who is told; what comes back later, too.
  const orderNo = await buy(product, await actorFor(product))
  await ann.press(/🗑/)
  await ann.waitFor('send me the username: customer')
  ann.send('customer')
  await ann.waitFor(/USD of customer, who was deleted, is back in your balance/)
  const { amount } = await product.core.operator.orders.refund(SHELL, { orderNo, reason: 'does not work' })
  const late = `${toNumber(amount).toFixed(2)} USD of customer, who was deleted, is back in your balance`
  expect((await ann.waitFor(late)).text).toContain('Your balance: 1,047.50 USD')
  expect(await product.core.operator.audit()).toEqual([])
})

test('where nobody can top up, the agent is asked for what is missing, and the purchase goes on by itself', async () => {
  const product = await startProduct()
  const [ann, ben] = [await product.memberPhone(BEN, AGENT), await product.memberPhone(ANN)]
  const short = await chooseTwenty(ben)
  expect(short.text).toContain('Ask your agent for it')
  await ben.press('🙋 Ask my agent')
  await ben.waitFor('Your agent agent has been asked for 40.00 USD')
  const asked = await ann.waitFor('customer 请您充值余额')
  expect(asked.text).toContain('还差 40.00 USD')
  // A second request within a quarter of an hour is the same one.
  await ben.press('‹ Back')
  await ben.press('🙋 Ask my agent')
  await ben.waitFor('has been asked')

  await ann.press('💰 给 customer 充值')
  await ann.press('补足差额 40.00 USD')
  await ann.press(/40\.00 USD/)
  const arrived = await ben.waitFor('Money has arrived')
  expect(arrived.messageId).toBe(short.messageId)
  expect(arrived.text).toContain('That is enough: you can continue.')
  await ben.press('🛒 Continue the purchase')
  await ben.press('✅ Buy for 90.00 USD')
  await ben.waitFor('Your proxies are ready')
  const requests = product.telegram.messages(BEN.id).filter(({ text }) => text.includes('请您充值'))
  expect(requests).toHaveLength(1)
  expect(await product.core.operator.audit()).toEqual([])
})

test('money that does not suffice shows what is still missing; without a chat of the agent its name is told', async () => {
  const product = await startProduct()
  const ben = await product.memberPhone(ANN)
  await chooseTwenty(ben)
  await ben.press('🙋 Ask my agent')
  expect((await ben.waitFor('Please write to your agent')).text).toContain('You need 40.00 USD')
  await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 15, remark: 'a part' })
  expect((await ben.waitFor('Money has arrived')).text).toContain('Still short by 25.00 USD')
  await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 25, remark: 'the rest' })
  await ben.waitFor('That is enough')
  await ben.press('🛒 Continue the purchase')
  await ben.waitFor('Total: 90.00 USD')
  await ben.press('✅ Buy for 90.00 USD')
  await ben.waitFor('Your proxies are ready')
})

test('whoever has no agent asks the shop, which gives it or declines with one press, once', async () => {
  const { product, clock } = await startProductInTime(undefined, { operatorChats: [OPERATORS.id] })
  const { core, telegram } = product
  const [olga, ann] = [product.phone(OPERATORS), await product.memberPhone(ANN, AGENT)]
  olga.send('/operator')
  await olga.waitFor(/./)
  const agent = await actorFor(product, AGENT)
  const balance = async () => toNumber((await core.accounts.balance(agent)).balance)
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: -990, remark: 'spent' })
  await ann.waitFor('has taken 990.00 USD')
  let latest = 0
  const ask = async () => {
    ann.send('/buy')
    await ann.press('20')
    await ann.press('🙋 Ask the shop')
    await ann.waitFor('The shop has been asked for 80.00 USD')
    const asked = await olga.waitFor(
      ({ text, messageId }) => text.includes('agent asks for money') && messageId > latest,
    )
    latest = asked.messageId
    const [give, , decline] = asked.keyboard.flat().map(({ value }) => value)
    const press = (data = '') => telegram.pressStale(OPERATORS.id, asked.messageId, data)
    return { asked, give: () => press(give), decline: () => press(decline) }
  }

  // Disabled meanwhile: nothing is given. Then it is, once, however often it is pressed, and the purchase goes on.
  const first = await ask()
  expect(first.asked.text).toContain('The balance is short by 80.00 USD')
  expect(first.asked.keyboard.flat().map(({ text }) => text)).toEqual([
    '✅ Give 80.00 USD',
    '✏️ Other sum',
    '✖️ Decline',
    '🛠 Operator',
    '✖️ Close',
  ])
  await core.operator.editAgent(SHELL, 'agent', { enabled: false })
  expect((await first.give()).text).toContain('This account is disabled now')
  await core.operator.editAgent(SHELL, 'agent', { enabled: true })
  await Promise.all([first.give(), first.give(), first.give()])
  await olga.waitFor('agent has already got the 80.00 USD')
  const news = await ann.waitFor('The shop has added 80.00 USD to your balance', { evenOld: true })
  expect(news.keyboard.flat().map(({ text }) => text)).toContain('🛒 Continue the purchase')
  expect(await balance()).toBe(90)
  await first.decline()
  await olga.waitFor('agent has already got the 80.00 USD')

  // The same quarter of an hour: what was answered does not stop the next request. Another sum ends it.
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: -80, remark: 'spent' })
  clock.advance(1000)
  const second = await ask()
  await olga.press('✏️ Other sum')
  await olga.waitFor('agent')
  olga.send('5')
  await olga.waitFor('Why?')
  olga.send('as a start')
  await olga.press('✅ Adjust the balance')
  await olga.waitFor('15.00 USD')
  await second.give()
  await olga.waitFor('This request is over')
  expect(await balance()).toBe(15)

  // Declined: it hears so, and may not ask again at once.
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: -5, remark: 'spent' })
  clock.advance(16 * 60_000)
  const third = await ask()
  await third.decline()
  await olga.waitFor('agent is told that it does not get the 80.00 USD')
  await ann.waitFor('The shop will not give you the 80.00 USD you asked for')
  await ann.press('‹ Back')
  await ann.press('🙋 Ask the shop')
  await ann.waitFor('The shop declined it a short while ago')
  await third.give()
  await olga.waitFor('has already been declined')
  expect(await balance()).toBe(10)
  const { items } = await core.operator.trail.list({ subject: 'agent' })
  expect(items.filter(({ via }) => via === 'chat').map(({ action }) => action)).toEqual([
    'balance.decline',
    'balance.adjust',
    'balance.adjust',
  ])
  expect(await core.operator.audit()).toEqual([])
})

test('one press of the agent gives what is asked for, once, or declines it; whatever has changed meanwhile is said', async () => {
  const { product, clock } = await startProductInTime()
  const { core } = product
  const [ann, ben] = [await product.memberPhone(BEN, AGENT), await product.memberPhone(ANN)]
  const agent = await actorFor(product, AGENT)
  const { id } = await actorFor(product)
  const balances = async () => {
    const { balance } = await core.accounts.getSubUser(agent, id)
    return [balance, (await core.accounts.balance(agent)).balance].map(toNumber)
  }
  let latest = 0
  const ask = async () => {
    clock.advance(16 * 60_000)
    ben.send('/buy')
    await ben.press('20')
    await ben.press('🙋 Ask my agent')
    await ben.waitFor('has been asked for 40.00 USD')
    const asked = await ann.waitFor(
      ({ text, messageId }) => text.includes('customer 请您充值余额') && messageId > latest,
    )
    latest = asked.messageId
    return asked
  }
  const { 0: start } = await balances()
  expect(start).toBe(50)

  // Declined: the customer hears it, may not ask again at once, and the other button does nothing any more.
  const first = await ask()
  await ann.press('✖️ 拒绝')
  await ann.waitFor('已告知 customer 不会获得 40.00 USD')
  await ben.waitFor('Your agent agent will not give you the 40.00 USD you asked for')
  await ben.press('‹ Back')
  await ben.press('🙋 Ask my agent')
  await ben.waitFor('declined it a short while ago')
  const give = first.keyboard.flat()[0]
  if (give?.kind !== 'callback') throw new Error('the first button gives')
  const pressAgain = () => product.telegram.pressStale(BEN.id, first.messageId, give.value)
  await pressAgain()
  await ann.waitFor('您已拒绝过 40.00 USD 的请求（customer），本次未做任何操作')
  expect(await balances()).toEqual([50, 1000])

  // Disabled meanwhile, and the agent short of money: nothing moves, and the request stays open.
  const second = await ask()
  await core.accounts.setSubUserStatus(agent, id, { status: 'disabled' })
  const again = second.keyboard.flat()[0]
  if (again?.kind !== 'callback') throw new Error('the first button gives')
  const press = () => product.telegram.pressStale(BEN.id, second.messageId, again.value)
  await press()
  await ann.waitFor('该下级用户已禁用，未充值')
  await core.accounts.setSubUserStatus(agent, id, { status: 'active' })
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: -990, remark: 'spent' })
  await press()
  await ann.waitFor('您自己的余额还差 30.00 USD，未充值')
  await core.operator.adjustBalance(SHELL, { username: 'agent', amount: 990, remark: 'back' })

  // Given once, however often it is pressed; the notice leads on to the purchase.
  await Promise.all([press(), press(), press()])
  await ann.waitFor('已为 customer 充值过 40.00 USD')
  expect(await balances()).toEqual([90, 960])
  const news = await ben.waitFor('Your agent agent has added 40.00 USD to your balance', { evenOld: true })
  expect(news.keyboard.flat().map(({ text }) => text)).toContain('🛒 Continue the purchase')

  // What the agent gives in another way ends the request.
  await core.accounts.adjustSubUserBalance(agent, id, { amount: -40, remark: null })
  const third = await ask()
  await core.accounts.adjustSubUserBalance(agent, id, { amount: 5, remark: null })
  const last = third.keyboard.flat()[0]
  if (last?.kind !== 'callback') throw new Error('the first button gives')
  await product.telegram.pressStale(BEN.id, third.messageId, last.value)
  await ann.waitFor('该请求已失效')
  expect(await balances()).toEqual([55, 995])
  for (const stranger of [
    { ...agent, id: id + 1000 },
    { ...agent, id },
  ])
    for (const answer of [core.accounts.giveAskedMoney, core.accounts.declineAskedMoney])
      await expect(answer(stranger, 3)).rejects.toMatchObject({ code: 'invalid_state' })
  expect(await core.operator.audit()).toEqual([])
})

test('a sub-user hears what its agent pays from its balance, and what it brings back by a release', async () => {
  const { product } = await startProductInTime()
  const { core } = product
  const [ben, agent, customer] = [
    await product.memberPhone(ANN),
    await actorFor(product, AGENT),
    await actorFor(product),
  ]
  const orderNo = await buy(product, agent, 1, customer.id)
  await ben.waitFor('Your proxies are ready')
  await core.orders.renewStatic(agent, { order: { orderNo } })
  const renewed = await ben.waitFor('Your agent agent has taken 4.50 USD from your balance')
  expect(renewed.text).toContain(`Your proxies were renewed: order ${orderNo}`)
  expect(renewed.text).toContain('Your balance: 41.00 USD')
  await core.orders.cancelStatic(agent, { orderNo })
  const released = await ben.waitFor('Your agent agent has added 9.00 USD to your balance')
  expect(released.text).toContain(`Your proxies were released: order ${orderNo}`)

  // Of what it does itself it is not told.
  const own = await buy(product, customer)
  await core.orders.cancelStatic(customer, { orderNo: own })
  await product.until(`SELECT 1 WHERE (SELECT count(*) FROM notices WHERE kind = 'balance_adjusted') = 2`)
})

test('where USDT is taken, too, a sub-user can ask its agent for the missing money', async () => {
  const { product } = await startUsdtProduct()
  const [ann, ben] = [await product.memberPhone(BEN, AGENT), await product.memberPhone(ANN)]
  await chooseTwenty(ben)
  // By one press, beside the way to a top-up, which offers it once more.
  await ben.press('🙋 Ask my agent')
  await ben.waitFor('Your agent agent has been asked for 40.00 USD')
  await ben.press('‹ Back')
  await ben.press('💳 Top up 40.00 USD')
  await ben.waitForButton('🙋 Ask my agent')
  await ann.press('✖️ 拒绝')
  const declined = await ben.waitFor('will not give you the 40.00 USD')
  expect(declined.keyboard.flat().map(({ text }) => text)).toContain('💳 Top up 40.00 USD')
})
