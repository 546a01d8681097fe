import { describe, expect, it } from 'vitest'
import { unmarked } from '../../src/bot/kit/mark.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct } from '../support/product.ts'
import type { Phone } from '../support/phone.ts'

/** A shop with dynamic products: 3 USD per GB, from 10 GB on 2.50. */
async function startTraffic(
  names: readonly string[] = ['DYN-1'],
  settings: Parameters<typeof startProduct>[1] = {},
) {
  const product = await startProduct({}, settings)
  for (const [index, productNo] of names.entries()) {
    await product.core.operator.addProduct(SHELL, {
      productNo,
      names: { en: `Dynamic ${index + 1}`, zh: `动态代理 ${index + 1}` },
      proxyType: 104,
      pool: 'dynamic_2',
      gateway: 'gw.proxy.example:8001',
      price: 3,
    })
    await product.core.operator.setPrice(SHELL, { productNo, price: 2.5, minQuantity: 10 })
  }
  return product
}

async function actorOf({ core }: Product, account = CUSTOMER) {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  return core.accounts.authenticate(token)
}

async function buy(product: Product, gigabytes: number, account = CUSTOMER) {
  const actor = await actorOf(product, account)
  await product.core.orders.createDynamic(actor, { poolId: 'DYN-1', trafficAmount: gigabytes })
  return actor
}

const bugs = ({ log }: Product) => log.filter((line) => line.includes('"level":50'))
const copies = (phone: Phone) =>
  phone
    .screen()
    .message.keyboard.flat()
    .filter(({ kind }) => kind === 'copy')

