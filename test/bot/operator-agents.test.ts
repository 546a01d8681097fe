import { expect, test } from 'vitest'
import { startBot } from '../support/bot.ts'
import { PASSWORD } from '../support/service.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const NEW = { id: 710, firstName: 'Nils', languageCode: 'en' }

test('an agent is created with a link by which it sets its password', async () => {
  const { core, phone, bugs } = await startBot({ operatorChats: [OPS.id] })
  const ops = phone(OPS)
  ops.send('/operator')
  await ops.press('🤝 Agents')
  await ops.press('➕ New agent')
  for (const [typed, problem] of [
    ['x', 'username: At least 3 characters'],
    ['username: reseller\nlevel: high', 'level: send a whole number, such as 10'],
    ['username: reseller\nfunding: gold', 'funding:'],
    ['colour: red', 'I do not understand'],
  ] as const) {
    ops.send(typed)
    await ops.waitFor(problem)
  }
  ops.send('username：reseller\nlevel：２\nbalance: 1,000u\nfunding: mint')
  await ops.press('✅ Create the agent')
  const created = await ops.read('The agent is created.')
  expect(created).toContain('Balance: 1,000.00 USD\nPrice level: 2\nMoney for sub-users: issued by the shop')
  const [, token = ''] = /start=(inv_\S+)/.exec(created) ?? []
  const nils = phone(NEW)
  nils.send(`/start ${token}`)
  await nils.waitFor(/Now send me a password of your own/)
  const password = 'a-password-of-my-own'
  nils.send(password)
  await nils.waitFor(/👤 reseller|password/)
  await expect(
    core.accounts.logIn({ username: 'reseller', password, address: 'test' }),
  ).resolves.toBeDefined()
  expect(bugs()).toEqual([])
})

test('an agent is looked at, adjusted after a preview, given a level, disabled and enabled', async () => {
  const { agent, core, phone, bugs } = await startBot({ operatorChats: [OPS.id] })
  await agent({ name: 'reseller', balance: 50 })
  const ops = phone(OPS)
  ops.send('/agents')
  await ops.press(/reseller/)
  await ops.press('💰 Adjust')
  ops.send('100')
  await ops.waitFor('Please send an amount and a reason')
  ops.send('-60 too much')
  await ops.waitFor('has only')
  ops.send('+25.50 bank transfer of May')
  await ops.waitFor(/\+25\.50 USD: 50\.00 USD → 75\.50 USD\nReason: bank transfer of May/)
  await ops.press('✅ Adjust the balance')
  await ops.waitFor('The balance is 75.50 USD')
  await ops.press('🏷 Price level')
  ops.send('x')
  await ops.waitFor('Send a whole number from 0 to 9,999.')
  ops.send('3')
  await ops.waitFor('Price level: 3')
  const logIn = () => core.accounts.logIn({ username: 'reseller', password: PASSWORD, address: 'test' })
  await ops.press('🚫 Disable')
  await ops.waitFor('Disable reseller?')
  await expect(logIn()).resolves.toBeDefined()
  await ops.press('🚫 Disable')
  await ops.waitFor('Disabled: cannot log in')
  await expect(logIn()).rejects.toMatchObject({ code: 'account_disabled' })
  await ops.press('👤 Orders, contact, log-ins')
  await ops.press('🤝 The agent')
  const { text } = await ops.press('🔑 New link')
  expect(text).toBe('This account is disabled. Only the person who created it can enable it again.')
  await ops.press('▶️ Enable')
  await ops.waitFor('✅ Active')
  await expect(logIn()).resolves.toBeDefined()
  expect(await core.operator.audit()).toEqual([])
  expect(bugs()).toEqual([])
})

test('where the money for sub-users comes from is changed after a question, but to the agent only when the deleted have none left', async () => {
  const { agent, core, phone, bugs } = await startBot({ operatorChats: [OPS.id] })
  const reseller = await agent({ name: 'reseller', balance: 50 })
  const ops = phone(OPS)
  ops.send('/agents')
  await ops.press(/reseller/)
  await ops.press('🏦 Money for sub-users')
  await ops.waitFor('its own balance stays as it is')
  await ops.press('✅ Change it')
  await ops.waitFor('Money for sub-users: issued by the shop')
  const user = await core.accounts.createSubUser(reseller, {
    username: 'gone',
    password: PASSWORD,
    balance: 90,
  })
  expect(await core.accounts.balance(reseller)).toMatchObject({ balance: 50_000_000 })
  await core.accounts.deleteSubUser(reseller, user.id)

  await ops.press('🏦 Money for sub-users')
  await ops.waitFor('deleted sub-users still have money')
  expect(ops.buttons()).not.toContain('✅ Change it')
  await ops.press('🧹 Take that money back')
  await ops.waitFor(/reseller has 1 deleted sub-user with 90\.00 USD left[^]*• gone: 90\.00 USD/)
  await ops.press('Money for sub-users changes')
  await ops.waitFor('Reason: Money for sub-users changes')
  await ops.press('🧹 Take it back')
  await ops.waitFor('90.00 USD taken back')
  await ops.press('🤝 The agent')
  await ops.press('🏦 Money for sub-users')
  await ops.press('✅ Change it')
  await ops.waitFor('Money for sub-users: from its own balance')
  // A button from before, of somebody else: there is nothing to change, and nothing is booked.
  const { items } = await core.operator.trail.list({ action: 'agent.clear' })
  expect(items).toMatchObject([
    { subject: 'reseller', details: { reason: 'Money for sub-users changes', amount: 90, users: 1 } },
  ])
  expect(await core.accounts.balance(reseller)).toMatchObject({ balance: 50_000_000 })
  // Without such a one it can be changed back.
  const other = await agent({ name: 'second', balance: 50 })
  ops.send('/agents')
  await ops.press(/second/)
  await ops.press('🏦 Money for sub-users')
  await ops.press('✅ Change it')
  await ops.waitFor('Money for sub-users: issued by the shop')
  await ops.press('🏦 Money for sub-users')
  await ops.press('✅ Change it')
  await ops.waitFor('Money for sub-users: from its own balance')
  await core.accounts.createSubUser(other, { username: 'paid', password: PASSWORD, balance: 20 })
  expect(await core.accounts.balance(other)).toMatchObject({ balance: 30_000_000 })
  expect(await core.operator.audit()).toEqual([])
  expect(bugs()).toEqual([])
})

test('what agents may charge is seen and set', async () => {
  const { core, phone, bugs } = await startBot({ operatorChats: [OPS.id] })
  const ops = phone(OPS)
  ops.send('/agents')
  await ops.waitFor('at most 10 times the shop’s price. Markups are rounded up to 0.01 USD.')
  await ops.press('🏷 What agents may charge')
  ops.send('0.5')
  await ops.waitFor('Please send a limit from 1 to 101')
  await ops.press('×5')
  await ops.waitFor('at most 5 times')
  await ops.press('🏷 What agents may charge')
  await ops.press('0.10')
  await ops.waitFor('at most 5 times the shop’s price. Markups are rounded up to 0.10 USD.')
  await ops.press('🏷 What agents may charge')
  ops.send('2.5 0.05')
  await ops.waitFor('at most 2.5 times')
  expect(await core.operator.agentPriceTerms()).toEqual({ limit: 2.5, step: 50_000 })
  expect(bugs()).toEqual([])
})
