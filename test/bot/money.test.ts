import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN, type Product, startProduct } from '../support/product.ts'

const OPERATORS = { id: 900, firstName: 'Olga', languageCode: 'en' }

/** Whose balance does not pay for twenty proxies. */
async function chooseTwenty(phone: Awaited<ReturnType<Product['memberPhone']>>) {
  for (const label of ['🛒 Buy proxies', /^Residential ISP/, '1 month', '20']) await phone.press(label)
  return phone.waitFor(/short by/)
}

test('whoever gets money, or loses it, is told in the chat by whom, why, and what the balance is; it can be switched off', async () => {
  const product = await startProduct()
  const [ann, ben] = [await product.memberPhone(ANN, AGENT), await product.memberPhone(BEN)]
  const { adjustBalance } = product.core.operator

  await adjustBalance(SHELL, { username: 'customer', amount: 7.5, remark: 'for <b>patience</b>' })
  const added = await ben.waitFor('商家已为您的余额增加 7.50 USD')
  expect(added.text).toContain('for <b>patience</b>')
  expect(added.text).toContain('当前余额：57.50 USD')
  // Its agent hears of what it has not done itself.
  await product.until(
    `SELECT 1 FROM notices WHERE kind = 'balance_adjusted' AND data ->> '$.about.username' = 'customer'`,
  )

  await adjustBalance(SHELL, { username: 'agent', amount: -10, remark: 'fee' })
  expect((await ann.waitFor('The shop has taken 10.00 USD from your balance')).text).toContain('Remark: fee')

  for (const label of ['🏠 Menu', '👥 Sub-users', /customer/, /Adjust/]) await ann.press(label)
  ann.send('-20')
  await ann.press('Skip')
  await ann.press(/20\.00 USD/)
  const taken = await ben.waitFor('代理商已从您的余额扣除 20.00 USD')
  expect(taken.text).toContain('当前余额：37.50 USD')
  expect(taken.text).not.toContain('备注')

  const chat = ben.chatId
  await product.core.chats.setMuted(chat, 'balance_adjusted', true)
  await adjustBalance(SHELL, { username: 'customer', amount: 1, remark: 'in silence' })
  await product.until(`SELECT 1 FROM ledger_entries WHERE remark = 'in silence'`)
  const told = product.telegram.messages(chat).map(({ text }) => text)
  expect(told.filter((text) => text.includes('代理商已')).length).toBe(1)
  expect(told.join()).not.toContain('in silence')
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
  await ann.press('跳过')
  await ann.press(/40\.00 USD/)
  const arrived = await ben.waitFor('Money has arrived')
  expect(arrived.messageId).toBe(short.messageId)
  expect(arrived.text).toContain('It is enough: you can continue.')
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
  await ben.waitFor('It is enough')
  await ben.press('🛒 Continue the purchase')
  await ben.waitFor('Total: 90.00 USD')
  await ben.press('✅ Buy for 90.00 USD')
  await ben.waitFor('Your proxies are ready')
})

test('whoever has no agent asks the shop', async () => {
  const product = await startProduct({}, { operatorChats: [OPERATORS.id] })
  const [olga, ann] = [product.phone(OPERATORS), await product.memberPhone(ANN, AGENT)]
  olga.send('/operator')
  await olga.waitFor(/./)
  await product.core.operator.adjustBalance(SHELL, { username: 'agent', amount: -990, remark: 'spent' })
  await ann.waitFor('has taken 990.00 USD')
  await ann.press('🏠 Menu')
  await chooseTwenty(ann)
  await ann.press('🙋 Ask the shop')
  await ann.waitFor('The shop has been asked for 80.00 USD')
  expect((await olga.waitFor('agent asks for money')).text).toContain('balance agent AMOUNT')
})
