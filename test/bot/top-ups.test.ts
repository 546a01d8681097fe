import { expect, test } from 'vitest'
import { TOP_UP } from '../../src/bot/actions/top-ups.ts'
import { unmarked } from '../../src/bot/kit/mark.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'
import { unitsOf, WALLET } from '../support/top-ups.ts'
import { askedIn, startUsdtProduct } from '../support/usdt-product.ts'

test('a customer tops up: the payment screen has everything to copy, follows the payment by itself, and a notice tells the balance', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  await ann.press('💳 Top up')
  await ann.waitFor(/How much\?.* from 1 to 50,000 USDT/)
  await ann.press('20 USDT')
  const asked = await ann.waitFor(/Waiting for your payment/)
  const amount = askedIn(asked.text)
  expect(amount).toMatch(/^20\.00\d{1,2}$/)
  expect(asked.text).toContain(WALLET)
  expect(asked.text).toContain('TRC20')
  expect(asked.text).toContain('(30 min left)')
  expect((await ann.file(asked)).mimeType).toBe('image/png')
  expect(
    asked.keyboard
      .flat()
      .filter(({ kind }) => kind === 'copy')
      .map(({ value }) => value),
  ).toEqual([amount, WALLET])

  await ann.press('🔄 Check now')
  await ann.waitFor(/Waiting for your payment/, { evenOld: true })
  shop.tron.chain.transfer({ units: unitsOf(amount) })
  await shop.pass(10_000)
  const seen = await ann.waitFor(/Payment seen/)
  expect(seen.messageId).toBe(asked.messageId)
  expect(seen.keyboard.flat().map(({ text }) => text)).not.toContain('Cancel top-up')

  // The number of confirmations moves by itself.
  const confirmed = (text: string) => Number(/(\d+) of 19/.exec(text)?.[1])
  await shop.until("SELECT 1 FROM jobs WHERE kind = 'refresh_screens' AND last_error LIKE '%confirmed'")
  await shop.pass(12_000)
  shop.core.jobs.queue.wake()
  await ann.waitFor(
    ({ messageId, text }) => messageId === asked.messageId && confirmed(text) >= confirmed(seen.text) + 3,
  )

  await shop.pass(60_000)
  const paid = await ann.waitFor(
    (message) => message.messageId === asked.messageId && message.text.includes('Paid'),
  )
  expect(paid.text).toContain(`Received: ${amount} USDT`)
  const notice = await ann.waitFor(
    (message) => message.messageId !== asked.messageId && message.text.includes(amount),
  )
  expect(notice.text).toContain('balance: 70.00 USD')
  await ann.press('🏠 Menu')
  // The tail that made the payment unique is seen in the records only.
  await ann.waitFor('Balance: 70.00 USD')
  ann.send('/balance')
  await ann.waitFor('💰 70.00 USD')
  ann.send('/records')
  expect(await ann.read('Records')).toMatch(/70\.00\d{1,2}\b/)
  expect(await shop.core.operator.audit()).toEqual([])
})

test('a purchase without money: the missing amount is offered, and after the payment one press goes on with it', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  await ann.press('🛒 Buy proxies')
  await ann.press('20')
  await ann.waitFor(/short by/)
  await ann.press(/Top up/)
  await ann.waitFor(/short by 40\.00 USD[^]*first button/)
  // Less would not do.
  expect(ann.buttons()).not.toContain('20 USDT')
  expect(ann.buttons()).toContain('50 USDT')
  // The ways back lose neither the amount nor the purchase.
  await ann.press('‹ Back')
  await ann.waitFor(/Total: 90\.00 USD/)
  await ann.press(/Top up/)
  await ann.press('➕ Top up 40.00 USDT')
  await ann.press('Cancel top-up')
  await ann.press('Yes, cancel top-up')
  await ann.waitFor(/Cancelled/)
  await ann.press('🛒 Continue the purchase')
  await ann.waitFor(/Total: 90\.00 USD/)
  await ann.press(/Top up/)
  await ann.press('➕ Top up 40.00 USDT')
  const asked = await ann.waitFor(/Waiting for your payment/)
  shop.tron.chain.transfer({ units: unitsOf(askedIn(asked.text)) })
  await shop.pass(65_000)
  await ann.waitFor((message) => message.messageId === asked.messageId && message.text.includes('Paid'))
  // The notice below it has the same way on.
  await ann.waitFor((message) => message.messageId !== asked.messageId && message.text.includes('Received'))
  await ann.press('🛒 Continue the purchase')
  await ann.waitFor(/Total: 90\.00 USD/)
  await ann.press(/^✅ Buy for/)
  await ann.waitFor(/Your proxies are ready/)

  // Nothing leads back to what is bought: not the menu, not the top-ups.
  ann.send('/start')
  await ann.waitFor('Balance: 0.00 USD')
  expect(ann.buttons()).not.toContain('🛒 Go on with the purchase')
  for (const top of [/^✅ 40/, /^🚫 40/]) {
    ann.send('/topup')
    await ann.press('🧾 My top-ups')
    await ann.press(top)
    await ann.waitFor(/Paid|Cancelled/)
    expect(ann.buttons()).not.toContain('🛒 Continue the purchase')
  }
  expect(await shop.core.operator.audit()).toEqual([])
})

