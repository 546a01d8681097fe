import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { buyStatic } from '../support/bought.ts'
import type { MessageMatch, Phone } from '../support/phone.ts'
import { OPS } from '../support/earning-shop.ts'
import { AGENT, ANN, CUSTOMER, type Product } from '../support/product.ts'
import { testProxy } from '../support/test-proxy.ts'
import { startUsdtProduct } from '../support/usdt-product.ts'

const BOSS: EmulatedUser = { id: 503, firstName: 'Boss', languageCode: 'en' }

/** A task from the main menu: what is pressed, what tells that it is done, and how many presses it may take. */
interface Task {
  readonly pressed: readonly (string | RegExp)[]
  readonly end: MessageMatch
  readonly most: number
}

const PROXIES = '📦 My proxies'
const FIRST = /192\.0\.2\.\d+ /

const OF_CUSTOMER: Readonly<Record<string, Task>> = {
  'replace a dead proxy': { pressed: [PROXIES, /^🔴/, '♻️ Replace'], end: 'The proxy is replaced', most: 3 },
  'see the balance': { pressed: [], end: /Balance: \d+\.\d\d USD/, most: 2 },
  'buy 5 proxies of what was bought last': {
    pressed: ['🛒 Buy proxies', '5', /^✅ Buy for/],
    end: 'Your proxies are ready (5)',
    most: 3,
  },
  'top up as much as last time': {
    pressed: ['💳 Top up', '20 USDT'],
    end: 'Waiting for your payment',
    most: 3,
  },
  'test all my proxies': {
    pressed: [PROXIES, '🩺 Test all'],
    end: /Testing the proxies|proxies work/,
    most: 3,
  },
  'renew one proxy': {
    pressed: [PROXIES, FIRST, /^🔁 Renew 1 month · 4\.50/],
    end: 'Renewed and paid',
    most: 3,
  },
  'release a proxy': { pressed: [PROXIES, FIRST, /^🗑 Release · .* back/], end: 'Released', most: 3 },
  'get 10 sticky lines of traffic again': {
    pressed: ['📶 Traffic', /^⚡ 10 · /],
    end: 'Your 10 proxies',
    most: 3,
  },
  'see the proxies of an order as a list to copy': {
    pressed: [PROXIES, '🧾 Orders', /2 × Residential/],
    end: ({ text, keyboard }) =>
      /192\.0\.2\.\d+:8000:user/.test(text) && keyboard.flat().some(({ kind }) => kind === 'copy'),
    most: 3,
  },
  'write to support': { pressed: ['💬 Support'], end: 'Write here', most: 3 },
  'open the last ticket': { pressed: ['💬 Support', /^🟠 question/], end: 'Where is it?', most: 3 },
  'export all my proxies': {
    pressed: [PROXIES, '📤 Export', '📄 .txt'],
    end: ({ file }) => file?.fileName === 'proxies.txt',
    most: 3,
  },
  'change the language': { pressed: ['⚙️ Settings', /Language/, /中文/], end: '主菜单', most: 3 },
}

const OF_AGENT: Readonly<Record<string, Task>> = {
  'set a markup': { pressed: ['🏷 Prices', '+20 %', '✅ Set it'], end: '+20 %', most: 3 },
  'make a join link': {
    pressed: ['👥 Sub-users', '📣 Registration links', '➕ New link'],
    end: /t\.me\/\w+\?start=/,
    most: 3,
  },
  'adjust the balance of a sub-user': {
    pressed: ['👥 Sub-users', /customer/, '+10', /^✅ Add 10/],
    end: 'Balance changed',
    most: 4,
  },
}

/** Does each task from the main menu, one after the other; resolves with the presses of each. */
async function pressesOf(phone: Phone, tasks: Readonly<Record<string, Task>>) {
  const counted: Record<string, number> = {}
  for (const [name, { pressed, end }] of Object.entries(tasks)) {
    phone.send('/menu')
    await phone.waitFor('Main menu')
    for (const label of pressed) await phone.press(label)
    await phone.waitFor(end)
    counted[name] = pressed.length
  }
  return counted
}

function expectFew(counted: Readonly<Record<string, number>>, tasks: Readonly<Record<string, Task>>): void {
  const tooMany = Object.entries(counted).filter(([name, presses]) => presses > (tasks[name]?.most ?? 0))
  expect(tooMany).toEqual([])
}

async function startShop(): Promise<Product> {
  const proxy = await testProxy({ accepts: () => true })
  const dial = () => ({ host: '127.0.0.1', port: proxy.port })
  const shop = await startUsdtProduct({ operatorChats: [OPS.id] }, undefined, { dial })
  const ops = shop.phone(OPS)
  ops.send('/operator')
  await ops.waitFor('Operator')
  const { core } = shop
  await core.operator.adjustBalance(SHELL, { username: CUSTOMER.username, amount: 459, remark: 'test' })
  await core.operator.editProduct(SHELL, 'ISP', { replacePolicy: 'auto', refundHours: 24 })
  await core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Dynamic', zh: '动态代理' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.example.com:8000',
  })
  return shop.product
}

/** Lines of traffic, a question to support and a payment: what is done again. */
async function doOnce(ann: Phone): Promise<void> {
  ann.send('/traffic')
  await ann.press(/^Dynamic/)
  await ann.press('🔌 Get proxies')
  ann.send('10')
  await ann.press('✅ Get 10 here')
  await ann.waitFor('Your 10 proxies')
  ann.send('/menu')
  await ann.press('💬 Support')
  await ann.waitFor('Write here')
  ann.send('Where is it?')
  await ann.waitFor('Waiting for support')
}

test('what customers do all day takes at most three presses', async () => {
  const product = await startShop()
  const ann = await product.memberPhone(ANN)
  const actor = await buyStatic(product, CUSTOMER, [2])
  await product.core.orders.createDynamic(actor, { poolId: 'FLOW', trafficAmount: 1 })
  await product.edit("UPDATE instances SET verdict = 'dead' WHERE id = 1")
  await doOnce(ann)
  expectFew(await pressesOf(ann, OF_CUSTOMER), OF_CUSTOMER)
  expect(await product.core.operator.audit()).toEqual([])
})

test('what agents do all day takes at most three presses, and a balance four', async () => {
  const product = await startShop()
  const boss = await product.memberPhone(BOSS, AGENT)
  expectFew(await pressesOf(boss, OF_AGENT), OF_AGENT)
  expect(await product.core.operator.audit()).toEqual([])
})
