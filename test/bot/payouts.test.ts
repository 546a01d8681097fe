import { expect, test } from 'vitest'
import { OPS, startEarningShop } from '../support/earning-shop.ts'
import { createPhone } from '../support/phone.ts'
import { ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'
import { pressOften } from '../support/shop.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TXID = 'ab'.repeat(32)

test('an agent asks for its earnings in USDT; the operator pays, and both are told', async () => {
  const shop = await startEarningShop(ANN)
  const { core, ops, boss: ann, agent } = shop
  ann.send('/menu')
  await ann.press('💵 Earnings')
  expect((await ann.waitFor('Earnings')).text).toContain('Available: 36.00 USD\nThis month: 36.00 USD')
  await ann.press('💸 Payout')
  await ann.waitFor('Send me your TRON address')
  for (const wrong of ['T123', ADDRESS.toLowerCase(), 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9']) {
    ann.send(wrong)
    await ann.waitFor('This is not a TRON address')
  }
  ann.send(ADDRESS)
  await ann.waitFor('How much?')
  for (const [wrong, problem] of [
    ['ten', 'This is not an amount'],
    ['9.99', 'A payout is 10.00 USD or more'],
    ['36.000001', 'That is 0.000001 USD more than can be paid out'],
  ] as const) {
    ann.send(wrong)
    await ann.waitFor(problem)
  }
  ann.send('12')
  expect((await ann.waitFor('Ask for this payout?')).text).toContain(
    `12.00 USD → 6.00 USDT (TRC20)\nTo: ${ADDRESS}`,
  )
  await pressOften(shop, ann, '✅ Ask for 6.00 USDT')
  await ann.waitFor('⏳ Requested')
  expect(await core.earnings.listPayouts(agent)).toMatchObject({ total: 1 })

  const wanted = await ops.waitFor('agent wants a payout of 12.00 USD')
  expect(wanted.text).toContain(`Send 6.00 USDT (TRC20) to\n${ADDRESS}`)
  expect(wanted.text).toContain(
    'Where the money came from (agent and sub-users)\nTopped up: 0.00 USD\nCredited by you as paid: 50.00 USD',
  )
  expect(wanted.keyboard[0]).toMatchObject([
    { kind: 'copy', value: '6.00' },
    { kind: 'copy', value: ADDRESS },
  ])
  await ops.press('✅ Paid')
  await ops.waitFor('id of the transaction')
  ops.send('abc')
  await ops.waitFor('This is not a transaction id')
  ops.send(TXID)
  await ops.waitFor('agent got 6.00 USDT')
  const paid = (await ann.waitFor('Your payout of 12.00 USD was sent', { evenOld: true })).text
  expect(paid).toContain(`6.00 USDT to ${ADDRESS}\nTransaction: ${TXID}`)
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ available: 24_000_000 })

  // Home, earnings, payout, the last address, all, and one to confirm: five presses from the menu.
  ann.send('/menu')
  const presses = [
    ['💵 Earnings', 'Available: 24.00 USD'],
    ['💸 Payout', 'your last payout'],
    ['TJRabPrwbZy45s…nPJC18kjpRTv8', 'How much?'],
    ['All: 24.00 USD', 'Ask for this payout?'],
    ['✅ Ask for 12.00 USDT', '⏳ Requested'],
  ] as const
  for (const [button, next] of presses) {
    await ann.press(button)
    await ann.waitFor(next)
  }
  // The operator's way: the menu, the list, the payout, and the button.
  ops.send('/operator')
  await ops.press('🏦 Payouts (1)')
  await ops.press('agent · 12.00 USDT')
  await ops.press('✅ Paid')
  ops.send(TXID)
  await ops.waitFor('Another payout was already paid with this transaction')
  await ops.press('Cancel')
  await ops.waitFor('agent wants a payout of 24.00 USD')
  await ops.press('✖️ Refuse')
  await ops.waitFor('the agent will see it')
  ops.send('Wait for Monday')
  await ops.waitFor('Refused. agent is told')
  expect((await ann.waitFor('was refused', { evenOld: true })).text).toContain('Reason: Wait for Monday')
  await ann.press('🧾 Open the payout')
  await ann.waitFor('⚠️ Refused')
  expect(await core.operator.audit()).toEqual([])
})

