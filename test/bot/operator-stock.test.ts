import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBot, type StartBotOptions } from '../support/bot.ts'
import { temporaryDirectory } from '../support/service.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OPS_ZH = { id: 701, firstName: '小林', languageCode: 'zh' }
const HEADING = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'

async function startShop(options: StartBotOptions = {}) {
  const shop = await startBot({ operatorChats: [OPS.id, OPS_ZH.id], ...options })
  await shop.product('static')
  const ops = shop.phone(OPS)
  const stored = () => shop.db.read.stockIp.findMany({ orderBy: { id: 'asc' } })
  /** Neither in the chat nor in what is stored of it: the list of the tests has the password `hush-hush`. */
  const expectSecret = async (chatId = OPS.id) => {
    expect(JSON.stringify(shop.telegram.messages(chatId))).not.toContain('hush-hush')
    expect(JSON.stringify(await shop.core.chats.session(chatId, 'en'))).not.toContain('hush-hush')
    expect(JSON.stringify(await shop.core.chats.readDraft(chatId))).not.toContain('hush-hush')
    expect(shop.log.join('')).not.toContain('hush-hush')
    expect(shop.bugs()).toEqual([])
  }
  return { ...shop, ops, stored, expectSecret }
}

const csv = (...lines: string[]) => ({
  fileName: 'stock.csv',
  mimeType: 'text/csv',
  content: Buffer.from(lines.join('\n')),
})

test('500 addresses of a file are in the stock after one press; again, they are there already', async () => {
  const { ops, stored, expectSecret } = await startShop()
  const lines = Array.from(
    { length: 500 },
    (_, at) => `static,198.51.${100 + Math.floor(at / 250)}.${at % 250},8000,u${at},hush-hush,us,,,`,
  )
  ops.sendFile(csv(HEADING, ...lines))
  await ops.waitFor(/500 proxies in your list\.[^]*New: 500/)
  expect(await stored()).toEqual([])
  await expectSecret()
  await ops.press('✅ Add 500')
  await ops.waitFor('500 proxies added.')
  expect(await stored()).toHaveLength(500)
  ops.sendFile(csv(HEADING, ...lines))
  await ops.waitFor('New: 0 · already in the stock, left as they are: 500')
  expect(ops.buttons()).not.toContain('✅ Add 0')
  await expectSecret()
})

test('a file of a Bot API server that runs with --local is read below the folder that is named, and nowhere else', async () => {
  const folder = await temporaryDirectory()
  const { ops, telegram, log } = await startShop({ files: folder })
  telegram.serveLocally(join(folder, 'bot'))
  const list = csv(HEADING, 'static,198.51.100.1,8000,u,hush-hush,us,,,')
  ops.sendFile(list)
  await ops.waitFor('1 proxy in your list')
  telegram.serveLocally(await temporaryDirectory())
  ops.sendFile(list)
  await ops.waitFor('did not arrive')
  expect(log.join('')).toContain('TELEGRAM_FILES')
})

test('bad lines are named with their reasons, and nothing is taken', async () => {
  const { ops, stored, expectSecret } = await startShop()
  ops.sendFile(
    csv(
      HEADING,
      'static,198.51.100.1,8000,u,hush-hush,US,,,',
      'static,127.0.0.1,8000,u,hush-hush,US,,,',
      'static,198.51.100.3,0,u,hush-hush,XX,,,',
    ),
  )
  const refused = await ops.read(/3 lines are wrong/)
  expect(refused).toContain('line 3: not an IP address that customers could reach')
  expect(refused).toContain('line 4: the port must be 1-65535')
  expect(refused).toContain('line 4: not a country code of two letters')
  ops.sendFile(
    csv(HEADING, 'other,198.51.100.1,8000,u,hush-hush,US,,,', 'static,198.51.100.1,1,u,hush-hush,US,,,'),
  )
  await ops.waitFor(/line 2: there is no such product/)
  expect(await stored()).toEqual([])
  await expectSecret()
})

