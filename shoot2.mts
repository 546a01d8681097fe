import { chromium } from 'playwright-core'
const base = process.argv[2] ?? 'http://127.0.0.1:3107/sandbox/'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
const ctx = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, locale: 'zh-CN', colorScheme: 'dark', isMobile: true, hasTouch: true })
const page = await ctx.newPage()
await page.goto(base)
await page.locator('[data-tab="1002"]').click()
const phone = (id: number) => page.locator(`[data-phone="${id}"]`)
const send = async (id: number, t: string) => { await phone(id).locator('[data-input]').fill(t); await phone(id).locator('[data-send]').click() }
const press = async (id: number, label: string | RegExp) => { await phone(id).locator('[data-callback]', { hasText: label }).last().click() }
const see = (id: number, t: string | RegExp) => phone(id).getByText(t).last().waitFor({ timeout: 8000 })
let n = 0
const shot = async (name: string) => { await page.waitForTimeout(250); await page.screenshot({ path: `/tmp/shots/m${String(++n).padStart(2,'0')}-${name}.png` }) }
await send(1002, '/language'); await press(1002, '中文'); await send(1002,'/menu'); await see(1002, '主菜单'); await shot('menu')
await press(1002, '购买代理'); await press(1002, '数据中心'); await press(1002, '新加坡'); await page.waitForTimeout(300); await shot('terms'); await press(1002, '7 天'); await page.waitForTimeout(300);await shot('numbers'); await press(1002, '其他数量'); await page.waitForTimeout(300); await send(1002, '三十'); await page.waitForTimeout(400); await shot('typed-wrong'); await send(1002, '30'); await see(1002, '购买后余额'); await shot('confirm'); await press(1002, '支付'); await see(1002, '您的代理已开通'); await shot('ready'); await press(1002, '查看订单'); await page.waitForTimeout(400); await shot('order'); await press(1002,'返回'); await page.waitForTimeout(400); await shot('orders'); await send(1002, '/help'); await page.waitForTimeout(400); await shot('help'); await send(1002,'hello'); await page.waitForTimeout(400); await shot('unknown'); await send(1002,'/logout'); await page.waitForTimeout(400); await shot('logout')
await phone(1002).locator('[data-menu]').click(); await shot('commands')
await browser.close()
