import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { startBot } from '../support/bot.ts'
import { outside } from '../support/service.ts'
import { handle } from '../../src/core/job-handlers.ts'

const OLGA = { id: 700, firstName: 'Olga', languageCode: 'en' }
const SUE = { id: 701, firstName: 'Sue', languageCode: 'zh' }
const FRED = { id: 702, firstName: 'Fred', languageCode: 'en' }
const OFFICE = -1002

/** A shop of three persons, whose loop works when the test says so. */
async function startShop(operatorChats: readonly number[] = [OFFICE, OLGA.id]) {
  const shop = await startBot({ operatorChats })
  const { people } = shop.core.operator
  await people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: OLGA.id })
  await people.add(SHELL, { name: 'Sue', role: 'support', telegramId: SUE.id })
  await people.add(SHELL, { name: 'Fred', role: 'finance', telegramId: FRED.id })
  const work = async (messenger = shop.bot.messenger) => {
    shop.clock.advance(61_000)
    const { queue, handlers, noticeSweeps } = shop.core.jobs
    for (const sweep of noticeSweeps) await sweep()
    for (const job of await queue.claim(50, 1000)) await handle(handlers(outside({ messenger })), job)
  }
  const told = async (kind: string) => {
    const rows = await shop.db.read.notice.findMany({ where: { kind } })
    return rows.map(({ chatId }) => Number(chatId)).toSorted((a, b) => a - b)
  }
  return { ...shop, work, told, olga: shop.phone(OLGA), sue: shop.phone(SUE), fred: shop.phone(FRED) }
}

test('people in the chat: named, given a role and a Telegram user, renamed, removed; an owner stays', async () => {
  const { olga, core, phone, bugs } = await startShop([])
  olga.send('/operator')
  await olga.press('⚙️ Set-up')
  await olga.press('👥 People')
  await olga.waitFor('People who run the shop: 3')
  await olga.press('➕ Add a person')
  await olga.waitFor('What is the person’s name?')
  olga.send('sue')
  await olga.waitFor('Another person has this name')
  olga.send('Max <M>')
  await olga.waitFor(/What may Max <M> do\?[^]*Support: Tickets, replacements, tests, log-outs/)
  await olga.press('Manager')
  await olga.waitFor('/chatid')
  olga.send('not a number')
  await olga.waitFor('Please send the number')
  olga.send(String(SUE.id))
  await olga.waitFor('belongs to another person')
  olga.send('703')
  await olga.waitFor(/Max <M> · Manager[^]*Telegram: 703/)
  const max = phone({ id: 703, firstName: 'Max', languageCode: 'en' })
  max.send('/operator')
  await max.press('⚙️ Set-up')
  await max.press('👥 People')
  await max.waitFor('People who run the shop: 4')
  expect(max.buttons()).not.toContain('➕ Add a person')

  await olga.press('🎭 Role')
  await olga.press('Finance')
  await olga.waitFor('Max <M> · Finance')
  await olga.press('✏️ Name')
  await olga.waitFor('What is the person’s name?')
  olga.send('Maxi')
  await olga.waitFor('Maxi · Finance')
  await olga.press('✈️ Telegram')
  await olga.press('No Telegram user')
  await olga.waitFor('No Telegram user: works at the command line only')
  await olga.press('🗑 Remove')
  await olga.waitFor('Remove Maxi?')
  expect((await olga.press('🗑 Remove for good')).text).toBe('Maxi is removed.')
  await olga.waitFor('People who run the shop: 3')
  await olga.press('Owner · Olga')
  await olga.press('🎭 Role')
  expect((await olga.press('Support')).text).toBe('At least one person must be an owner.')
  await olga.press('🗑 Remove')
  expect((await olga.press('🗑 Remove for good')).text).toContain('must be an owner')
  expect((await core.operator.people.list()).map(({ name }) => name)).toEqual(['Olga', 'Sue', 'Fred'])
  expect(bugs()).toEqual([])
})

