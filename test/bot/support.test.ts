import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { buyStatic } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'

const OLGA = { id: 900, firstName: 'Olga', languageCode: 'en' }
const OFFICE = { id: -1002000000000, title: 'Office', forum: true }
const PICTURE = { fileName: 'log.txt', mimeType: 'text/plain', content: Buffer.from('timeout') }

test('a customer asks, the shop answers with a reply or a button, and both see what was written; nothing is doubled', async () => {
  const product = await startProduct({}, { operatorChats: [OLGA.id] })
  const [olga, ben] = [product.phone(OLGA), await product.memberPhone(BEN)]
  olga.send('/operator')
  await olga.waitFor(/./)

  await ben.press('💬 联系客服')
  await ben.press('✍️ 我要提问')
  await ben.waitFor('请用一条消息描述您的问题')
  ben.send('为什么 <连接> 很慢？')
  expect((await ben.waitFor('等待客服回复')).text).toContain('为什么 <连接> 很慢？')
  const asked = await olga.waitFor('customer asks')
  expect(asked.text).toContain('为什么 <连接> 很慢？')

  // A reply, whatever the chat is doing.
  product.telegram.send(OLGA.id, 'Please send a log.', asked.messageId)
  await olga.waitFor('✅ Sent.')
  const answered = await ben.waitFor('客服已回复')
  expect(answered.text).toContain('Please send a log.')
  product.telegram.sendFile(BEN.id, { ...PICTURE, caption: '在这里' })
  await ben.waitFor('📎 文件')
  const file = await olga.waitFor('在这里')
  expect(file.file?.fileName).toBe('log.txt')

  // After a restart the button of the message still works.
  await product.stop()
  await product.start()
  await olga.press('✍️ Answer')
  olga.send('Fixed.')
  await olga.waitFor('🔵 Answered')
  expect((await ben.waitFor('Fixed.')).text).toContain('客服已回复')
  await olga.press('✔️ Close')
  await ben.waitFor('客服已关闭您的工单')
  await ben.press('✍️ 继续留言')
  ben.send('谢谢')
  expect((await ben.waitFor('等待客服回复')).text).toContain('谢谢')
  await olga.waitFor('谢谢')
  olga.send('/tickets')
  await olga.waitFor('waiting for an answer: 1')

  const texts = (chat: number) => product.telegram.messages(chat).map(({ text }) => text)
  expect(texts(OLGA.id).filter((text) => text.includes('很慢') && text.includes('asks'))).toHaveLength(1)
  expect(texts(BEN.id).filter((text) => text.includes('客服已回复'))).toHaveLength(2)
  expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('what is typed on the screen of support is the message', async () => {
  const product = await startProduct({}, { operatorChats: [OLGA.id] })
  const [olga, ann] = [product.phone(OLGA), await product.memberPhone(ANN)]
  olga.send('/operator')
  await olga.waitFor(/./)
  await ann.press('💬 Support')
  await ann.waitFor('Ask us anything')
  ann.send('customer')
  expect((await ann.waitFor('Waiting for support')).text).toContain('customer')
  await olga.waitFor('customer asks')
  ann.send('/support')
  await ann.waitFor('Tickets waiting for an answer: 1')
  ann.send('And another thing')
  await olga.waitFor('And another thing')
})

test('a forum has a topic for each ticket; what is missing for a purchase is attached; too much is refused', async () => {
  const product = await startProduct({}, { operatorChats: [OFFICE.id] })
  const [olga, ann] = [product.phone(OLGA), await product.memberPhone(ANN)]
  olga.send('/start')
  await olga.waitFor(/./)
  product.telegram.addToGroup(OFFICE, OLGA.id)
  for (const label of ['🛒 Buy proxies', '20']) await ann.press(label)
  await ann.waitFor(/short by/)
  await ann.press('💬 Support')
  await ann.waitFor('About: short by 40.00 USD')
  ann.send('How do I pay?')
  await ann.waitFor('Waiting for support')
  for (let message = 1; message <= 19; message += 1) {
    await product.core.support.open(await actor(product), {
      text: `No. ${message}`,
      source: `test ${message}`,
    })
  }
  // The same message is taken once.
  await product.core.support.open(await actor(product), { text: 'No. 19', source: 'test 19' })
  await ann.press('🏠 Menu')
  await ann.press('💬 Support')
  await ann.press('✍️ Ask something')
  ann.send('One more')
  await ann.waitFor('Please wait a minute')

  await product.until(
    `SELECT 1 FROM notices WHERE status = 'sent' AND kind = 'support_question' AND data LIKE '%No. 19"%'`,
  )
  const inOffice = product.telegram.messages(OFFICE.id).filter(({ text }) => text.includes('customer asks'))
  expect(inOffice).toHaveLength(20)
  const made = product.telegram.calls().filter(({ method }) => method === 'createForumTopic')
  expect(made).toHaveLength(2)
  product.telegram.sendInGroup(OFFICE.id, OLGA.id, 'We look at it.', inOffice.at(-1)?.messageId)
  expect((await ann.waitFor('Support has answered')).text).toContain('We look at it.')
})

test('an agent that takes tickets answers its sub-users, and passes one on to the shop', async () => {
  const product = await startProduct({}, { operatorChats: [OLGA.id] })
  const olga = product.phone(OLGA)
  olga.send('/operator')
  await olga.waitFor(/./)
  const [agent, ben] = [await product.memberPhone(ANN, AGENT), await product.memberPhone(BEN)]
  await agent.press('💬 Support')
  await agent.press('🔕 The shop answers them')
  await agent.waitFor('Ask us anything')

  ben.send('/support')
  await ben.press('✍️ 我要提问')
  ben.send('你好')
  await agent.waitFor('customer asks')
  await agent.press('✍️ Answer')
  agent.send('Hello!')
  await agent.waitFor('🔵 Answered')
  expect((await ben.waitFor('客服已回复')).text).toContain('Hello!')
  expect(product.telegram.messages(OLGA.id).some(({ text }) => text.includes('asks'))).toBe(false)
  await agent.press('👤 The sub-user')
  await agent.waitFor('👤 customer')
  agent.send('/support')
  await agent.press(/question · customer/)
  await agent.press('➡️ Pass on to the shop')
  expect((await olga.waitFor('customer asks')).text).toContain('你好')
})

test('an order of traffic is attached to a ticket, and only to that of who may see it', async () => {
  const product = await startProduct({}, { operatorChats: [OLGA.id] })
  const [olga, ann] = [product.phone(OLGA), await product.memberPhone(ANN)]
  olga.send('/start')
  await olga.waitFor(/./)
  const { core } = product
  await core.operator.addProduct(SHELL, {
    productNo: 'DYN',
    names: { en: 'Rotating', zh: '动态' },
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.proxy.example:8001',
    price: 3,
  })
  const order = { poolId: 'DYN', trafficAmount: 5 }
  const { orderNo } = (await core.orders.createDynamic(await actor(product), order)).order
  ann.send('/traffic')
  await ann.press('🧾 Traffic orders')
  await ann.press(/5 GB/)
  await ann.press('💬 Support')
  await ann.waitFor(`About: traffic ${orderNo}`)
  ann.send('It is slow')
  await ann.waitFor('Waiting for support')
  expect((await olga.waitFor('It is slow')).text).toContain(`traffic ${orderNo}`)
  await olga.press('📶 The traffic')
  await olga.waitFor('Traffic: 5 GB')
  await core.operator.createAgent(SHELL, { username: 'rival', password: 'rivals-password' })
  const rival = await actor(product, { username: 'rival', password: 'rivals-password' })
  const topic = { subject: 'traffic', reference: orderNo } as const
  await expect(core.support.open(rival, { text: 'Mine?', source: 'test', topic })).rejects.toMatchObject({
    code: 'invalid_state',
  })
})

test('a ticket on a proxy that is no longer within sight is refused when it is begun', async () => {
  const product = await startProduct({}, { operatorChats: [OLGA.id] })
  const customer = await actor(product)
  await buyStatic(product, AGENT, [1], { userId: customer.id })
  const agent = await product.memberPhone(ANN, AGENT)
  agent.send('192.0.2.1:8000')
  await agent.waitForButton('📦 Open the order')
  await product.core.operator.customers.move(SHELL, {
    username: CUSTOMER.username,
    agent: null,
    reason: 'asked for it',
  })
  expect(await agent.press('💬 Support')).toEqual({ text: 'This proxy does not exist.', showAlert: true })
})

test('SUPPORT_CONTACT is a button instead, and without anybody who reads them no tickets are offered', async () => {
  const product = await startProduct({}, { supportContact: 'https://t.me/shop_support' })
  const ann = await product.memberPhone(ANN)
  const { button } = await ann.waitForButton('💬 Support')
  expect(button).toMatchObject({ kind: 'url', value: 'https://t.me/shop_support' })
  await product.stop()
  await product.start({ supportContact: undefined })
  ann.send('/support')
  await ann.waitFor('write to whoever gave you your account')
})

async function actor({ core }: Awaited<ReturnType<typeof startProduct>>, account = CUSTOMER) {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  return core.accounts.authenticate(token)
}
