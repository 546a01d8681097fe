import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Download } from 'playwright-core'
import { ProxyAgent, request } from 'undici'
import { DEMO_ACCOUNTS } from '../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../src/sandbox/sandbox.ts'
import { barriers } from './support/axe.ts'
import { chromiumPath, openPage, webPhone, webWallet } from './support/browser.ts'
import { shared } from './support/clean-up.ts'
import { startProcess } from './support/process.ts'
import { sandboxFolder } from './support/sandbox-folder.ts'

if (!chromiumPath)
  process.stderr.write('The browser test is skipped: no Chromium found (set CHROMIUM_PATH to one).\n')

describe.skipIf(!chromiumPath)('the sandbox in Chromium', () => {
  const chats = shared(async () => {
    const directory = await sandboxFolder()
    // Nobody presses as fast as this test.
    const environment = {
      PORT: '0',
      GATEWAY_PORT: '0',
      DATABASE_URL: `file:${directory}/reseller.db`,
      RATE_LIMIT_CHAT: '0',
    }
    const product = await startProcess(environment, directory)
    const opened = await openPage({ locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'] })
    await opened.page.goto(product.address)
    return opened
  })

  const linesOf = async (file: Download) => (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)

  it('is where a customer spends a day: buys what is too dear, tops up, goes on, renews, uses traffic', async () => {
    const { page } = chats()
    const phone = webPhone(page, PEOPLE.customer.id)
    const wallet = webWallet(page)
    await phone.start()
    await phone.see('Proxies for your business')
    await phone.press('Log in')
    await phone.see('Send me your username')
    await phone.send(DEMO_ACCOUNTS.customer.username)
    await phone.see('send me your password')
    await phone.send(DEMO_ACCOUNTS.customer.password)
    expect(await phone.see('Main menu')).toContain('50.00 USD')
    expect(await phone.typed()).toContain('/start')
    expect(await phone.typed()).not.toContain(DEMO_ACCOUNTS.customer.password)

    for (const choice of ['Buy proxies', /^20$/]) await phone.press(choice)
    expect(await phone.see('short by 30.00 USD')).toContain('Total: 80.00 USD')
    await phone.press('Top up 30.00 USD')
    await phone.see('short by 30.00 USD. The first button covers it')
    await phone.press('100 USDT')
    await phone.see('Waiting for your payment')
    await phone.picture()
    await wallet.fillIn()
    await wallet.pay()
    await wallet.see('confirming')
    await wallet.letMinutePass()
    await phone.see('Your top-up has arrived')
    await phone.press('Continue the purchase')
    await phone.press('Buy for 80.00 USD')
    await phone.see('Your proxies are ready (20)')
    const proxies = await linesOf(await phone.download())
    expect(proxies).toHaveLength(20)
    expect(proxies[0]).toMatch(/^192\.0\.2\.\d+:8000:\w+:\w+$/)

    await phone.press('Open the order')
    // The screen on which the purchase was waited for has "Details" as well, until the one below takes its place.
    await phone.see(/192\.0\.2\.\d+:8000:demo/)
    for (const choice of ['Details', '192.0.2.', 'Renew 1 month · 4.50 USD']) await phone.press(choice)
    await phone.see('Renewed and paid (1)')

    await phone.send('/traffic')
    for (const choice of [/^Dynamic residential · 1/, 'Buy traffic', '5 GB · 15.00 USD', 'Buy for 15.00 USD'])
      await phone.press(choice)
    await phone.see('5 GB bought')
    for (const choice of ['Get proxies', 'Sticky IP']) await phone.press(choice)
    await phone.offers('📌 10 min')
    await phone.press('Get it here')
    const line = /(127\.0\.0\.1:\d+):(\w+-session-\w+-lifetime-10):(\w+)/
    const extracted = await phone.see(line)
    await phone.copy()
    const [copied, gateway, username, password] = line.exec(extracted) ?? []
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(copied)
    const dispatcher = new ProxyAgent(`http://${username}:${password}@${gateway}`)
    const site = await request('http://example.com/ip', { dispatcher })
    expect(await site.body.json()).toMatchObject({ ip: expect.stringMatching(/^198\.18\.7\.\d+$/) as string })
    await dispatcher.close()

    await phone.send('/settings')
    await phone.press('Language: English')
    await phone.press('中文')
    expect(await phone.see('主菜单')).toMatch(
      /50\.5\d* USD[^]*可用代理 IP\uff1a47[^]*剩余流量\uff1a10\.(?:699|7) GB/,
    )
  })

  it('is where an agent spends a day: gives a new customer money, proxies and a link, looks at the figures', async () => {
    const { page } = chats()
    const phone = webPhone(page, PEOPLE.agent.id)
    await phone.send('/login')
    await phone.see('Send me your username')
    await phone.send(DEMO_ACCOUNTS.agent.username)
    await phone.see('send me your password')
    await phone.send(DEMO_ACCOUNTS.agent.password)
    await phone.see('Main menu')

    for (const choice of ['Sub-users', 'New sub-user']) await phone.press(choice)
    await phone.see('Send me the username')
    await phone.send('anna')
    for (const choice of ['Generate one', 'Skip the rest', 'Create the account']) await phone.press(choice)
    await phone.see('anna has been created')
    for (const choice of [/^👤 Open$/, 'Adjust balance', /^\+50$/]) await phone.press(choice)
    const both = await phone.see('anna: 0.00 USD → 50.00 USD')
    expect(both).toContain('Your balance: 1,000.00 USD → 950.00 USD')
    await phone.press('Add 50.00 USD')
    await phone.see('Balance changed: +50.00 USD')

    await phone.press('Buy proxies')
    // Anna's page has a button with the sign of the product, too.
    await phone.offers(/^🗓/)
    for (const choice of [/^🏷/, 'Datacenter', /^🗓/, '7 days', /^50$/]) await phone.press(choice)
    expect(await phone.see('Balance of anna: 50.00 USD')).toContain('For anna')
    await phone.press('Buy for 28.00 USD')
    expect(await phone.see('Your proxies are ready (50)')).toContain('For anna')
    expect(await linesOf(await phone.download())).toHaveLength(50)

    await phone.send('/menu')
    await phone.press('Dashboard')
    expect(await phone.see('Their balances')).toContain('Sub-users: 5')
    await phone.picture()
    await phone.press('Records')
    await phone.press('As .csv file')
    await phone.see('entries, newest first')
    const records = await linesOf(await phone.download())
    expect(records.filter((row) => /anna/.test(row) && /Purchase/.test(row))).toHaveLength(1)

    await phone.send('/users')
    for (const choice of [/anna · 22\.00 USD/, 'Invitation link']) await phone.press(choice)
    const [link = ''] = /https:\/\/t\.me\S+/.exec(await phone.see('Invitation for anna')) ?? []
    const other = webPhone(page, PEOPLE.customer.id)
    await other.send(link)
    await other.see('这是 anna 的邀请链接')
    await other.press('使用邀请登录')
    await other.see('欢迎\uff0canna')
    await other.send('a-password-of-her-own')
    await other.see('新密码已生效')
    await other.press('主菜单')
    expect(await other.see(/主菜单[^]*anna/)).toContain('可用代理 IP\uff1a50')

    await phone.press('Back')
    await phone.press('Disable')
    await phone.see('⛔ Disabled')
    await other.press('我的代理 IP')
    await other.see('您的账号已被禁用')
  })

  it('shows no error of its own, has no serious barriers, and fits a phone', async () => {
    const { page, problems } = chats()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(problems).toEqual([])
  })
})