test('a purchase that lacked money and is bought with a smaller amount waits no longer', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  await ann.press('🛒 Buy proxies')
  await ann.press('20')
  await ann.waitFor(/short by/)
  ann.send('/start')
  await ann.press('🛒 Go on with the purchase')
  await ann.waitFor(/short by/)
  await ann.press('5')
  await ann.press(/^✅ Buy for/)
  await ann.waitFor(/Your proxies are ready/)
  ann.send('/start')
  await ann.waitFor('Balance: 27.50 USD')
  expect(ann.buttons()).not.toContain('🛒 Go on with the purchase')
})

test('an agent that is short itself, for a sub-user that is short, tops up and goes on with the purchase', async () => {
  const shop = await startUsdtProduct()
  const [agent, customer] = [await shop.memberPhone(ANN, AGENT), await actorFor(shop.product)]
  await shop.core.operator.adjustBalance(SHELL, { username: 'agent', amount: -990, remark: 'spent' })
  await agent.waitFor('The shop has taken 990.00 USD')
  await agent.press('✖️ Close')
  await shop.telegram.pressStale(ANN.id, agent.screen().message.messageId, `bf:${customer.id}`)
  for (const label of ['20', '💰 Top up customer']) await agent.press(label)
  await agent.waitFor('Your balance: 10.00 USD')
  expect(agent.buttons()).toEqual(['💳 Top up 30.00 USD', 'Cancel'])
  await agent.press('💳 Top up 30.00 USD')
  await agent.press('➕ Top up 30.00 USDT')
  const asked = await agent.waitFor(/Waiting for your payment/)
  shop.tron.chain.transfer({ units: unitsOf(askedIn(asked.text)) })
  await shop.pass(65_000)
  await agent.waitFor((message) => message.messageId !== asked.messageId && message.text.includes('Received'))
  await agent.press('🛒 Continue the purchase')
  await agent.press('💰 Top up customer')
  for (const label of ['The missing 40.00 USD', '✅ Add 40.00 USD']) await agent.press(label)
  await agent.press('🛒 Continue the purchase')
  await agent.press('✅ Buy for 90.00 USD')
  await agent.waitFor('Order accepted')
})

test('a top-up for a renewal that is to come goes on with no purchase of before', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  await ann.press('🛒 Buy proxies')
  await ann.press('20')
  await ann.waitFor(/short by/)
  await shop.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 40, remark: 'paid in cash' })
  await ann.press('🛒 Continue the purchase')
  await ann.press('🔁 Auto-renew')
  await ann.waitFor('Auto-renew: on')
  await ann.press(/Buy for/)
  await ann.waitFor('Your proxies are ready')
  await shop.pass(28 * 24 * 60 * 60_000)
  await ann.waitFor(/expire in 3 days/)
  await ann.press(/Top up/)
  await ann.waitFor(/You are short by/)
  expect(ann.buttons()).not.toContain('‹ Back')
  await ann.press(/^➕/)
  const asked = await ann.waitFor(/Waiting for your payment/)
  shop.tron.chain.transfer({ units: unitsOf(askedIn(asked.text)) })
  await shop.pass(65_000)
  await ann.waitFor((message) => message.messageId !== asked.messageId && message.text.includes('Received'))
  expect(ann.buttons()).not.toContain('🛒 Continue the purchase')
})