test('pasted lines: product and place are asked, several ports of an address are told, and an old button does nothing', async () => {
  const { ops, stored, expectSecret, telegram, product } = await startShop()
  await product('other')
  ops.send('/stock')
  await ops.waitFor(/Send me proxies/)
  ops.send('198.51.100.1:8001:u:hush-hush\n198.51.100.1:8002:u:hush-hush\nu:hush-hush@198.51.100.2:8001')
  await ops.waitFor('What should I do with them?')
  await ops.press('➕ Add to the stock')
  await ops.waitFor('Which product are they for?')
  await ops.press(/^static · /)
  await ops.waitFor('Where are they?')
  await expectSecret()
  ops.send('Nowhere')
  await ops.waitFor('Please send a country code')
  ops.send('jp - jptyo')
  const plan = await ops.read(/New: 3/)
  expect(plan).toContain('Place: 🇯🇵 Japan, Tokyo')
  expect(plan).toContain('Addresses with several ports, each sold by itself: 1')
  const { message } = ops.screen()
  await ops.press('✅ Add 3')
  await ops.waitFor('3 proxies added.')
  expect(await stored()).toMatchObject([
    { ip: '198.51.100.1', port: 8001, username: 'u', password: 'hush-hush' },
    { ip: '198.51.100.1', port: 8002 },
    { ip: '198.51.100.2', port: 8001 },
  ])
  const confirm = message.keyboard.flat().find(({ text }) => text === '✅ Add 3')
  const again = await telegram.pressStale(OPS.id, message.messageId, confirm?.value ?? '')
  expect(again.text).toBe('This list is no longer available. Please send it again.')
  expect(await stored()).toHaveLength(3)
  await expectSecret()
})

test('the place is one press where the product has proxies already', async () => {
  const { ops, stored, stock } = await startShop()
  await stock('static', 1, { ips: ['198.51.100.1'] })
  ops.send('/stock')
  await ops.waitFor(/For sale: 1/)
  ops.send('198.51.100.2,8000,u,p')
  await ops.press('➕ Add to the stock')
  await ops.press('🇺🇸 United States')
  await ops.press('✅ Add 1')
  await ops.waitFor('1 proxy added.')
  expect(await stored()).toHaveLength(2)
})

test('new credentials, off sale, on sale, and proxies that rest, sent back completed or as they are', async () => {
  const { ops, stored, stock, db } = await startShop()
  await stock('static', 2, { ips: ['198.51.100.1', '198.51.100.2'] })
  ops.send('/stock')
  await ops.waitFor(/For sale: 2/)
  ops.send('198.51.100.1\n198.51.100.9')
  await ops.press('⏸ Take off sale')
  await ops.press('✅ Take 2 off sale')
  await ops.waitFor('198.51.100.9: is not in the stock')
  ops.send('198.51.100.1')
  await ops.press('⏸ Take off sale')
  await ops.press('✅ Take 1 off sale')
  await ops.waitFor('1 proxy off sale.')
  expect(await stored()).toMatchObject([{ disabled: true }, { disabled: false }])
  ops.sendFile({ fileName: 'ips.txt', mimeType: 'text/plain', content: Buffer.from('198.51.100.1\n') })
  await ops.press('▶️ Put on sale')
  await ops.press('✅ Put 1 on sale')
  await ops.waitFor('1 proxy on sale.')

  await db.write((tx) => tx.stockIp.updateMany({ data: { resting: true } }))
  await ops.press('📥 Stock')
  await ops.press('🛌 Resting proxies (2)')
  const sent = await ops.waitFor(({ file }) => file !== undefined)
  const { content } = await ops.file(sent)
  const [heading, first = '', second = ''] = content.toString().trim().split('\n')
  expect(heading).toBe('ip,port,username,password')
  ops.sendFile(csv(heading ?? '', `${first}fresh`))
  await ops.press('🔑 New credentials')
  await ops.press('✅ Change 1')
  await ops.waitFor('1 proxy changed.')
  ops.sendFile(csv(heading ?? '', second))
  await ops.press('♻️ Sell resting ones as is')
  await ops.press('✅ Sell 1 as they are')
  await ops.waitFor('1 proxy for sale as they are.')
  expect(await stored()).toMatchObject([{ password: 'fresh', resting: false }, { resting: false }])
})

