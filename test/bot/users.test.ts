import { describe, expect, it } from 'vitest'
import { unmarked } from '../../src/bot/kit/mark.ts'
import { ANN, BEN, logIn } from '../support/product.ts'
import { PASSWORD, refused } from '../support/service.ts'
import { enter, expectHidden, pressOften, startShop } from '../support/shop.ts'
import { rowsOf } from '../support/raw-rows.ts'

const csv = (content: string | Buffer, fileName = 'users.csv') => ({
  fileName,
  mimeType: 'text/csv',
  content: Buffer.from(content),
})

describe('the list of sub-users', () => {
  it('has pages, a search and a filter, and Back leads to where it was left', async () => {
    const { ann, core, boss } = await startShop()
    ann.send('/users')
    await ann.waitFor('You have no sub-users yet')
    await core.accounts.createSubUsers(
      boss,
      Array.from({ length: 9 }, (_, i) => ({
        username: `customer-${i}`,
        balance: i,
        phone: `1380013800${i}`,
      })),
    )
    await ann.press('🏠 Menu')
    await ann.press('👥 Sub-users')
    await ann.waitFor('Sub-users: 9')
    expect(ann.buttons().slice(0, 2)).toEqual(['✅ customer-8 · 8.00 USD', '✅ customer-7 · 7.00 USD'])
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    await ann.press('✅ customer-0 · 0.00 USD')
    await ann.waitFor('👤 customer-0')
    await ann.press('⛔ Disable')
    await ann.waitFor('⛔ Disabled')
    await ann.press('‹ Back')
    await ann.waitForButton('⛔ customer-0 · 0.00 USD')

    await ann.press('🎛 Filter')
    await ann.press('⛔ Disabled 1')
    await ann.waitFor('Sub-users: 1')
    await ann.press('⛔ customer-0 · 0.00 USD')
    await ann.waitFor('👤 customer-0')
    await ann.press('✅ Enable')
    await ann.waitFor('✅ Active')
    await ann.press('‹ Back')
    await ann.waitFor('Nobody found')
    await ann.press('🎛 Filter')
    await ann.press('👥 All 9')
    await ann.waitFor('Sub-users: 9')

    await ann.press('🔍 Search')
    await ann.waitFor('part of a username')
    ann.send('x'.repeat(101))
    await ann.waitFor('At most 100 characters')
    ann.send('OMER-7')
    await ann.waitFor('🔍 OMER-7')
    expect(ann.buttons()[0]).toBe('✅ customer-7 · 7.00 USD')
    await ann.press(/customer-7/)
    await ann.waitFor('Phone: 13800138007')
    await ann.press('‹ Back')
    await ann.waitFor('🔍 OMER-7')
    await ann.press('🔍 Search')
    ann.send('13800138003')
    await ann.waitForButton('✅ customer-3 · 3.00 USD')
    await ann.press('✖️ End the search')
    await ann.waitFor('Sub-users: 9')
  })

  it('is where Back leads in the end, from all that there is about a sub-user, and from a creation that was begun', async () => {
    const { ann, core, boss, product, telegram } = await startShop()
    await product('traffic', {
      pool: 'dynamic_1',
      proxyType: 104,
      price: 2,
      names: { en: 'Rotating', zh: '动态' },
    })
    await core.accounts.createSubUsers(
      boss,
      Array.from({ length: 9 }, (_, i) => ({ username: `customer-${i}`, balance: 5 })),
    )
    const isAsLeft = async () => {
      await ann.waitForButton('2 / 2')
      expect(ann.screen().text).toContain('🎛 ✅ Active')
    }
    ann.send('/users')
    await ann.press('🎛 Filter')
    await ann.press('✅ Active 9')
    await ann.waitFor('🎛 ✅ Active')
    await ann.press('›')
    for (const way of ['📦 Proxies', '📶 Traffic', '📒 Records', '🛒 Buy traffic']) {
      await ann.press('✅ customer-0 · 5.00 USD')
      await ann.waitFor('👤 customer-0')
      await ann.press(way)
      await ann.waitFor('customer-0')
      await ann.press('‹ Back')
      await ann.waitFor('👤 customer-0\n✅ Active')
      await ann.press('‹ Back')
      await isAsLeft()
    }
    for (const way of ['➕ New sub-user', '📋 Many at once']) {
      await ann.waitForButton('⋯ More')
      if (way !== '➕ New sub-user') await ann.press('⋯ More')
      await ann.press(way)
      await ann.press('Cancel')
      await isAsLeft()
    }
    // A page that is gone meanwhile is no trouble.
    await telegram.pressStale(ann.chatId, ann.screen().message.messageId, 'users:7d')
    await ann.waitFor('Nobody found')
    ann.send('/users')
    await ann.waitForButton('1 / 2')
  })

  it('shows of a sub-user what an agent is asked about, with the longest of names', async () => {
    const { ann, db, boss, product, stock, order, buyTraffic, customer, runJobs } = await startShop()
    const name = 'a-username-of-fifty-characters-which-is-the-longest'.slice(0, 50)
    await product()
    await product('traffic', {
      pool: 'dynamic_1',
      proxyType: 104,
      price: 2,
      names: { en: 'Rotating', zh: '动态' },
    })
    await stock('static', 3)
    const user = await customer(boss, { name, balance: 40 })
    await order(user, { ipCount: 3 })
    await buyTraffic(user, { trafficAmount: 1.5 })
    await runJobs()
    ann.send('/users')
    await ann.press(`✅ ${name} · 34.00 USD`)
    const text = await ann.read(`👤 ${name}`)
    expect(text).toContain('💰 Balance: 34.00 USD\nTopped up: 40.00 USD · spent: 6.00 USD')
    expect(text).toContain('📦 Active proxies: 3\n📶 Rotating: 1.5 GB left')
    expect(
      ann
        .screen()
        .message.keyboard.flat()
        .map(({ value }) => unmarked(value).data),
    ).toEqual(expect.arrayContaining([`px:${user.id}`, `ru:${user.id}`, `bf:${user.id}`]))
    await db.write((tx) => tx.account.update({ where: { id: user.id }, data: { activated: false } }))
    expect((await ann.press('🔗 Invitation link')).text).toContain('not activated yet')
    await ann.press(`✉️ ${name} · 34.00 USD`)
    await ann.waitFor('✉️ Not activated yet')
  })
})