describe('buying traffic', () => {
  it('leads from the menu to credentials, and back to the menu with what is left', async () => {
    const product = await startTraffic(['DYN-1', 'DYN-2'])
    const ann = await product.memberPhone(ANN)
    await ann.press('📶 Traffic')
    expect(await ann.read('Dynamic 2')).toContain('Not bought yet\nPrice: 3.00 USD per GB')
    await ann.press('Dynamic 1')
    expect(await ann.read('no traffic here yet')).not.toContain('Dynamic 2')
    expect(ann.buttons()).not.toContain('🔌 Get proxies')
    await ann.press('🛒 Buy traffic')
    expect(await ann.read('Total: 3.00 USD')).toContain('9 GB more and each GB costs only 2.50 USD')
    expect(ann.buttons().slice(0, 4)).toEqual([
      '✅ Buy for 3.00 USD',
      '✓ 1 GB · 3.00 USD',
      '5 GB · 15.00 USD',
      '10 GB · 25.00 USD',
    ])
    await ann.press('5 GB · 15.00 USD')
    const confirm = await ann.read('Total: 15.00 USD')
    expect(confirm).toContain('Your balance: 50.00 USD\nBalance after: 35.00 USD')
    expect(confirm).toContain('5 GB more and each GB costs only 2.50 USD')
    await ann.press('10 GB · 25.00 USD')
    await ann.waitFor('Balance after: 25.00 USD')
    await ann.press('✅ Buy for 25.00 USD')
    expect(await ann.read('10 GB bought')).toMatch(/Order D\d{17}/)
    await ann.press('🔌 Get proxies')
    await ann.waitFor('Traffic left: 10 GB')
    await ann.press('🏠 Menu')
    expect(await ann.read('Main menu')).toContain('💰 Balance: 25.00 USD')
    expect(ann.screen().text).toContain('📶 Traffic left: 10 GB')

    await ann.press('📶 Traffic')
    await ann.press('🧾 Traffic orders')
    await ann.waitFor('Orders: 1')
    await ann.press(/^✅ 10 GB · Dyna/)
    expect(await ann.read('✅ Active')).toMatch(/▱{10} 0% used\nLeft: 10 GB of 10 GB/)
    await ann.press('‹ Back')
    await ann.waitFor('Orders: 1')
    expect(await product.core.operator.audit()).toEqual([])
  })

  it('takes a typed amount, says what is wrong with others, and buys once however often it is pressed', async () => {
    const product = await startTraffic()
    const ann = await product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press('Dynamic 1')
    await ann.press('🛒 Buy traffic')
    await ann.waitFor('Traffic: 1 GB')
    for (const wrong of ['five', '0', '-1', '0.0001', '10000.001', '99999', '1e3']) {
      ann.send(wrong)
      await ann.waitFor(`“${wrong}” is not an amount of traffic`)
    }
    // As a Chinese keyboard writes it.
    ann.send('２．１２５ GB')
    await ann.waitFor('Total: 6.375 USD')
    const { message } = ann.screen()
    const pay = message.keyboard.flat()[0]?.value ?? ''
    await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, message.messageId, pay)))
    await ann.waitFor('2.125 GB bought')
    await product.stop()
    await product.start()
    await product.telegram.pressStale(ANN.id, message.messageId, pay)
    expect(await ann.read('2.125 GB bought')).toContain('Your balance: 43.62 USD')
    expect((await product.core.orders.listDynamic(await actorOf(product))).total).toBe(1)
  })

  it('never charges more than the screen showed, and nothing at all when the money is gone', async () => {
    const product = await startTraffic()
    const ann = await product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press('Dynamic 1')
    await ann.press('🛒 Buy traffic')
    await ann.waitFor('Traffic: 1 GB')
    ann.send('5')
    await ann.waitFor('Total: 15.00 USD')
    await product.core.operator.setPrice(SHELL, { productNo: 'DYN-1', price: 4 })
    expect(await ann.press(/Buy for/)).toEqual({
      text: 'The price has changed. Please check again.',
      showAlert: true,
    })
    await ann.waitFor('Total: 20.00 USD')
    await product.core.operator.adjustBalance(SHELL, { ...CUSTOMER, amount: -45, remark: 'test' })
    await ann.waitFor('The shop has taken 45.00 USD')
    await ann.press('✖️ Close')
    expect((await ann.press(/Buy for/)).text).toBe('The balance is short by 15.00 USD.')
    const short = await ann.read('short by 15.00 USD')
    expect(short).toContain('Ask your agent for it, then continue right here')
    expect(ann.buttons().join()).not.toContain('Pay')
    const topUp = ann.screen().message.keyboard.flat()[0]
    expect(topUp?.text).toBe('🙋 Ask my agent')
    expect(unmarked(topUp?.value ?? '').data).toBe(`tpk:${(15e6).toString(36)}`)
    expect(await product.core.chats.readDraft(ANN.id)).toEqual({
      resume: 'dbq:2::5000',
      resumeFor: 2,
      resumeNeeds: 20_000_000,
    })
  })

  it('is done for a sub-user at its price and from its balance; every step names it', async () => {
    const product = await startTraffic(['DYN-1', 'DYN-2'])
    const { core } = product
    await core.operator.setPrice(SHELL, { productNo: 'DYN-1', price: 1.5, username: CUSTOMER.username })
    const { id } = await actorOf(product)
    const agent = await product.memberPhone(BEN, AGENT)
    const { messageId } = agent.screen().message
    await product.telegram.pressStale(BEN.id, messageId, `user:${id}`)
    await agent.press('📶 流量')
    await agent.press('🛒 为 customer 购买')
    expect(await agent.read('请选择产品')).toContain('为用户 customer 购买')
    await agent.press(/^动态代理 1/)
    expect(await agent.read('流量：1 GB')).toMatch(/为用户 customer 购买[^]*动态代理 1/)
    agent.send('0')
    expect(await agent.read('“0”')).toContain('为用户 customer 购买')
    expect(agent.screen().text).toContain('customer 的余额：50.00 USD')
    await agent.press('10 GB · 15.00 USD')
    expect(await agent.read('总价：15.00 USD')).toContain('余额将变为：35.00 USD')
    await agent.press('✅ 支付 15.00 USD')
    await agent.waitFor('已购买 10 GB')
    await agent.press('👤 customer')
    await agent.press('📶 流量')
    expect(await agent.read('订单数：1')).toContain('👤 customer')
    await agent.press(/✅ 10 GB/)
    await agent.waitFor('总价：15.00 USD')
    expect((await core.traffic.remainingFlow(await actorOf(product), id, 'DYN-1')).total).toBe(10e9)
    await product.telegram.pressStale(BEN.id, messageId, `udelete:${id}:1`)
    await agent.waitFor('剩余流量 10 GB 不会退款')
    await agent.press('取消')

    await product.telegram.pressStale(BEN.id, messageId, `dbq:2:${id}:100000`)
    await agent.waitFor('还差 115.00 USD')
    await agent.press('💰 给 customer 充值')
    await agent.press('补足差额 115.00 USD')
    await agent.press('✅ 增加 115.00 USD')
    await agent.waitFor('余额已调整：+115.00 USD')
    await agent.press('🛒 继续购买')
    expect(await agent.read('总价：150.00 USD')).toContain('余额将变为：0.00 USD')
  })

  it('answers forged and old buttons with a screen, and moves nothing', async () => {
    const product = await startTraffic()
    const ann = await product.memberPhone(ANN)
    const { messageId } = ann.screen().message
    for (const data of [
      'db:999',
      'db:x',
      'db:2:1',
      'db:1:',
      'dbf:1',
      'dbf:x',
      'dbi:2:1',
      'dbi:77:',
      'dbq:2::0',
      'dbq:2::10000001',
      'dbq:2::1e9',
      'db!:2::1000',
      'db!:2::1000:draft',
      'db!:2::1000:draft:!',
      'db!:2:1:1000:draft:zzzzzz',
      'dp:99',
      'dp',
      'do:0',
      'do:999999999999',
      'do:1:1',
      'dov:1:1:',
      'dyn:99',
    ]) {
      await product.telegram.pressStale(ANN.id, messageId, data)
      expect(ann.screen().text, data).not.toBe('')
    }
    await product.telegram.pressStale(ANN.id, messageId, 'dbi:2:')
    ann.send('/cancel')
    expect(await ann.read('Main menu')).toContain('50.00 USD')
    expect(bugs(product)).toEqual([])
  })
})

