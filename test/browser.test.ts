import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { DEMO_ACCOUNTS } from '../src/sandbox/demo-data.ts'
import { PEOPLE } from '../src/sandbox/sandbox.ts'
import { chromiumPath, launchChromium, webPhone } from './support/browser.ts'
import { type ProductProcess, startProcess } from './support/process.ts'

if (!chromiumPath)
  process.stderr.write('The browser test is skipped: no Chromium found (set CHROMIUM_PATH to one).\n')

describe.skipIf(!chromiumPath)('the web chat of the sandbox in Chromium', { timeout: 60_000 }, () => {
  let directory: string
  let product: ProductProcess
  let browser: Browser
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'reseller-browser-'))
    product = await startProcess({ PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` }, directory)
    browser = await launchChromium()
    const context = await browser.newContext({
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(product.address)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await product?.terminate()
    await rm(directory, { recursive: true })
  })

  it('lets a customer log in, buy and receive proxies', async () => {
    const phone = webPhone(page, PEOPLE.customer.id)
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

    await phone.press('Buy proxies')
    await phone.see('Which product?')
    await phone.press('Residential ISP')
    await phone.see('Which country?')
    await phone.press('Japan')
    await phone.see('For how long?')
    await phone.press('1 month')
    await phone.see('How many?')
    await phone.press(/^2$/)
    expect(await phone.see('Balance after')).toContain('41.00 USD')
    await phone.press('Buy for 9.00 USD')
    const ready = await phone.see('Your proxies are ready')
    const lines = /198\.51\.100\.\d+:8000:\w+:\w+/g
    expect(ready.match(lines)).toHaveLength(2)

    await phone.copy()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied.match(lines)).toEqual(ready.match(lines))
  })

  it('gives an agent a long list as a file, in Chinese', async () => {
    const phone = webPhone(page, PEOPLE.agent.id)
    await phone.send('/language')
    await phone.press('中文')
    await phone.press('登录')
    await phone.see('用户名')
    await phone.send(DEMO_ACCOUNTS.agent.username)
    await phone.see('密码')
    await phone.send(DEMO_ACCOUNTS.agent.password)
    await phone.see('主菜单')
    await phone.press('购买代理')
    await phone.press('数据中心')
    await phone.press('德国')
    await phone.press('7 天')
    await phone.press(/^50$/)
    await phone.press('支付 28.00 USD')
    await phone.see('您的代理已开通')
    const file = await phone.download()
    expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toHaveLength(50)
  })

  it('shows no error of its own, and fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(problems).toEqual([])
  })
})
