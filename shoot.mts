import { chromium } from 'playwright-core'
const base = process.argv[2] ?? 'http://127.0.0.1:3107/sandbox/'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
await page.goto(base)
const phone = (id: number) => page.locator(`[data-phone="${id}"]`)
const send = async (id: number, t: string) => { await phone(id).locator('[data-input]').fill(t); await phone(id).locator('[data-send]').click() }
const press = async (id: number, label: string | RegExp) => { await phone(id).locator('[data-callback]', { hasText: label }).last().click() }
const see = (id: number, t: string | RegExp) => phone(id).getByText(t).last().waitFor({ timeout: 8000 })
let n = 0
const shot = async (name: string) => { await page.waitForTimeout(250); await page.screenshot({ path: `/tmp/shots/${String(++n).padStart(2,'0')}-${name}.png` }) }
await shot('empty')
await phone(1001).locator('[data-start]').click(); await see(1001, 'Proxies for your business')
await send(1002, '/start'); await see(1002, 'Proxies for your business')
await shot('welcome')
await press(1001, 'Log in'); await see(1001, /username/); await send(1001, 'agent'); await see(1001, /password/); await shot('password'); await send(1001, 'agent-demo'); await see(1001, 'Main menu')
await press(1002, 'Language'); await press(1002, '中文'); await see(1002, '代理业务助手')
await press(1002, '登录'); await see(1002, /用户名/); await send(1002, 'customer'); await see(1002, /密码/); await send(1002, 'customer-demo'); await see(1002, /主菜单/)
await shot('menu')
await press(1001, 'Buy proxies'); await press(1002, '购买代理'); await see(1001, 'Which product?'); await shot('products')
await press(1001, 'Residential'); await press(1002, '住宅'); await see(1001, 'Which country?'); await shot('countries')
await press(1001, 'United States'); await press(1002, '日本'); await see(1001, 'Which city?'); await shot('cities')
await press(1001, 'New York'); await see(1001, 'For how long?'); await press(1002, '3 个月');await shot('terms')
await press(1001, '1 month'); await see(1001, 'How many?'); await press(1002, /^2$/); await shot('numbers')
await press(1001, /^20$/); await see(1001, 'Balance after'); await shot('confirm')
await press(1001, 'Buy for'); await press(1002, '支付'); await see(1001, 'Your proxies are ready'); await see(1002, '您的代理已开通'); await page.waitForTimeout(500); await shot('ready')
await press(1001, 'Open the order'); await press(1002, '查看订单'); await page.waitForTimeout(500); await shot('order')
await send(1001, '/proxies'); await send(1002, '/proxies'); await see(1001, 'Orders: 1'); await shot('orders')
await send(1001, '/balance'); await send(1002, '/help'); await page.waitForTimeout(300); await shot('balance-help')
await browser.close()