describe('getting proxies out of traffic', () => {
  it('has one form for country, exit, number, protocol and line, and shows a few lines with copy buttons', async () => {
    const product = await startTraffic()
    await buy(product, 2)
    const ann = await product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1 · 2 GB/)
    await ann.press('🔌 Get proxies')
    expect(await ann.read('IP: a new one for every request')).toContain('Format: host:port:username:password')
    await ann.press('🌍 Country')
    await ann.press('🇯🇵 Japan')
    await ann.press('📌 Sticky IP')
    await ann.waitFor('keeps its own for 10 minutes')
    await ann.press('✓ 📌 10 min')
    await ann.waitFor('For how many minutes')
    for (const wrong of ['0', '121', 'ten', '1.5']) {
      ann.send(wrong)
      await ann.waitFor('The IPs can stay for 1 to 120 minutes.')
    }
    ann.send('４５')
    await ann.waitFor('keeps its own for 45 minutes')
    await ann.press(/^🔢/)
    await ann.waitFor('How many proxies?')
    ann.send('101')
    await ann.waitFor('You can get 1 to 100 proxies at a time.')
    ann.send('3')
    await ann.press('SOCKS5')
    await ann.press('📋 host:port:user:pass')
    await ann.waitForButton('✓ host:port:user:pass')
    await ann.press('URL')
    await ann.waitFor('Format: protocol://username:password@host:port')
    expect(ann.buttons()).toEqual(expect.arrayContaining(['✓ SOCKS5', '📋 URL', '✓ 📌 45 min']))
    await ann.press('✅ Get 3 here')
    const text = await ann.read('Your 3 proxies')
    const found =
      text.match(/socks5:\/\/\S+-country-jp-session-\w+-lifetime-45:\w+@gw\.proxy\.example:8001/g) ?? []
    expect(new Set(found).size).toBe(3)
    expect(
      copies(ann)
        .map(({ value }) => value)
        .join('\n'),
    ).toBe(found.join('\n'))
    expect(copies(ann).every(({ value }) => value.length <= 256)).toBe(true)

    await ann.press('⚙️ Change options')
    await ann.press(/^🔢/)
    await ann.press('100')
    // As many as fit are shown; more come as a file, as all do that are asked for so.
    await ann.press('✅ Get 100 here')
    await ann.waitFor('100 proxies of Dynamic 1, one per line')
    await ann.press('📄 As .txt file')
    const { content, fileName } = await ann.file(await ann.waitFor('100 proxies of Dynamic 1, one per line'))
    expect(fileName).toBe('proxies.txt')
    expect(content.toString().trim().split('\n')).toHaveLength(100)

    // No button copies a line that is longer than Telegram takes; it is there all the same.
    const host = `${'long-label.'.repeat(22)}example.com`
    await product.edit('UPDATE products SET gateway_host = ? WHERE pool IS NOT NULL', host)
    ann.send('8')
    await ann.press('✅ Get 8 here')
    expect((await ann.read('Your 8 proxies')).split(host)).toHaveLength(9)
    expect(copies(ann)).toEqual([])
  })

  it('offers the countries that the product has, and its description where it is bought', async () => {
    const product = await startTraffic()
    await product.core.operator.editProduct(SHELL, 'DYN-1', {
      countries: ['PT', 'SE'],
      descriptions: { en: 'Home <lines>' },
    })
    await buy(product, 1)
    const ann = await product.memberPhone(ANN)
    await ann.press('📶 Traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🔌 Get proxies')
    await ann.press('🌍 Country')
    await ann.waitForButton('🇸🇪 Sweden')
    expect(ann.buttons().slice(0, 3)).toEqual(['🇵🇹 Portugal', '🇸🇪 Sweden', expect.stringContaining('Any')])
    ann.send('JP')
    await ann.waitFor('There is no country “JP”')
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🛒 Buy traffic')
    expect(await ann.read('Traffic: 1 GB')).toContain('Home <lines>')
    expect(bugs(product)).toEqual([])
  })

  it('finds a typed country by code, by name in either language, or asks which', async () => {
    const product = await startTraffic()
    await buy(product, 1)
    const ann = await product.memberPhone(ANN)
    const country = async (typed: string) => {
      ann.send('/traffic')
      await ann.press(/Dynamic 1/)
      await ann.press('🔌 Get proxies')
      await ann.press('🌍 Country')
      await ann.waitFor('Which country?')
      ann.send(typed)
    }
    await country('Atlantis')
    await ann.waitFor('There is no country “Atlantis”')
    ann.send('a')
    await ann.waitFor('matches too many')
    ann.send('瑞士')
    await ann.waitFor('🇨🇭 Switzerland')
    await country('fi')
    await ann.waitFor('🇫🇮 Finland')
    // Whoever types where buttons are is understood as well.
    await ann.press('🌍 Country')
    await ann.waitFor('Which country?')
    ann.send('korea')
    await ann.waitFor('Which one do you mean')
    await ann.press('🇰🇷 South Korea')
    await ann.waitFor('Country: 🇰🇷 South Korea')
    ann.send('日本')
    await ann.waitFor('Country: 🇯🇵 Japan')
    ann.send('30 分钟')
    await ann.waitFor('keeps its own for 30 minutes')
    ann.send('10个')
    await ann.waitFor('Quantity: 10')
    ann.send('101')
    await ann.waitFor('You can get 1 to 100 proxies at a time.')
    await ann.press('✅ Get 10 here')
    const shown = await ann.waitFor('Your 10 proxies')
    expect(shown.text.match(/country-jp-session-\w+-lifetime-30/g)).toHaveLength(10)
    // They stay where they are; the same again is two presses from the menu.
    await ann.press('🏠 Menu')
    await ann.waitFor('Main menu')
    expect(
      product.telegram.messages(ANN.id).find(({ messageId }) => messageId === shown.messageId)?.text,
    ).toBe(shown.text)
    await ann.press('📶 Traffic')
    await ann.press('⚡ 10 · 🇯🇵 Japan · 📌 30 min')
    await ann.waitFor((message) => message.text.includes('Your 10 proxies') && message.text !== shown.text)
    expect(bugs(product)).toEqual([])
  })

  it('says at the start that the public address is one of this machine', async () => {
    const product = await startProduct({}, { publicUrl: 'http://localhost:3000' })
    expect(product.log.join('')).toContain(
      'PUBLIC_URL is http://localhost:3000, which only this machine can open',
    )
    expect(product.log.join('')).not.toContain('PUBLIC_URL is not set')
  })

  it('makes no link where nobody could open it, and says so at the start', async () => {
    const product = await startTraffic()
    expect(product.log.filter((line) => line.includes('PUBLIC_URL is not set'))).toHaveLength(1)
    const buyer = await buy(product, 1)
    const ben = await product.memberPhone(BEN)
    ben.send('/traffic')
    await ben.press(/动态代理 1/)
    await ben.press('🔌 提取代理')
    expect(await ben.press('🔗 API 提取链接')).toMatchObject({ text: '本店暂不提供链接，请改为获取文件。' })
    expect(await product.core.traffic.listLinks(buyer)).toEqual([])
  })

  it('gives a public link, one however often the button is pressed, that works until it is ended', async () => {
    const shop = 'https://shop.example.com'
    const product = await startTraffic(['DYN-1'], { publicUrl: shop })
    const open = (link: string) => fetch(link.replace(`${shop}/api`, product.app.addresses['api'] ?? ''))
    await buy(product, 1)
    const ben = await product.memberPhone(BEN)
    ben.send('/traffic')
    await ben.press(/动态代理 1/)
    await ben.press('🔌 提取代理')
    const { message: form, button } = await ben.waitForButton('🔗 API 提取链接')
    const press = () => product.telegram.pressStale(BEN.id, form.messageId, button.value)
    await Promise.all([press(), press(), press()])
    await ben.waitFor('API 提取链接')
    const url = copies(ben)[0]?.value ?? ''
    expect(ben.screen().text).toContain(url)
    expect(url).toMatch(/^https:\/\/shop\.example\.com\/api\//)
    expect(await (await open(url)).text()).toMatch(/^gw\.proxy\.example:8001:u0\w+:\w+$/)
    await ben.press('🔗 我的链接')
    await ben.waitFor('使用中的链接：1 个')
    await ben.press(/^🔗 1 ×/)
    await ben.waitFor('停用后')
    expect(copies(ben)[0]?.value).toBe(url)
    const { message, button: revoke } = await ben.waitForButton('🗑 确认停用')
    const end = revoke.value
    expect(await ben.press('🗑 确认停用')).toMatchObject({ text: '链接已停用。' })
    expect((await open(url)).status).toBe(404)
    const again = await product.telegram.pressStale(BEN.id, message.messageId, end)
    expect(again.text).toBe('该链接已失效。')
    const foreign = await product.memberPhone(ANN, AGENT)
    const { messageId } = foreign.screen().message
    for (const data of ['dxr:1:1:2', 'dxr!:1', 'dxk:99', 'dxr!:x'])
      await product.telegram.pressStale(ANN.id, messageId, data)
    await foreign.waitFor('There are no active links')
    expect(bugs(product)).toEqual([])
  })

  it('says what to do when the traffic is used up, and takes no forged form', async () => {
    const product = await startTraffic()
    await buy(product, 1)
    const ann = await product.memberPhone(ANN)
    const { messageId } = ann.screen().message
    for (const data of [
      'dx:2:XX:0:1:h:c',
      'dx:2:US:121:1:h:c',
      'dx:2:US:0:101:h:c',
      'dx!:2:US:0:0:h:c',
      'dx:99',
      'dxf',
      'dxl:1',
      'dxt:x',
    ]) {
      await product.telegram.pressStale(ANN.id, messageId, data)
      await ann.waitFor('Dynamic traffic')
    }
    await product.edit('UPDATE traffic SET used_bytes = total_bytes')
    await product.edit("UPDATE dynamic_orders SET used_bytes = traffic_bytes, status = 'exhausted'")
    const answer = await product.telegram.pressStale(ANN.id, messageId, 'dx!:2:US:0:1:h:c')
    expect(answer).toEqual({ text: 'There is no traffic left. Please buy more.', showAlert: true })
    const used = await ann.read('All of it is used up')
    expect(used).toContain('▰▰▰▰▰▰▰▰▰▰ 100%')
    expect(ann.buttons()).toContain('🛒 Buy traffic')
    await ann.press('🏠 Menu')
    await ann.waitFor('Your traffic is used up')
    expect(bugs(product)).toEqual([])
  })
})