test('an owner makes a link with a role: whoever opens it first is in, the owners hear it, and it works once', async () => {
  const shop = await startShop([OFFICE])
  const { core, phone, clock, work, told, bugs } = shop
  const { olga } = shop
  const makeLink = async (name: string, role: string) => {
    olga.send('/operator')
    await olga.press('⚙️ Set-up')
    await olga.press('👥 People')
    await olga.press('➕ Add a person')
    await olga.waitFor('What is the person’s name?')
    olga.send(name)
    await olga.press(role)
    await olga.waitFor(`How does ${name} join?`)
    await olga.press('🔗 Make a link')
    const [, start] =
      /shop_bot\?start=(staff_[\w-]{43})/.exec(
        await olga.read('Send it to this person and to nobody else'),
      ) ?? []
    return `/start ${start}`
  }
  const link = await makeLink('Max', 'Manager')
  expect(JSON.stringify(await shop.db.read.personInvite.findMany())).not.toContain(link.slice(13))

  // Somebody who works here already does not use it up.
  shop.fred.send(link)
  await shop.fred.waitFor('You run this shop already, as Fred.')
  const max = phone({ id: 703, firstName: 'Max', languageCode: 'en' })
  max.send('/start staff_of_somebody_else')
  await max.waitFor('This link was used, was revoked, or has expired.')
  max.send(link)
  await max.waitFor('You run this shop now, as Max: Manager.')
  await max.press('🛠 Operator')
  await max.waitForButton('⚙️ Set-up')
  expect(await core.operator.people.list()).toContainEqual(
    expect.objectContaining({ name: 'Max', role: 'manager', telegramId: 703 }),
  )
  expect(await core.people.operatorIn({ chatId: 703, telegramId: 703 })).toMatchObject({
    person: { name: 'Max', role: 'manager' },
  })
  const thief = phone({ id: 704, firstName: 'Thief', languageCode: 'en' })
  thief.send(link)
  await thief.waitFor('This link was used')

  expect(await told('person_joined')).toEqual([OFFICE, OLGA.id])
  await work()
  await olga.waitFor(/Max runs the shop now · Manager[^]*703/)
  const { items } = await core.operator.trail.list({ subject: 'Max' })
  expect(items).toMatchObject([
    { action: 'person.join', person: 'Max', via: 'chat', chatId: 703, telegramId: 703 },
    { action: 'person.invite', person: 'Olga', details: { role: 'manager' } },
  ])

  // One that is revoked, and one that is too old.
  const revoked = await makeLink('Rita', 'Finance')
  await olga.press('‹ Back')
  await olga.press('🔗 Finance · Rita')
  expect((await olga.press('🗑 Revoke the link')).text).toBe('The link for Rita is revoked.')
  const old = await makeLink('Otto', 'Support')
  clock.advance(73 * 60 * 60_000)
  const late = phone({ id: 705, firstName: 'Late', languageCode: 'en' })
  for (const dead of [revoked, old]) {
    late.send(dead)
    await late.waitFor('This link was used, was revoked')
  }
  expect(await core.operator.people.invites()).toEqual([])
  await olga.press('‹ Back')
  await olga.waitForButton('Manager · Max')
  expect(olga.buttons().filter((text) => text.startsWith('🔗'))).toEqual([])
  expect((await core.operator.people.list()).map(({ name }) => name)).toEqual(['Olga', 'Sue', 'Fred', 'Max'])
  expect(bugs()).toEqual([])
})

test('the trail: newest first, by person, kind and subject, in pages and as a file', async () => {
  const { olga, core, bugs } = await startShop()
  await core.operator.createAgent(SHELL, { username: 'seller', password: 'hush-hush-hush' })
  for (let at = 1; at <= 8; at += 1)
    await core.operator.adjustBalance(SHELL, { username: 'seller', amount: at, remark: 'gift' })
  olga.send('/operator')
  await olga.press('⚙️ Set-up')
  await olga.press('📜 Trail')
  const newest = await olga.read(/What was done, newest first/)
  expect(newest).toMatch(/• .* UTC · command line · Balance: adjusted · seller\n +amount: 8, remark: gift/)
  expect(newest).not.toContain('Agent: created')
  await olga.press('Older ›')
  const older = await olga.read('Agent: created')
  expect(older).toContain('Person: added · Fred')
  expect(older).not.toContain('hush-hush')
  await olga.press('« Newest')
  await olga.waitFor('amount: 8')
  await olga.press('🗂 By kind')
  await olga.press('Agent')
  expect(await olga.read('Only: Agent')).not.toContain('Balance')
  await olga.press('🔎 By customer, order …')
  await olga.waitFor('Send me a username')
  olga.send('Seller')
  await olga.waitFor(/Only: Agent · Seller[^]*Agent: created · seller/)
  await olga.press('👤 By person')
  await olga.press('Fred')
  await olga.waitFor(/Only: Fred · Agent · Seller[^]*Nothing was found/)
  await olga.press('Everything')
  await olga.waitFor('amount: 8')
  await olga.press('📄 As a file')
  const file = await olga.file(await olga.waitFor('13 actions'))
  const lines = file.content.toString()
  expect(lines).toContain('\uFEFFtime,person,from,chat,Telegram ID,action,about,user,details\r\n')
  expect(lines).not.toMatch(/[{}]/)
  // The names of fields and the words of the program are in the language of the chat; what people wrote stays.
  await core.operator.editAgent(SHELL, 'seller', { level: 2, enabled: true })
  olga.send('/language')
  await olga.press(/中文/)
  olga.send('/operator')
  await olga.press('⚙️ 设置')
  await olga.press('📜 操作记录')
  const chinese = await olga.read(/操作记录.*最新的在前/)
  expect(chinese).toContain('等级：2，启用：是')
  expect(chinese).toContain('金额：8，备注：gift')
  await olga.press('📄 导出文件')
  const inChinese = (await olga.file(await olga.waitFor('14'))).content.toString()
  expect(inChinese).toContain('\uFEFF时间,人员,途径,聊天 ID,Telegram ID,操作,对象,用户,详情\r\n')
  expect(inChinese).toContain(',代理商：修改,seller,,等级：2，启用：是\r\n')
  expect(bugs()).toEqual([])
})