test('in Chinese; and a file of somebody else is none for the stock', async () => {
  const { phone, stored } = await startShop()
  const zh = phone(OPS_ZH)
  zh.sendFile(csv(HEADING, 'static,nowhere,8000,u,p,US,,,'))
  await zh.waitFor('第 2 行：不是客户可以连接的 IP')
  const other = phone({ id: 799, firstName: 'Otto', languageCode: 'en' })
  other.sendFile(csv(HEADING, 'static,198.51.100.1,8000,u,p,US,,,'))
  await other.waitFor(/buttons/)
  expect(await stored()).toEqual([])
})

test('lines as vendors write them are taken, and what names no address is refused at once', async () => {
  const { ops, stored, expectSecret } = await startShop()
  const lines = [
    'http://u:hush-hush%40%2F1@198.51.100.1:8000',
    'u:hush-hush:198.51.100.2:8000',
    'socks5://198.51.100.3:8000:u:hush-hush',
    '198.51.100.4:8000@u:hush-hush',
    'u:hush-hush%40@[2001:db8::5]:8000',
    'https://u:hush-hush@198.51.100.6:8000/',
    'u:hush@hush-hush@198.51.100.7:8000',
  ]
  ops.sendFile(csv(...lines, 'hush-hush', 'u:hush-hush@proxy.example:8000'))
  const refused = await ops.read(/2 lines are wrong/)
  expect(refused).toMatch(/line 8: not an IP address[^]*line 9: not an IP address/)
  ops.sendFile(csv(...lines))
  await ops.waitFor('What should I do with them?')
  await ops.press('➕ Add to the stock')
  await ops.waitFor('Where are they?')
  ops.send('DE')
  await ops.press('✅ Add 7')
  await ops.waitFor('7 proxies added.')
  expect((await stored()).map(({ ip, port, username, password }) => [ip, port, username, password])).toEqual([
    ['198.51.100.1', 8000, 'u', 'hush-hush@/1'],
    ['198.51.100.2', 8000, 'u', 'hush-hush'],
    ['198.51.100.3', 8000, 'u', 'hush-hush'],
    ['198.51.100.4', 8000, 'u', 'hush-hush'],
    ['2001:db8::5', 8000, 'u', 'hush-hush%40'],
    ['198.51.100.6', 8000, 'u', 'hush-hush'],
    ['198.51.100.7', 8000, 'u', 'hush@hush-hush'],
  ])
  await expectSecret()
})

test('what one costs per month is typed before the list is added, and the profit counts it', async () => {
  const { ops, stored, customer, order, runJobs, expectSecret } = await startShop()
  ops.send('/stock')
  await ops.waitFor(/Send me proxies/)
  ops.send('198.51.100.1:8001:u:hush-hush\n198.51.100.2:8001:u:hush-hush')
  await ops.press('➕ Add to the stock')
  ops.send('us')
  await ops.waitFor(/Cost: not known[^]*send what one of them costs you a month/)
  ops.send('cheap')
  await ops.waitFor('Please send an amount such as 1.20')
  ops.send('$0.40')
  await ops.waitFor('Cost: 0.80 USD a month for all')
  await ops.press('✅ Add 2')
  await ops.waitFor('2 proxies added.')
  expect(await stored()).toMatchObject([{ monthlyCost: 400_000n }, { monthlyCost: 400_000n }])
  await order(await customer(null, { balance: 10 }))
  await runJobs()
  ops.send('/operator')
  await ops.press('📊 Today so far')
  await ops.press('💹 Profit')
  await ops.waitFor('Cost 0.40 USD, margin 0.60 USD')
  await expectSecret()
})