describe('sub-accounts', () => {
  it('are made with a login that is shown once, get and give traffic, are disabled and deleted', async () => {
    const product = await startTraffic()
    const actor = await buy(product, 10)
    const { traffic } = product.core
    const ann = await product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🔑 Sub-accounts')
    expect(await ann.read('separate login')).toContain('In the main account: 10 GB')
    await ann.press('➕ New sub-account')
    await ann.waitFor('How many GB should it start with?')
    for (const wrong of ['all', '-1', '0.0001']) {
      ann.send(wrong)
      await ann.waitFor(`“${wrong}” is not an amount of traffic: send a number up to 10,`)
    }
    ann.send('10.001')
    await ann.waitFor('Only 10 GB are left')
    ann.send('2.5')
    await ann.waitFor('Which login name?')
    for (const wrong of ['ab', 'with-hyphen', 'with space', 's0123456789abc', '名字名字']) {
      ann.send(wrong)
      await ann.waitFor(`“${wrong}” is not possible`)
    }
    ann.send('crawler_1')
    const made = await ann.read('Sub-account created')
    const [line] = made.match(/gw\.proxy\.example:8001:crawler_1:\w{20}/) ?? []
    expect(copies(ann)[0]?.value).toBe(line)
    await ann.press('🔑 Open the sub-account')
    expect(await ann.read('Left: 2.5 GB of 2.5 GB')).not.toContain(line?.split(':').at(-1))

    await ann.press('➕ Give traffic')
    await ann.press('✏️ Other amount')
    ann.send('7.6')
    await ann.waitFor('Only 7.5 GB is available')
    await ann.press('‹ Back')
    await ann.press('1 GB')
    const confirm = await ann.read('Give 1 GB to crawler_1?')
    expect(confirm).toContain('Main account: 7.5 GB → 6.5 GB\nSub-account: 2.5 GB → 3.5 GB')
    const { message } = ann.screen()
    const move = message.keyboard.flat()[0]?.value ?? ''
    await Promise.all([1, 2].map(() => product.telegram.pressStale(ANN.id, message.messageId, move)))
    await ann.waitFor('Left: 3.5 GB of 3.5 GB')
    await ann.press('➖ Take back')
    await ann.press('All: 3.5 GB')
    await ann.waitFor('Main account: 6.5 GB → 10 GB')
    await ann.press('✅ Move it')
    await ann.waitFor('Left: 0 GB of 0 GB')
    expect(ann.buttons()).not.toContain('➖ Take back')

    await ann.press('⏸ Disable')
    await ann.waitFor('⏸ Disabled')
    await ann.press('▶️ Enable')
    await ann.waitFor('🟢 Active')
    await ann.press('🔁 New password')
    await ann.waitFor('Set a new password for crawler_1?')
    await ann.press('🔁 Set a new password')
    const changed = await ann.read('New password set')
    expect(changed).toMatch(/8001:crawler_1:\w{20}/)
    expect(changed).not.toContain(line)

    await ann.press('🔑 Open the sub-account')
    await ann.press('🗑 Delete')
    await ann.waitFor('Delete crawler_1?')
    expect(await ann.press('🗑 Delete crawler_1')).toMatchObject({
      text: 'crawler_1 is deleted; 0 GB went back to the main account.',
    })
    await ann.waitFor('Sub-accounts: 0')
    expect((await traffic.remainingFlow(actor, actor.id, 'DYN-1')).remaining).toBe(10e9)
    expect(await product.core.operator.audit()).toEqual([])
  })

  it('begin with a button’s amount and a name of ours, once, and are listed in pages', async () => {
    const product = await startTraffic()
    await product.edit("UPDATE products SET gateway_host = '[2001:db8::1]' WHERE pool IS NOT NULL")
    const actor = await buy(product, 10)
    const ben = await product.memberPhone(BEN)
    ben.send('/traffic')
    await ben.press(/动态代理/)
    await ben.press('🔑 子账号')
    await ben.press('➕ 新建子账号')
    await ben.press('5 GB')
    await ben.waitFor('请发送登录名')
    const { message } = ben.screen()
    const any = message.keyboard.flat()[0]?.value ?? ''
    await Promise.all([1, 2].map(() => product.telegram.pressStale(BEN.id, message.messageId, any)))
    expect(await ben.read('子账号已创建')).toMatch(/\n\[2001:db8::1\]:8001:s0\w{12}:\w{20}\n/)
    expect((await product.core.traffic.listSubAccounts(actor)).total).toBe(1)

    for (let index = 1; index <= 8; index += 1)
      await product.core.traffic.createSubAccount(actor, { productNo: 'DYN-1', username: `long_${index}` })
    await product.telegram.pressStale(BEN.id, message.messageId, 'ds:2:2')
    await ben.waitFor('子账号数：9')
    expect(ben.buttons()).toContain('2 / 2')
    await ben.press(/^🟢/)
    await ben.press('⏸ 停用')
    await ben.waitFor('⏸ 已停用')
    await ben.press('‹ 返回')
    await ben.waitForButton('2 / 2')
    // A taken name is asked for again.
    await ben.press('➕ 新建子账号')
    ben.send('0')
    await ben.waitFor('请发送登录名')
    ben.send('long_1')
    await ben.waitFor('⚠️')
    ben.send('long_9')
    await ben.waitFor('子账号已创建')
  })

  it('of somebody else, or deleted, do not exist for any button', async () => {
    const product = await startTraffic()
    const actor = await buy(product, 3)
    await product.core.traffic.createSubAccount(actor, { productNo: 'DYN-1', username: 'mine', amount: 1 })
    await buy(product, 1, AGENT)
    const agent = await product.memberPhone(ANN, AGENT)
    const { messageId } = agent.screen().message
    for (const data of [
      'dsa:1',
      'dsa:x',
      'dsg:1:give',
      'dsi:1:take',
      'dsq:1:give:1000',
      'ds!:1:take:1000:draft',
      'dse:1:disabled',
      'dsp:1',
      'dsp!:1',
      'dsd:1',
      'dsd!:1',
    ]) {
      const answer = await product.telegram.pressStale(ANN.id, messageId, data)
      expect(answer, data).toEqual({ text: 'This sub-account no longer exists.', showAlert: true })
    }
    await product.telegram.pressStale(ANN.id, messageId, 'dsn:77')
    await product.telegram.pressStale(ANN.id, messageId, 'ds:77:1')
    const [account] = (await product.core.traffic.listSubAccounts(actor)).items
    expect(account).toMatchObject({ status: 'active', limitBytes: 1e9 })
    expect(bugs(product)).toEqual([])
  })
})