test('persons are told in their own chats of what their role can do something about, once, unless they switch it off', async () => {
  const shop = await startShop()
  const { core, work, told, olga, sue, fred, bugs } = shop
  for (const phone of [olga, sue, fred]) phone.send('/operator')
  await sue.waitFor('运营')
  await fred.waitFor('Operator')
  const buyer = await shop.customer(null, { name: 'newcomer' })
  await core.accounts.askForMoney(buyer, 5_000_000)
  await core.support.open(buyer, { text: 'Help!', source: 'test 1' })
  // Olga's chat is in OPERATOR_CHAT_IDS, too.
  expect(await told('money_wanted')).toEqual([OFFICE, OLGA.id, FRED.id])
  expect(await told('support_question')).toEqual([OFFICE, OLGA.id, SUE.id])
  await work()
  await fred.waitFor('newcomer asks for money')
  await sue.waitFor(/Help!/)

  await fred.press('⚙️ Set-up')
  await fred.press('🔔 Notices')
  const { keyboard } = await fred.waitFor('What this chat is told about the shop')
  expect(keyboard.flat().map(({ text }) => text)).toEqual([
    '🔔 Payments',
    '🔔 Money',
    '🔔 Daily',
    '🛒 Sales',
    '🛠 Operator',
  ])
  await fred.press('🔔 Money')
  await fred.waitFor((message) => JSON.stringify(message.keyboard).includes('🔕 Money'))
  // Who was removed, or got another role, is told no more, not even what waits.
  const second = await shop.customer(null, { name: 'second' })
  await core.support.open(second, { text: 'Me, too!', source: 'test 2' })
  await core.operator.people.edit(SHELL, 'Sue', { role: 'finance' })
  await core.accounts.askForMoney(second, 1_000_000)
  await work()
  await olga.waitFor('second asks for money')
  await sue.waitFor('second')
  expect(JSON.stringify(shop.telegram.messages(SUE.id))).not.toContain('Me, too!')
  expect(JSON.stringify(shop.telegram.messages(FRED.id))).not.toContain('second')
  expect(bugs()).toEqual([])
})

test('customers write tickets as soon as a person is told of them; until then there is no way to support', async () => {
  const shop = await startShop([])
  const { core, told } = shop
  const { people } = core.operator
  const way = () => core.support.way()
  expect(await way()).toBe('tickets')
  // Those who are left cannot answer, or have no chat.
  await people.edit(SHELL, 'Sue', { role: 'finance' })
  await people.add(SHELL, { name: 'Otto', role: 'owner' })
  await people.remove(SHELL, 'Olga')
  expect(await way()).toBe(false)
  await people.edit(SHELL, 'Sue', { role: 'support' })
  const buyer = await shop.customer(null, { name: 'newcomer' })
  await core.support.open(buyer, { text: 'Help!', source: 'test 1' })
  expect(await told('support_question')).toEqual([SUE.id])
  shop.sue.send('/operator')
  await shop.sue.waitForButton('🎫 工单：1')
})

test('who loses the role while a form is open changes nothing any more; of two who do the same, one does it', async () => {
  const shop = await startShop()
  const { core, fred, olga, agent, customer, telegram, bugs } = shop
  const seller = await agent({ name: '<b>Shop & Co</b>' })
  await customer(seller, { name: 'buyer', balance: 10 })
  const begin = async (phone: typeof fred, reason: string) => {
    phone.send('buyer')
    await phone.press('💰 Adjust')
    await phone.waitFor('How much should be added?')
    phone.send('-4')
    await phone.waitFor('Why?')
    phone.send(reason)
    await phone.waitFor('Do it?')
  }
  await begin(fred, 'a fee of <i>May</i>')
  await core.operator.people.edit(SHELL, 'Fred', { role: 'support' })
  await fred.press('✅ Adjust the balance')
  await fred.waitFor(/Your role in this shop/)
  expect((await core.operator.customers.show('buyer')).balance).toBe(10_000_000)

  // The same person, allowed again, finds the question as it was; pressed often, it is done once.
  await core.operator.people.edit(SHELL, 'Fred', { role: 'finance' })
  await begin(olga, 'another fee')
  const { message, button } = await fred.waitForButton('✅ Adjust the balance')
  await Promise.all([1, 2, 3].map(() => telegram.pressStale(FRED.id, message.messageId, button.value)))
  await fred.waitFor('The balance is 6.00 USD')
  await begin(fred, 'too much')
  await olga.press('✅ Adjust the balance')
  await olga.waitFor('The balance is 2.00 USD')
  await fred.press('✅ Adjust the balance')
  await fred.waitFor('has only')
  expect((await core.operator.customers.show('buyer')).balance).toBe(2_000_000)
  // Names and reasons with marks of HTML are shown as they were written.
  fred.send('buyer')
  expect(await fred.read('Agent:')).toContain('<b>Shop & Co</b>')
  const { items } = await core.operator.trail.list({ action: 'balance' })
  const byPersons = items.filter(({ person }) => person !== null)
  expect(byPersons.map(({ person, details }) => [person, details['remark']])).toEqual([
    ['Olga', 'another fee'],
    ['Fred', 'a fee of <i>May</i>'],
  ])
  expect(await core.operator.audit()).toEqual([])
  expect(bugs()).toEqual([])
})

