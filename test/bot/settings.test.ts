import { expect, test } from 'vitest'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'
import { actorFor, buy, startProductInTime, timesTold } from '../support/notices.ts'

test('a chat chooses its language, the form of its proxies and a way out; each is kept', async () => {
  const product = await startProduct()
  const ann = await product.memberPhone(ANN)
  await ann.press('⚙️ Settings')
  await ann.waitFor(/Settings[^]*customer/)
  expect(ann.buttons()).toEqual([
    '🌐 Language: English',
    '🕘 Time zone: UTC',
    '📋 ip:port:user:pass',
    '🔔 Notices: all on',
    '🔌 For programs',
    '👤 Accounts',
    '📱 Devices',
    '🔑 Change password',
    'Log out',
    '🏠 Menu',
  ])
  await ann.press(/^📋/)
  await ann.waitFor(/In which form/)
  await ann.press('socks5://user:pass@ip:port')
  await ann.waitForButton('📋 socks5://user:pass@ip:port')
  await buy(product, await actorFor(product))
  const ready = await ann.waitFor(/ready/)
  expect(ready.text).toMatch(/socks5:\/\/user\d+:pass\d+@192\.0\.2\.\d+:8000/)

  await ann.press('🏠 Menu')
  ann.send('/settings')
  await ann.press('🔑 Change password')
  await ann.waitFor(/password/)
  ann.send('/settings')
  await ann.press(/Language/)
  await ann.press('中文')
  await ann.waitFor(/主菜单/)
  await ann.press('⚙️ 设置')
  await ann.waitForButton('📋 socks5://user:pass@ip:port')
  await ann.press('退出登录')
  await ann.waitFor(/退出/)
  await ann.press('退出登录')
  await ann.waitFor(/请使用商家提供的用户名/)
})

test('each kind of notice can be switched off and on again; an agent has one switch more, for its sub-users', async () => {
  const { product, pass } = await startProductInTime()
  const [ann, boss] = [await product.memberPhone(ANN), await product.memberPhone(BEN, AGENT)]
  const [customer, agent] = [await actorFor(product), await actorFor(product, AGENT)]
  ann.send('/settings')
  await ann.press(/Notices/)
  await ann.waitFor(/What should I tell you/)
  expect(ann.buttons()).not.toContain('🔔 About my sub-users')
  await ann.press('🔔 Order ready')
  await ann.waitForButton('🔕 Order ready')
  await ann.press('‹ Back')
  await ann.waitForButton('🔔 Notices: 1 off')
  const quiet = await buy(product, customer)
  await ann.press(/Notices/)
  await ann.press('🔕 Order ready')
  await ann.waitForButton('🔔 Order ready')
  const told = await buy(product, customer)
  await ann.waitFor(told)
  expect(timesTold(product, ann, new RegExp(quiet))).toBe(0)

  await pass(60_000)
  const digest = await boss.waitFor(/下级用户的订单已开通/)
  expect(digest.text).toContain(quiet)
  expect(digest.text).toContain(told)
  boss.send('/settings')
  await boss.press(/通知/)
  await boss.press('🔔 下级用户动态')
  await boss.waitForButton('🔕 下级用户动态')
  await buy(product, customer)
  await buy(product, agent)
  await boss.waitFor(/您的代理 IP 已开通/)
  const forCustomer = await buy(product, agent, 1, customer.id)
  await boss.waitFor(new RegExp(`用户 ${CUSTOMER.username}[^]*${forCustomer}`))
  await pass(120_000)
  await boss.press('👌 知道了')
  boss.send('/menu')
  await boss.waitFor(/主菜单/)
  expect(timesTold(product, boss, /下级用户的订单已开通/)).toBe(1)
})