test('amounts are typed strictly, top-ups are cancelled after a question, expire by themselves, and are found again in the list', async () => {
  const shop = await startUsdtProduct()
  const ben = await shop.memberPhone(BEN)
  ben.send('/topup')
  await ben.waitFor(/USDT 充值/)
  const amounts = ben.screen().message.messageId
  for (const wrong of ['abc', '10.001', '1e3', '10,5,0', '-5', '0', '1,00,0']) {
    ben.send(wrong)
    expect((await ben.waitFor(/⚠️/)).messageId).toBe(amounts)
  }
  // Nothing that is typed destroys the screen.
  expect(ben.buttons()).toContain('10 USDT')
  // As a Chinese keyboard writes it.
  ben.send('９９．５')
  const asked = await ben.waitFor(/等待付款/)
  expect(askedIn(asked.text)).toMatch(/^99\.50\d{1,2}$/)
  await ben.press('取消充值')
  await ben.waitFor(/确定取消/)
  await ben.press('不取消')
  await ben.waitFor(/等待付款/)
  await ben.press('取消充值')
  await ben.press('确定取消')
  const cancelled = await ben.waitFor(/已取消/)
  expect(cancelled.text).not.toContain(WALLET)

  await ben.press('➕ 新建充值单')
  await ben.press('10 USDT')
  const open = await ben.waitFor(/等待付款/)
  await shop.pass(31 * 60_000)
  await ben.waitFor((message) => message.messageId === open.messageId && message.text.includes('已过期'))
  await ben.waitFor(/充值单已过期[^]*到账后仍会自动入账/)
  await ben.press('‹ 返回')
  const list = await ben.waitFor(/充值记录/)
  expect(
    list.keyboard
      .flat()
      .map(({ text }) => text.split(' ')[0])
      .slice(0, 2),
  ).toEqual(['⌛', '🚫'])

  // The exact amount, an hour late.
  shop.tron.chain.transfer({ units: unitsOf(askedIn(open.text)) })
  await shop.pass(65_000)
  await ben.waitFor(/逾期付款已到账[^]*余额：60\.00 USD/)
  expect(await shop.core.operator.audit()).toEqual([])
})

test('one customer cannot see, check or cancel the top-up of another, whatever the button says', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  ann.send('/topup')
  await ann.press('20 USDT')
  const { keyboard } = await ann.waitFor(/Waiting for your payment/)
  const buttons = keyboard.flat().filter(({ kind }) => kind === 'callback')
  const stranger = { username: 'rival', password: 'rival-password' }
  await shop.core.operator.createAgent(SHELL, { ...stranger, balance: 0 })
  const rival = await shop.memberPhone(BEN, stranger)
  expect(buttons.length).toBeGreaterThan(2)
  for (const { value } of buttons.filter(({ value }) => value.startsWith('tp'))) {
    const { messageId } = rival.screen().message
    await shop.telegram.pressStale(BEN.id, messageId, unmarked(value).data)
    expect(rival.screen().text).not.toContain(WALLET)
  }
})

test('payments of another customer can neither be claimed by a forged button nor tell anything when their transactions are pasted', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  ann.send('/topup')
  await ann.press('10 USDT')
  const asked = askedIn(await ann.read(/Waiting for your payment/))
  const [open] = (await shop.core.topUps.list(await actorFor(shop))).items
  const hers = open?.orderNo ?? 'none'
  const stranger = { username: 'rival', password: 'rival-password' }
  await shop.core.operator.createAgent(SHELL, { ...stranger, balance: 0 })
  const rival = await shop.memberPhone(BEN, stranger)
  const thief = await actorFor(shop, stranger)
  const { topUp } = await shop.core.topUps.create(thief, { amount: 10 })
  await shop.pass(10_000)
  // The first one pays her top-up; the second one is exactly what it asked for, so nobody else is offered it.
  const units = unitsOf(asked)
  const matched = shop.tron.chain.transfer({ units })
  const twice = shop.tron.chain.transfer({ units })
  await shop.pass(66_000)
  await ann.waitFor(/Your top-up has arrived/)
  const transfers = (await shop.until('SELECT json_group_array(id) AS ids FROM usdt_transfers')) as {
    ids: string
  }
  const ids = JSON.parse(transfers.ids) as number[]
  expect(ids).toHaveLength(2)

  const { messageId } = rival.screen().message
  for (const transfer of [...ids, 99])
    for (const number of [topUp.orderNo, hers])
      await shop.telegram.pressStale(BEN.id, messageId, TOP_UP.claim.data({ orderNo: number, transfer }))
  expect(await shop.core.accounts.balance(thief)).toMatchObject({ balance: 0 })
  expect((await shop.core.operator.payments.list()).map(({ txid, claims }) => ({ txid, claims }))).toEqual([
    { txid: twice, claims: [] },
  ])

  rival.send(matched)
  await rival.waitFor(/已处理/)
  rival.send(twice)
  await rival.waitFor(/已到账/)
  const seen = JSON.stringify(shop.telegram.messages(BEN.id).filter(({ from }) => from === 'bot'))
  for (const secret of [hers, 'customer', shop.tron.chain.payer, asked]) expect(seen).not.toContain(secret)
  expect(await shop.core.operator.audit()).toEqual([])
})