test('sales are told to a chat that asks for it: those of a minute together, or a digest a day; to nobody else', async () => {
  const shop = await startShop()
  const { work, olga, fred, sue, core, db } = shop
  await shop.product('static', { price: 2 })
  await shop.stock('static', 30)
  const agent = await shop.agent({ name: 'bob', balance: 100 })
  const [ann, eve] = [
    await shop.customer(agent, { name: 'ann', balance: 100 }),
    await shop.customer(null, { name: 'eve', balance: 100 }),
  ]
  const bought = await shop.order(ann)
  await shop.runJobs()
  for (const phone of [olga, fred, sue]) phone.send('/operator')
  await work()
  await olga.press('📊 Today so far')
  await olga.press('💹 Profit')
  await olga.press('🛒 Sales')
  await olga.press(/^Each/)
  await olga.waitFor((message) => JSON.stringify(message.keyboard).includes('✓ Each'))
  await fred.press('⚙️ Set-up')
  await fred.press('🔔 Notices')
  await fred.press('🛒 Sales')
  await fred.press('Once a day')
  await work()
  const texts = async () =>
    (await db.read.notice.findMany({ where: { kind: { in: ['sales', 'sales_of_day'] } } })).map(
      ({ chatId, kind }) => `${kind} ${chatId}`,
    )
  // What was sold before is not told.
  expect(await texts()).toEqual([])

  await core.orders.renewStatic(ann, { order: bought })
  for (const count of Array(10).keys()) await shop.order(eve, { ipCount: 1 + (count === 3 ? 1 : 0) })
  await work()
  const told = await olga.waitFor('11 sales: 24.00 USD')
  expect(told.text).toContain('• eve: 2 × Static, 4.00 USD')
  expect(told.text).toContain('• ann (agent bob): renewed 1 × Static, 2.00 USD')
  expect(told.text).toContain('… and 1 more')
  await work()
  expect(await texts()).toEqual([`sales ${OLGA.id}`])
  shop.clock.advance(24 * 60 * 60_000)
  await work()
  await fred.waitFor('Since the last digest: 11 sales, 24.00 USD')
  expect(await texts()).toEqual([`sales ${OLGA.id}`, `sales_of_day ${FRED.id}`])

  await olga.press('🛠 Operator')
  await olga.press('📊 Today so far')
  await olga.press('💹 Profit')
  await olga.press('🛒 Sales')
  await olga.press('Off')
  await olga.waitFor((message) => JSON.stringify(message.keyboard).includes('✓ Off'))
  await shop.order(eve)
  await work()
  expect(await texts()).toHaveLength(2)
  // Who may not see what the shop earns has no way to it.
  expect(sue.buttons()).not.toContain('💹 利润')
})

test('a person logs in on the web by a link of the private chat, sees what is logged in, and ends it', async () => {
  const { sue, core, bugs } = await startShop()
  sue.send('/operator')
  await sue.press('⚙️ 设置')
  await sue.press('🖥 网页登录')
  const { text } = await sue.waitFor(/链接仅可使用一次[^]*没有登录/)
  const [, code = ''] = /code=([\w-]+)/.exec(text) ?? []
  const { token, session } = await core.people.openLogIn(code, 'Firefox')
  expect(session).toMatchObject({ person: 'Sue', role: 'support' })
  await sue.press('🛠 运营菜单')
  await sue.press('⚙️ 设置')
  await sue.press('🖥 网页登录')
  await sue.waitFor('• Firefox')
  expect((await sue.press('🚪 全部退出')).text).toBe('已退出 1 个登录。')
  await sue.waitFor('没有登录')
  await expect(core.people.operatorOfToken(token)).rejects.toMatchObject({ code: 'token_invalid' })
  expect(bugs()).toEqual([])
})