describe('names and balances that do not fit', () => {
  it('are told apart by numbers, and shown in whole cents; what moves and its records have all decimals', async () => {
    const { ann, boss, customer, balance, audited } = await startShop()
    const first = await customer(boss, { name: 'acme-customer-berlin-1', balance: 10.5097 })
    await customer(boss, { name: 'acme-customer-berlin-2', balance: 10.5 })
    await customer(boss, { name: 'acme-customer', balance: 1 })
    ann.send('/users')
    expect(await ann.read('Sub-users: 3')).toContain(
      '1. ✅ acme-customer-berlin-2 · 10.50 USD\n2. ✅ acme-customer-berlin-1 · 10.50 USD',
    )
    expect(ann.buttons().slice(0, 3)).toEqual([
      '✅ acme-customer · 1.00 USD',
      '1. ✅ acme-customer… · 10.50',
      '2. ✅ acme-customer… · 10.50',
    ])
    await ann.press('2. ✅ acme-customer… · 10.50')
    expect(await ann.read('👤 acme-customer-berlin-1')).toContain(
      '💰 Balance: 10.50 USD\nTopped up: 10.50 USD · spent: 0.00 USD',
    )
    await ann.press('💰 Adjust balance')
    await ann.press('Deduct all: 10.5097 USD')
    const confirm = await ann.read('acme-customer-berlin-1: 10.50 USD → 0.00 USD')
    expect(confirm).toContain('Change: -10.5097 USD')
    expect(confirm).toContain('Your balance: 100.00 USD → 110.50 USD')
    await ann.press('➖ Deduct 10.5097 USD')
    await ann.waitFor('✅ Balance changed: -10.5097 USD')
    expect([await balance(first), await balance(boss)]).toEqual([0, 110.5097])
    ann.send('/balance')
    await ann.waitFor('110.50 USD')
    ann.send('/records')
    expect(await ann.read('+10.5097 USD')).toContain('110.5097')
    await audited()
  })
})