test('in a group a payout is settled by a reply to the question; what others talk about is no answer', async () => {
  const office = { id: -1004, title: 'Office' }
  const { core, boss: ann, agent, telegram } = await startEarningShop(ANN, [office.id])
  telegram.addToGroup(office, OPS.id)
  const { payout } = await core.earnings.requestPayout(agent, { amount: 12, address: ADDRESS })
  const group = createPhone(telegram, { ...OPS, id: office.id })
  await group.waitFor('agent wants a payout of 12.00 USD')
  await group.press('✅ Paid')
  const { messageId } = await group.waitFor('as a reply to this message')
  telegram.sendInGroup(office.id, OPS.id, 'ff'.repeat(32))
  telegram.sendInGroup(office.id, OPS.id, TXID, messageId)
  await group.waitFor('agent got 6.00 USDT')
  expect((await ann.waitFor('Your payout of 12.00 USD was sent')).text).toContain(TXID)
  expect(await core.operator.payouts.find(payout.payoutNo)).toMatchObject({ status: 'paid', txid: TXID })
})

test('an agent takes a request back, and moves earnings to its balance; in Chinese', async () => {
  const { core, ops, boss: ann, agent, telegram } = await startEarningShop(BEN)
  ann.send('/earnings')
  await ann.waitFor('可用：36.00 USD')
  await ann.press('💸 提现')
  ann.send(ADDRESS)
  await ann.waitFor('提现多少')
  await ann.press('全部：36.00 USD')
  await ann.waitFor('确认申请提现')
  await ann.press('✅ 提现 18.00 USDT')
  await ann.waitFor('⏳ 待打款')
  const wanted = await ops.waitFor('agent wants a payout')
  await ann.press('✖️ 取消提现申请')
  await ann.waitFor('确定取消此申请')
  await ann.press('✖️ 取消提现申请')
  await ann.waitFor('✖️ 已取消')
  await telegram.press(OPS.id, wanted.messageId, wanted.keyboard[1]?.[0]?.value ?? '')
  await ops.waitFor('There are none')
  await ann.press('‹ 返回')
  await ann.press(/^✖️ 36\.00 USD/)
  await ann.waitFor('✖️ 已取消')

  const { balance } = await core.accounts.balance(agent)
  ann.send('/earnings')
  await ann.press('💰 转入余额')
  ann.send('40')
  await ann.waitFor('还差 4.00 USD')
  ann.send('6,5')
  await ann.waitFor('确认转入 6.50 USD')
  expect((await core.accounts.balance(agent)).balance).toBe(balance)
  await ann.press('✅ 6.50 USD')
  await ann.waitFor('已转入 6.50 USD')
  await ann.press('💰 转入余额')
  await ann.press('全部：29.50 USD')
  await ann.waitFor('可用：0.00 USD')
  expect(ann.buttons()).not.toContain('💰 转入余额')
  expect((await core.accounts.balance(agent)).balance).toBe(balance + 36_000_000)
  expect(await core.operator.audit()).toEqual([])
})

test('a sub-user sees nothing of earnings', async () => {
  const { memberPhone, telegram } = await startProduct()
  const ann = await memberPhone(ANN, CUSTOMER)
  expect(ann.buttons()).not.toContain('💵 Earnings')
  ann.send('/earnings')
  await ann.waitFor('I do not know this command')
  for (const data of [
    'earn',
    'earnm',
    'earnp',
    'epo',
    'epr',
    'epr:1:2',
    'eprs',
    'eprx',
    'epru',
    'erp',
    'ercsv',
  ]) {
    const { message } = ann.screen()
    expect(await telegram.pressStale(ANN.id, message.messageId, data)).toMatchObject({ showAlert: true })
    expect(ann.screen().text).toContain('Main menu')
  }
})