test('the screen follows a payment that a fork leaves out, and what somebody does to the top-up elsewhere', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  ann.send('/topup')
  await ann.press('20 USDT')
  const { messageId, text } = await ann.waitFor(/Waiting for your payment/)
  const shown = (words: string) =>
    ann.waitFor((message) => message.messageId === messageId && message.text.includes(words))
  const payment = shop.tron.chain.transfer({ units: unitsOf(askedIn(text)) })
  await shop.pass(10_000)
  // Its QR code is gone: nobody is to pay twice.
  const { content } = await ann.file(await shown('Payment seen'))
  expect([content.readUInt32BE(16), content.readUInt32BE(20)]).toEqual([640, 200])
  shop.tron.chain.drop(payment)
  await shop.pass(11 * 60_000)
  await shown('Waiting for your payment')

  const customer = await actorFor(shop.product)
  const { items } = await shop.core.topUps.list(customer)
  await shop.core.topUps.cancel(customer, items[0]?.orderNo ?? '')
  await shown('Cancelled')
})

test('the list of top-ups is where it was left when one of them was looked at', async () => {
  const shop = await startUsdtProduct()
  const actor = await actorFor(shop.product)
  for (let count = 1; count <= 7; count += 1) {
    const { topUp } = await shop.core.topUps.create(actor, { amount: '10' })
    await shop.core.topUps.cancel(actor, topUp.orderNo)
  }
  const ann = await shop.memberPhone(ANN)
  ann.send('/topup')
  await ann.press('🧾 My top-ups')
  await ann.press('›')
  await ann.waitForButton('2 / 2')
  await ann.press(/🚫/)
  await ann.waitFor('Cancelled')
  await ann.press('‹ Back')
  await ann.waitForButton('2 / 2')
  await ann.press('‹ Back')
  await ann.press('🧾 My top-ups')
  await ann.waitForButton('1 / 2')

  // Whoever types where buttons are is understood as well.
  ann.send('/topup')
  await ann.waitFor('How much?')
  ann.send('25u')
  await ann.waitFor(/Send exactly 25\.00\d{1,2} USDT/)
  ann.send('/topup')
  await ann.waitFor('How much?')
  ann.send('1,000 USDT')
  await ann.waitFor(/Send exactly 1000\.00\d{1,2} USDT/)
})

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }

test('whoever pays without the tail is asked whether the payment is theirs; one press claims it, and the operator credits it from its card', async () => {
  const shop = await startUsdtProduct({ operatorChats: [OPS.id] })
  const [ops, ann] = [shop.phone(OPS), await shop.memberPhone(ANN)]
  ops.send('/payments')
  await ops.waitFor(/There are none/)
  ann.send('/topup')
  await ann.press('10 USDT')
  const asked = askedIn(await ann.read(/Waiting for your payment/))
  await shop.pass(10_000)
  const txid = shop.tron.chain.transfer({ units: 10_000_000n })
  await shop.pass(66_000)
  // The screen asks by itself.
  const offered = await ann.waitFor(`10.00 USDT arrived, ${asked} was expected`)
  expect(offered.text).toContain('Is it yours?')
  expect(offered.text).toContain(`From ${shop.tron.chain.payer}`)
  await ann.press('🔄 Check now')
  await ann.press('✅ 10.00 USDT is mine')
  await ann.waitFor(`You say that these 10.00 USDT are yours; ${asked} was expected`)
  expect(ann.buttons()).not.toContain('✅ 10.00 USDT is mine')

  const told = await ops.waitFor(/Claimed as the payment for:\n⏳ U\w+: customer/)
  expect(told.text).not.toContain('Possibly meant for')
  await ops.press('✅ Assign to a top-up')
  await ops.press(`⏳ customer · ${asked} USDT`)
  await ops.press('✅ Credit 10.00 USD')
  await ann.waitFor(/Your top-up has arrived/)

  // The transaction finds it, also in the address of an explorer.
  for (const text of [txid, `https://tronscan.org/#/transaction/${txid}`]) {
    ann.send(text)
    await ann.waitFor(/Received: 10\.00 USDT/)
    await ann.press('🏠 Menu')
  }
  expect(await shop.core.operator.audit()).toEqual([])
})

test('a transaction that is pasted is looked up on the chain: what it is not, and what is not ready yet, is said', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  ann.send('/topup')
  await ann.press('10 USDT')
  await ann.waitFor(/Waiting for your payment/)
  await shop.pass(10_000)
  const elsewhere = shop.tron.chain.transfer({ units: 1_000_000n, to: 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U' })
  const mine = shop.tron.chain.transfer({ units: 9_000_000n })
  ann.send(mine)
  await ann.waitFor(/This payment is on its way/)
  await shop.pass(66_000)
  ann.send(mine.toUpperCase())
  await ann.waitFor(/9\.00 USDT arrived/)
  await ann.press('✅ 9.00 USDT is mine')
  await ann.waitFor(/The shop checks it/)
  ann.send(elsewhere)
  await ann.waitFor(/went to another address/)
  ann.send('c'.repeat(64))
  await ann.waitFor(/does not know this transaction/)
})