describe('the file of sub-users', () => {
  it('has balances, proxies and traffic of those that the list shows, in the language of the chat', async () => {
    const shop = await startShop({ ...ANN, languageCode: 'zh' })
    const { ann, boss, core, product, stock, order, buyTraffic, customer, runJobs } = shop
    await product()
    await product('traffic', {
      pool: 'dynamic_1',
      proxyType: 104,
      price: 2,
      names: { en: 'Rotating', zh: '动态' },
    })
    await stock('static', 3)
    const anna = await customer(boss, { name: 'anna', balance: 40 })
    await customer(boss, { name: 'ben', balance: 1.5 })
    await order(anna, { ipCount: 3 })
    await buyTraffic(anna, { trafficAmount: 1.5 })
    await runJobs()
    await core.accounts.editSubUserContact(boss, anna.id, { remark: '=VIP' })
    ann.send('/users')
    await ann.press('⋯ 更多')
    await ann.press('📄 导出文件')
    const table = await ann.file(await ann.waitFor('2 个下级用户'))
    expect(table.fileName).toBe('users.csv')
    const [header, ...rows] = table.content.toString().replace('\uFEFF', '').trim().split('\r\n')
    expect(header).toBe(
      'ID,用户名,状态,余额,累计充值,累计消费,可用代理 IP,剩余流量 (GB),邮箱,手机,备注,创建时间 (UTC)',
    )
    expect(rows).toEqual([
      expect.stringMatching(/^\d+,ben,正常,1\.50,1\.50,0\.00,0,0,,,,20/),
      expect.stringMatching(/^\d+,anna,正常,34\.00,40\.00,6\.00,3,1\.5,,,'=VIP,20/),
    ])
    await ann.press('‹ 返回')
    await ann.press('🔍 搜索')
    ann.send('ann')
    await ann.waitFor('🔍 ann')
    await ann.press('⋯ 更多')
    await ann.press('📄 导出文件')
    await ann.waitFor('1 个下级用户')
  })
})

describe('creating a sub-user', () => {
  it('asks for one thing after the other, says what is wrong, and shows a password that it made once', async () => {
    const shop = await startShop()
    const { ann, customer, boss, balance, audited } = shop
    await customer(boss, { name: 'taken' })
    ann.send('/users')
    await ann.press('➕ New sub-user')
    await ann.waitFor('Send me the username')
    for (const [wrong, problem] of [
      ['ab', 'At least 3 characters'],
      ['a b c', 'No spaces'],
      ['TAKEN', 'This username is taken'],
      ['n'.repeat(51), 'At most 50 characters'],
    ] as const) {
      ann.send(wrong)
      await ann.waitFor(problem)
    }
    ann.send('anna')
    await ann.waitFor('let me generate one')
    ann.send('short')
    await ann.waitFor('At least 6 characters')
    await pressOften(shop, ann, '🎲 Generate one')
    // Two presses too many have not answered the next questions as well.
    await ann.waitFor('Send me the e-mail address')
    ann.send('nowhere')
    await ann.waitFor('not an e-mail address')
    ann.send('anna@example.com')
    await ann.waitFor('phone number')
    ann.send('123')
    await ann.waitFor('has 11 digits')
    await ann.press('Skip')
    await ann.waitFor('initial balance')
    for (const [wrong, problem] of [
      ['1.5.0', 'not an amount'],
      ['-5', 'not an amount'],
      ['100.000001', 'short by 0.000001 USD'],
    ] as const) {
      ann.send(wrong)
      await ann.waitFor(problem)
    }
    await ann.press('50')
    await ann.waitFor('remark')
    ann.sendFile(csv('x', 'remark.txt'))
    await ann.waitFor('as a text message')
    ann.send('Met <b>at</b> the fair')
    await ann.waitFor('Your balance: 100.00 USD → 50.00 USD')
    expect(ann.screen().text).toContain('Remark: Met <b>at</b> the fair')
    ann.send('yes')
    await ann.waitFor('Please press one of the buttons')

    await pressOften(shop, ann, '✅ Create the account')
    const created = await ann.waitFor('✅ anna has been created with a balance of 50.00 USD')
    const password = /Password: (\w{14})/.exec(created.text)?.[1] ?? ''
    const copy = created.keyboard.flat().find(({ kind }) => kind === 'copy')
    expect(copy?.value).toBe(`anna\n${password}`)
    expect((await enter(shop, 'anna', password)).account.balance).toBe(50_000_000)
    expect(await balance(boss)).toBe(50)
    await audited()
    await ann.press('👤 Open')
    await ann.waitFor('👤 anna')
    await expectHidden(shop, password)
  })

  it('takes a password that the agent chose, and skips the rest', async () => {
    const shop = await startShop(BEN)
    const ben = shop.ann
    ben.send('/users')
    await ben.press('➕ 新建用户')
    await ben.waitFor('请发送用户名')
    ben.send('王小明')
    await ben.waitFor('请发送密码')
    ben.send('secret-of-wang')
    await ben.waitFor('请发送邮箱地址')
    await ben.press('跳过其余 ›')
    await ben.waitFor('密码：使用您发送的密码')
    await ben.press('✅ 创建账号')
    expect(await ben.read('已创建')).not.toContain('secret-of-wang')
    await enter(shop, '王小明', 'secret-of-wang')
    await expectHidden(shop, 'secret-of-wang')
  })

  it('is refused when somebody else was faster with the name, and starts again from the menu', async () => {
    const { ann, customer } = await startShop()
    ann.send('/users')
    await ann.press('➕ New sub-user')
    await ann.waitFor('username')
    ann.send('anna')
    await ann.press('🎲 Generate one')
    await ann.press('Skip the rest ›')
    await ann.waitFor('Password: generated')
    await customer(null, { name: 'Anna' })
    await ann.press('✅ Create the account')
    await ann.waitFor('This username is taken')
    await ann.waitForButton('👥 Sub-users')
  })
})

describe('a button that answers a question', () => {
  it('does nothing any more when the dialogue is over, and leads to the menu when it was lost', async () => {
    const { ann, db, telegram } = await startShop()
    const askForPassword = async () => {
      ann.send('/users')
      await ann.press('➕ New sub-user')
      await ann.waitFor('Send me the username')
      ann.send('anna')
      return (await ann.waitForButton('🎲 Generate one')).button.value
    }
    const old = await askForPassword()
    ann.send('/menu')
    const menu = await ann.waitFor('👤 boss')
    expect((await telegram.pressStale(ANN.id, menu.messageId, old)).text).toBe('This was answered already.')
    expect(ann.screen().text).toBe(menu.text)

    // The buttons of one dialogue are no answers in another.
    await askForPassword()
    await telegram.pressStale(ANN.id, ann.screen().message.messageId, old)
    await ann.press('🎲 Generate one')
    await ann.waitFor('Send me the e-mail address')
    await db.write((tx) => rowsOf(tx)`UPDATE dialogues SET value = 'not what was stored'`)
    await ann.press('Skip')
    await ann.waitFor('Nothing was done; please start again')
    await ann.waitForButton('👥 Sub-users')
  })
})

describe('creating many sub-users', () => {
  it('takes pasted lines, names the bad ones in the language of the chat, and sends the passwords once', async () => {
    const shop = await startShop(BEN)
    const { ann: ben, boss, customer, balance, audited, db } = shop
    await customer(boss, { name: 'taken' })
    ben.send('/users')
    await ben.press('⋯ 更多')
    await ben.press('📋 批量创建')
    await ben.waitFor('最多 200 行')
    ben.send('anna,,10\nx,12345,ten\ntaken,,,nowhere,123\nANNA,a,b,c,d,e')
    const bad = await ben.read('这次发送的内容都没有添加')
    expect(bad).toContain(
      [
        '第 2 行，用户名：至少需要 3 个字符。',
        '第 2 行，密码：至少需要 6 个字符。',
        '第 2 行，余额：金额格式不正确，请按 25 或 12.50 的格式输入，最多 6 位小数。',
        '第 3 行，邮箱：邮箱地址格式不正确。',
        '第 3 行，手机：手机号必须是 11 位数字。',
      ].join('\n'),
    )
    expect(bad).toContain('第 3 行，用户名：该用户名已被占用。')
    expect(bad).toContain('第 4 行，用户名：该用户名在列表中重复。')
    ben.send('anna,"open')
    await ben.waitFor('第 1 行：引号没有成对')
    ben.send(Array.from({ length: 30 }, () => 'x').join('\n'))
    await ben.waitFor(/……另有 \d+ 处/)
    ben.send('anna,,60\nben,,50')
    await ben.waitFor('余额不足')

    ben.send('anna,,10.5')
    await ben.waitFor('新建 1 个下级用户')
    // A long paste comes in pieces.
    ben.send('=ben，secret-of-ben，20，，，"first, best"')
    const preview = await ben.read('新建 2 个下级用户')
    expect(preview).toContain('• anna：10.50 USD，密码自动生成\n• =ben：20.00 USD\n')
    expect(preview).toContain('您的余额：100.00 USD → 69.50 USD')
    expect(await db.read.account.count({ where: { agentId: boss.id } })).toBe(1)

    await pressOften(shop, ben, '✅ 创建 2 个账号')
    await ben.waitFor('已创建 2 个账号')
    const sent = shop.telegram.messages(BEN.id).filter(({ file }) => file)
    expect(sent).toHaveLength(1)
    const { content, fileName } = await ben.file(sent[0] ?? ben.screen().message)
    expect(fileName).toBe('users.csv')
    const [, made = ''] = /^anna,(\w{14}),10\.50,,,$/m.exec(content.toString()) ?? []
    expect(content.toString()).toBe(
      `\uFEFFusername,password,balance,email,phone,remark\r\nanna,${made},10.50,,,\r\n'=ben,,20.00,,,"first, best"\r\n`,
    )
    // The screen is the last message, below the file.
    expect(ben.screen().text).toContain('已创建 2 个账号')
    await enter(shop, 'anna', made)
    await enter(shop, '=ben', 'secret-of-ben')
    expect(await balance(boss)).toBe(69.5)
    await audited()
    await expectHidden(shop, made, 'secret-of-ben')
  })

  it('shows how far it is while it lasts', async () => {
    const { ann, telegram, clock } = await startShop()
    ann.send('/users')
    await ann.press('⋯ More')
    await ann.press('📋 Many at once')
    await ann.waitFor('up to 200 lines')
    ann.send('anna\nben\ncarl\ndora\nemil')
    await ann.waitForButton('✅ Create 5 accounts')
    // From now on each look at the clock takes a second.
    const stopped = { ...clock }
    clock.now = () => {
      clock.advance(1000)
      return stopped.now()
    }
    await ann.press('✅ Create 5 accounts')
    await ann.waitFor('5 accounts are created')
    const shown = telegram.calls().map(({ parameters }) => String(parameters['text']))
    expect(shown.find((text) => text.includes('▰'))).toMatch(
      /^⏳ The accounts are being created…\n▰+▱+ \d of 5 · (a few seconds|about \d+ s)$/,
    )
  })

  it('takes a file in UTF-8 of at most 256 KB, and says what is wrong with another', async () => {
    const { ann, telegram, db } = await startShop()
    ann.send('/users')
    await ann.press('⋯ More')
    await ann.press('📋 Many at once')
    await ann.waitFor('up to 200 lines')
    const text = 'username,balance\nann\u00e4,1\nben,2\n'
    for (const [file, problem] of [
      [csv('x'.repeat(256 * 1024 + 1)), 'too big'],
      [csv(Buffer.from(`\uFEFF${text}`, 'utf16le')), 'not in UTF-8'],
      [csv('username,nickname\nanna,x'), 'Line 1: The header has an unknown column'],
      [csv(Buffer.from(text, 'utf16le')), 'not in UTF-8'],
      [csv(' \n\n'), 'no lines'],
      [csv(Buffer.from('d3c3bba7c3fb2cc3dcc2eb0a', 'hex')), 'not in UTF-8'],
      [csv('a,b\n'.repeat(201)), 'At most 200 at a time'],
    ] as const) {
      ann.sendFile(file)
      await ann.waitFor(problem)
    }
    telegram.inject({ method: 'getFile', kind: 'server-error', times: 3 })
    ann.sendFile(csv(text))
    await ann.waitFor('did not arrive')
    telegram.clearFaults()
    ann.sendFile(csv(`\uFEFF${text}`))
    await ann.waitFor('2 new sub-users')
    // Nothing that was sent is left in the chat.
    expect(telegram.messages(ANN.id).filter(({ file }) => file)).toEqual([])
    await ann.press('✅ Create 2 accounts')
    await ann.waitFor('2 accounts are created')
    expect(await db.read.account.count({ where: { username: { in: ['ann\u00e4', 'ben'] } } })).toBe(2)

    // Whoever chose all passwords needs no file of them.
    const files = () => telegram.messages(ANN.id).filter(({ file }) => file).length
    expect(files()).toBe(1)
    await ann.press('‹ Back')
    await ann.press('⋯ More')
    await ann.press('📋 Many at once')
    await ann.waitFor('up to 200 lines')
    ann.send('carl,secret-of-carl')
    await ann.waitFor('1 new sub-user')
    await ann.press('✅ Create the account')
    expect(await ann.read('1 account is created')).not.toContain('file')
    expect(files()).toBe(1)
  })

  it('says so when the file with the passwords does not get through', async () => {
    const { ann, telegram } = await startShop()
    ann.send('/users')
    await ann.press('⋯ More')
    await ann.press('📋 Many at once')
    await ann.waitFor('up to 200 lines')
    ann.send('anna')
    await ann.waitFor('1 new')
    telegram.inject({ method: 'sendDocument', kind: 'server-error', times: 3 })
    await ann.press('✅ Create the account')
    await ann.waitFor('could not be sent')
  })
})

describe('changing a sub-user', () => {
  it('moves money both ways after showing both balances, and once however often the button is pressed', async () => {
    const shop = await startShop()
    const { ann, boss, customer, balance, entries, audited } = shop
    const user = await customer(boss, { name: 'anna', balance: 5 })
    ann.send('/users')
    await ann.press(/anna/)
    await ann.waitFor('👤 anna')
    await ann.press('💰 Adjust balance')
    await ann.waitFor('Your balance: 100.00 USD')
    for (const [wrong, problem] of [
      ['ten', 'not an amount'],
      ['0', 'not an amount'],
      ['1.0000001', 'not an amount'],
      ['-5.01', 'has only'],
      ['101', 'Your own balance is short by 1.00 USD'],
    ] as const) {
      ann.send(wrong)
      await ann.waitFor(problem)
    }
    // As a Chinese keyboard writes it.
    ann.send('＋１２．５０')
    await ann.waitFor('Change: +12.50 USD')
    ann.send('r'.repeat(256))
    await ann.waitFor('At most 255 characters')
    ann.send('Paid <in> cash')
    const confirm = await ann.read('anna: 5.00 USD → 17.50 USD')
    expect(confirm).toContain('Remark: Paid <in> cash')
    expect(confirm).toContain('Your balance: 100.00 USD → 87.50 USD')
    await pressOften(shop, ann, '✅ Add 12.50 USD')
    await ann.waitFor('✅ Balance changed: +12.50 USD')
    expect([await balance(user), await balance(boss)]).toEqual([17.5, 87.5])
    expect((await entries(user)).at(-1)).toMatchObject({ remark: 'Paid <in> cash' })

    await ann.press('💰 Adjust balance')
    await ann.press('-10')
    expect(await ann.read('anna: 17.50 USD → 7.50 USD')).toContain('Remark: Adjusted by the agent')
    await ann.press('➖ Deduct 10.00 USD')
    await ann.waitFor('✅ Balance changed: -10.00 USD')
    expect((await entries(user)).at(-1)).toMatchObject({ remarkKind: 'adjusted_by_agent' })
    await ann.press('💰 Adjust balance')
    await ann.waitForButton('Deduct all: 7.50 USD')
    expect(ann.buttons()).not.toContain('-10')
    await ann.press('Deduct all: 7.50 USD')
    await ann.waitFor('Change: -7.50 USD')
    await ann.press('Cancel')
    await ann.waitFor('💰 Balance: 7.50 USD')
    expect([await balance(user), await balance(boss)]).toEqual([7.5, 97.5])
    await audited()
  })

  it('gives another username or password, typed or made', async () => {
    const shop = await startShop()
    const { ann, boss, customer } = shop
    await customer(boss, { name: 'anna' })
    await customer(boss, { name: 'taken' })
    ann.send('/users')
    await ann.press(/anna/)
    await ann.press('✏️ Username')
    await ann.waitFor('letters, digits, _ and -')
    ann.send('王小明')
    await ann.waitFor('Only letters')
    ann.send('Taken')
    await ann.waitFor('is taken')
    ann.send('anna_2')
    await ann.waitFor('Username changed')
    expect(ann.screen().text).toContain('👤 anna_2')

    const token = (await enter(shop, 'anna_2', PASSWORD)).token
    await ann.press('🔑 Password')
    await ann.waitFor('logged out everywhere')
    ann.send('tiny')
    await ann.waitFor('At least 6')
    ann.send('typed-by-the-agent')
    await ann.waitFor('Password changed')
    await enter(shop, 'anna_2', 'typed-by-the-agent')
    await refused(shop.core.accounts.authenticate(token), 'token_invalid')

    await ann.press('🔑 Password')
    await ann.press('🎲 Generate one')
    const made = await ann.waitFor('new password of anna_2')
    const [name, password = ''] =
      made.keyboard
        .flat()
        .find(({ kind }) => kind === 'copy')
        ?.value.split('\n') ?? []
    expect(name).toBe('anna_2')
    await enter(shop, 'anna_2', password)
    await ann.press('‹ Back')
    await ann.waitFor('👤 anna_2')
    await expectHidden(shop, 'typed-by-the-agent', password)
  })

  it('changes e-mail address, phone number and remark later, and empties them', async () => {
    const shop = await startShop()
    const { ann, boss, customer, core } = shop
    const user = await customer(boss, { name: 'anna' })
    const contact = async () => {
      const { email, phone, remark } = await core.accounts.getSubUser(boss, user.id)
      return [email, phone, remark]
    }
    ann.send('/users')
    await ann.press(/anna/)
    await ann.press('✉️ E-mail')
    await ann.waitFor('E-mail address of anna')
    expect(ann.buttons()).not.toContain('Leave it empty')
    ann.send('anna@')
    await ann.waitFor('not an e-mail address')
    ann.send('anna@example.com')
    await ann.waitFor('✅ E-mail address of anna changed')
    await ann.press('📱 Phone')
    ann.send('13800138000')
    await ann.waitFor('Phone: 13800138000')
    await ann.press('📝 Remark')
    ann.send('pays on Fridays')
    await ann.waitFor('Remark: pays on Fridays')
    expect(await contact()).toEqual(['anna@example.com', '13800138000', 'pays on Fridays'])
    await ann.press('📝 Remark')
    await ann.press('Leave it empty')
    await ann.waitFor('✅ Remark of anna changed')
    expect(await contact()).toEqual(['anna@example.com', '13800138000', ''])
  })

  it('deletes after the name was typed, and says what comes back', async () => {
    const { ann, boss, customer, balance, core, audited } = await startShop()
    const user = await customer(boss, { name: 'anna', balance: 30 })
    ann.send('/users')
    await ann.press(/anna/)
    await ann.press('🗑 Delete')
    await ann.waitFor('The balance of 30.00 USD returns to you')
    ann.send('ben')
    await ann.waitFor('Nothing was deleted')
    ann.send('Anna')
    await ann.waitFor('anna has been deleted. 30.00 USD returned')
    expect([await balance(user), await balance(boss)]).toEqual([0, 130])
    await ann.press('‹ Back')
    await ann.press('🎛 Filter')
    await ann.press('🗑 Deleted 1')
    await ann.press('🗑 anna · 0.00 USD')
    await ann.waitFor('👤 anna')
    expect(ann.buttons()).toEqual(['📦 Proxies', '📶 Traffic', '📒 Records', '‹ Back', '🏠 Menu'])
    await refused(
      core.accounts.adjustSubUserBalance(boss, user.id, { amount: 1, remark: 'x' }),
      'sub_user_not_found',
    )
    await audited()
  })
})

describe('sub-users', () => {
  it('are out of reach for other agents and for customers, whatever buttons they forge', async () => {
    const { ann, boss, customer, phone, telegram, agent, balance, db, bugs } = await startShop()
    const user = await customer(boss, { name: 'anna', balance: 5 })
    await agent({ name: 'rival', balance: 100 })
    const before = JSON.stringify(await db.read.account.findUnique({ where: { id: user.id } }), bigints)
    const strangers = [
      [
        phone({ id: 601, firstName: 'Rival', languageCode: 'en' }),
        'rival',
        'This is not one of your sub-users.',
      ],
      [
        phone({ id: 602, firstName: 'Customer', languageCode: 'en' }),
        'customer',
        'Only agents have sub-users.',
      ],
    ] as const
    for (const [stranger, username, reason] of strangers) {
      await logIn(stranger, { username, password: PASSWORD })
      const forge = (data: string) =>
        telegram.pressStale(stranger.chatId, stranger.screen().message.messageId, data)
      for (const action of [
        'user',
        'ustatus',
        'uinvite',
        'umoney',
        'uname',
        'upass',
        'ucontact',
        'udelete',
      ]) {
        expect(await forge(`${action}:${user.id}:1:disabled`), action).toEqual({
          text: reason,
          showAlert: true,
        })
        expect(stranger.screen().text).not.toContain('anna')
      }
      for (const nonsense of [
        'user',
        'user:x',
        'user:99999',
        'ustatus:1:zz:deleted',
        'users:999999999999a',
        'users:0',
      ])
        await forge(nonsense)
    }
    expect(bugs()).toEqual([])
    const [, [visitor]] = strangers
    for (const data of ['users', 'ucreate', 'umany', 'usearch:1'])
      expect(
        await telegram.pressStale(visitor.chatId, visitor.screen().message.messageId, data),
        data,
      ).toEqual({ text: 'Only agents have sub-users.', showAlert: true })
    visitor.send('/users')
    await visitor.waitFor('Only agents have sub-users')
    expect(JSON.stringify(await db.read.account.findUnique({ where: { id: user.id } }), bigints)).toBe(before)
    expect(await balance(boss)).toBe(100)

    // A question about somebody who goes away ends in the menu.
    ann.send('/users')
    await ann.press(/anna/)
    await ann.press('💰 Adjust balance')
    await ann.waitFor('Balance of anna')
    await db.write((tx) => rowsOf(tx)`UPDATE accounts SET status = 'deleted' WHERE id = ${user.id}`)
    ann.send('5')
    await ann.waitFor('no longer exists')
    await ann.waitForButton('👥 Sub-users')
  })
})

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
