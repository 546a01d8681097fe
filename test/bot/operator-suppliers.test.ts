import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { SupplierFault } from '../../src/core/supply/driver.ts'
import { outside } from '../support/service.ts'
import { startBot } from '../support/bot.ts'
import { handle } from '../../src/core/job-handlers.ts'
import { supplier, suppliedOrder } from '../support/supplied-books.ts'
import { offer, testDriver } from '../support/test-driver.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OPS_ZH = { id: 701, firstName: '小林', languageCode: 'zh' }
const DAY = 24 * 60 * 60_000

async function startShop() {
  const driver = testDriver()
  const bot = await startBot({ operatorChats: [OPS.id, OPS_ZH.id], drivers: driver.drivers })
  return { ...bot, driver, ops: bot.phone(OPS) }
}

/** Lets the bot deliver what was announced. */
async function deliver({ core, bot, clock }: Awaited<ReturnType<typeof startShop>>) {
  clock.advance(60_000)
  for (const sweep of core.jobs.noticeSweeps) await sweep()
  const handlers = core.jobs.handlers(outside({ messenger: bot.messenger, refreshScreen: bot.refreshScreen }))
  for (const job of await core.jobs.queue.claim(32, 60_000)) await handle(handlers, job)
}

test('suppliers: how they stand, tested, read, paused; their offers are taken off sale and back', async () => {
  const shop = await startShop()
  const { core, ops, driver } = shop
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  await ops.press('🏭 Suppliers')
  await ops.waitFor(/There are none/)

  driver.state.offers = Array.from({ length: 10 }, (_, at) =>
    offer({ offerNo: `O${at}`, cityCode: at === 0 ? 'USLAX' : '', cost: String(2 + at) }),
  )
  await supplier(shop)
  ops.send('/operator')
  await ops.press('🏭 Suppliers')
  await ops.waitFor(/🟢 acme: 100\.00 USD/)
  await ops.press('acme')
  const screen = await ops.read(/🏭 acme \(ipipv\)/)
  expect(screen).toContain('🟢 Active')
  expect(screen).toContain('Balance: 100.00 USD')
  expect(screen).toContain('Offers: 10, read at')
  expect(screen).toContain('Products: 1')
  expect(screen).toContain('Calls under way: 0 · in doubt: 0')

  driver.state.balance = '80'
  await ops.press('🩺 Test')
  await ops.waitFor(/It answers. Balance: 80\.00 USD, offers: 10. Nothing was bought/)
  await ops.press('🔄 Sync')
  await ops.waitFor(/Offers read: 10[^]*Balance: 80\.00 USD/)
  await ops.press('⚖️ Compare')
  await ops.waitFor(/Our books and the supplier’s agree: orders there in 7 days: 0, running proxies: 0/)
  await ops.press('🔗 Callback')
  expect(await ops.read('Callback address')).toContain(await core.operator.suppliers.callbackPath('acme'))
  driver.state.fault = new SupplierFault('unknown', 'answered <502>')
  await ops.press('⚖️ Compare')
  await ops.waitFor(/did not answer as it should\nanswered <502>/)
  await ops.press('🩺 Test')
  await ops.waitFor(/did not answer as it should\nanswered <502>/)
  driver.state.fault = undefined
  await ops.press('⏸ Pause')
  await ops.waitFor(/Paused: nothing is sold or bought there/)
  expect((await core.operator.suppliers.list())[0]?.status).toBe('paused')
  await ops.press('▶️ Resume')
  await ops.waitFor(/🟢 Active/)

  await ops.press('📦 Offers')
  const offers = await ops.waitFor(/Offers of acme: 10/)
  // Those that products sell come first.
  expect(offers.text).toMatch(/🟢 🇺🇸 United States, Los Angeles, type 103: 2\.00 USD \/ month, stock 100\n▫️/)
  expect(offers.keyboard.flat().map(({ text }) => text)).toContain('1 / 2')
  await ops.press('›')
  await ops.waitForButton('2 / 2')
  await ops.press('‹')
  await ops.press('USLAX 103 · 2.00/month')
  expect(await ops.read(/Los Angeles ISP O0/)).toContain('Sold as: isp')
  await ops.press('⏸ Take it off sale')
  await ops.waitFor(/Off sale: by the operator/)
  await ops.press('‹ Back')
  await ops.waitFor(/⏸ 🇺🇸 United States, Los Angeles/)
  await ops.press('⏸ USLAX 103 · 2.00/month')
  await ops.press('▶️ Sell it again')
  await ops.waitFor((message) => !message.text.includes('Off sale'))
  expect((await core.operator.suppliers.offers({ supplier: 'acme' })).items[0]).toMatchObject({
    offerNo: 'O0',
    paused: false,
  })
  expect(shop.bugs()).toEqual([])
})

test('offers for one place have labels that tell them apart', async () => {
  const { ops, driver, ...shop } = await startShop()
  driver.state.offers = [
    offer({ offerNo: 'A', cost: '2' }),
    offer({ offerNo: 'B', cost: '2', proxyType: 101 }),
    offer({ offerNo: 'C', cost: '2', periodUnit: 1, periodLength: 7 }),
    offer({ offerNo: 'LOS-ANGELES-RESIDENTIAL-1', cost: '1234.5' }),
    offer({ offerNo: 'LOS-ANGELES-RESIDENTIAL-2', cost: '1234.5' }),
  ]
  await supplier(shop)
  ops.send('/suppliers')
  await ops.press('acme')
  await ops.press('📦 Offers')
  await ops.waitFor(/Offers of acme: 5/)
  expect(ops.screen().keyboard.slice(0, 5).flat()).toEqual([
    'USLAX 103 · 2.00/month',
    'USLAX 101 · 2.00/month',
    'USLAX 103 · 2.00/7 days',
    '1. LOS-ANG… · 1,234.50/month',
    '2. LOS-ANG… · 1,234.50/month',
  ])
  expect(shop.bugs()).toEqual([])
})

test('calls in doubt: found by a number that is typed, or absent after a question; nobody decides twice', async () => {
  const shop = await startShop()
  const { core, ops, db } = shop
  const acme = await supplier(shop)
  const ann = await shop.customer(null, { name: 'ann', balance: 100 })
  const found = await suppliedOrder(shop, acme, ann, { count: 3, state: 'in_doubt' })
  const absent = await suppliedOrder(shop, acme, ann, { state: 'in_doubt' })
  ops.send('/operator')
  await ops.waitFor(/⚠️ Calls in doubt \(2\)/)
  await ops.press('🏭 Suppliers')
  await ops.press('acme')
  await ops.press('⚠️ Calls in doubt (2)')
  await ops.waitFor(/Calls in doubt: 2/)
  await ops.press(found.orderNo)
  const call = await ops.read(/In doubt: nobody knows/)
  expect(call).toContain(`Order: ${found.orderNo} of ann`)
  expect(call).toContain('Proxies: 3, expected cost 6.00 USD')
  await ops.press('✅ Found')
  await ops.waitFor(/Send me the number that the order has at the supplier/)
  ops.send('two words')
  await ops.waitFor(/⚠️/)
  ops.send('P-17')
  const decided = await ops.read(/Decided/)
  expect(decided).toContain('Number at the supplier: P-17')
  expect(await core.operator.suppliers.call(found.orderNo)).toMatchObject({
    state: 'accepted',
    providerOrderNo: 'P-17',
  })

  await ops.press('‹ Back')
  await ops.waitFor(/Calls in doubt: 1/)
  await ops.press(absent.orderNo)
  await ops.press('❌ Not there')
  const question = await ops.waitFor(/Are you sure that the supplier has not carried it out\?/)
  await ops.press('Cancel')
  await ops.waitFor(/In doubt: nobody knows/)
  expect(await core.operator.suppliers.call(absent.orderNo)).toMatchObject({ state: 'in_doubt' })
  await ops.press('❌ Not there')
  await ops.press('❌ Count as refused, refund')
  await ops.waitFor(/Decided[^]*Refused/)
  const job = { kind: 'complete_static_order', key: absent.orderNo }
  expect(await db.read.job.findMany({ where: { key: absent.orderNo } })).toMatchObject([job])
  // The old button changes nothing.
  await shop.telegram.pressStale(OPS.id, question.messageId, `osa!:${absent.orderNo}`)
  await ops.waitFor((message) => message.text.includes('❌ Refused') && !message.text.includes('Decided'))
  expect(await core.operator.suppliers.call(absent.orderNo)).toMatchObject({ state: 'refused' })
  expect(shop.bugs()).toEqual([])
})

test('profit of today, of 7 days and of the month; notices about suppliers lead to them', async () => {
  const shop = await startShop()
  const { core, ops, clock, driver } = shop
  const zh = shop.phone(OPS_ZH)
  zh.send('/operator')
  await zh.waitFor(/运营菜单/)
  const acme = await supplier(shop)
  const ann = await shop.customer(null, { name: 'ann', balance: 100 })
  ops.send('/operator')
  await ops.press('📊 Today so far')
  await ops.press('💹 Profit')
  await ops.waitFor(/Nothing was sold/)
  await suppliedOrder(shop, acme, ann, { count: 2, cost: 4.5 })
  clock.advance(DAY)
  await suppliedOrder(shop, acme, ann, { state: 'sent' })
  ops.send('/operator')
  await ops.press('📊 Today so far')
  await ops.press('💹 Profit')
  const today = await ops.read(/Profit 2 Mar 2026 \(UTC\)/)
  expect(today).toContain('ISP\nRevenue 5.00 USD, refunds 0.00 USD\nCost 2.00 USD, margin 3.00 USD')
  expect(today).toContain('Of the cost, 2.00 USD is expected')
  await ops.press('7 days')
  const week = await ops.read(/24 Feb 2026 – 2 Mar 2026/)
  expect(week).toContain('Where the cost is known: cost 6.50 USD, margin 8.50 USD')
  await ops.press('Month')
  await ops.waitFor(/1 Mar 2026 – 2 Mar 2026/)

  await core.operator.suppliers.edit(SHELL, 'acme', { alarmBalance: 90 })
  driver.state.balance = '20'
  await core.operator.suppliers.sync(SHELL, 'acme')
  await deliver(shop)
  await ops.waitFor(/The balance at acme is low/)
  await zh.waitFor(/acme 的余额不足/)
  await ops.press('🏭 Supplier')
  await ops.waitFor(/🏭 acme \(ipipv\)/)

  clock.advance(DAY)
  driver.state.instances = [
    {
      providerInstanceNo: 'stray',
      ip: '203.0.113.9',
      port: 1,
      username: 'u',
      password: 'p',
      status: 'running',
    },
  ]
  driver.state.orders = [
    { providerOrderNo: 'P9', callNo: 'X', count: 1, createdAt: clock.now().toISOString(), status: 'done' },
  ]
  await core.supply.reconcileDue(new AbortController().signal)
  await deliver(shop)
  const different = await ops.waitFor(/acme and our books differ/)
  expect(different.text).toContain('• orders that we did not make: 1')
  expect(different.text).toContain('P9: - here, done there')
  await zh.waitFor(/acme 与我方账目不符/)
  await ops.press('⚖️ Compare')
  const compared = await ops.read(/Our books and the supplier’s differ: 2/)
  expect(compared).toContain('P9: - here, done there')
  expect(compared).toContain('🏭 acme (ipipv)')
  driver.state.orders = Array.from({ length: 12 }, (_, at) => ({
    providerOrderNo: `P${at}`,
    callNo: `X${at}`,
    count: 1,
    createdAt: clock.now().toISOString(),
    status: 'done' as const,
  }))
  await ops.press('⚖️ Compare')
  const listed = await ops.file(await ops.waitFor((message) => message.file?.fileName === 'differences.csv'))
  expect(listed.content.toString()).toContain('unknown_order,P11,,-,done')
  await ops.waitFor(/differ: 13[^]*and 3 more/)
  expect((await core.operator.trail.list({ action: 'supplier.reconcile' })).items).toHaveLength(2)
  expect(shop.bugs()).toEqual([])
})

test('what a supplier or its driver says is told in Chinese where it is known, else as a detail', async () => {
  const shop = await startShop()
  await supplier(shop)
  const lin = shop.phone(OPS_ZH)
  lin.send('/suppliers')
  await lin.press('acme')
  for (const [reason, told] of [
    ['the secret has 9 bytes instead of 32', /未能正常应答\nSecret 的长度为 9 字节，应为 32 字节$/m],
    ['getList: HTTP 502', /未能正常应答\n接口返回 HTTP 502$/m],
    ['getList: 参数错误', /未能正常应答\ngetList: 参数错误$/m],
    ['The moon is full', /未能正常应答\n技术信息：The moon is full$/m],
  ] as const) {
    shop.driver.state.fault = new SupplierFault('misconfigured', reason)
    await lin.press('🩺 测试')
    await lin.waitFor(told)
  }
})

test('a supplier is added by a message that goes, changed, and removed while nothing was bought there', async () => {
  const shop = await startShop()
  const { core, db, ops, telegram, log, bugs } = shop
  ops.send('/suppliers')
  await ops.press('➕ Add a supplier')
  await ops.waitFor(/New supplier[^]*Kinds: ipipv/)
  const lines = (name: string, rest = '') =>
    `name: ${name}\nkind: ipipv\nurl: https://api.example.com\nkey: hush-key\nsecret: hush-hush${rest}`
  for (const [typed, problem] of [
    ['hush-hush', 'A line is not like'],
    [lines('X'), 'name: 2-32 characters of a-z'],
    [lines('acme').replace('ipipv', 'none'), 'kind: there is no such kind'],
    [lines('acme', '\nrate: 0'), 'rate: a number above 0'],
    ['name: acme\nkind: ipipv\nurl: https://api.example.com\nkey: hush-key', 'secret: This is not valid'],
  ] as const) {
    ops.send(typed)
    await ops.waitFor(problem)
  }
  expect(await core.operator.suppliers.list()).toEqual([])
  // What is stored of the dialogue cannot be read.
  const { dialogue } = await core.chats.session(OPS.id, 'en')
  expect(dialogue).not.toBeNull()
  expect(dialogue).not.toContain('hush')
  ops.send(lines('acme', '\nalarm balance: 50\nrefund hours: 24'))
  await ops.waitFor(/Added\.[^]*🏭 acme \(ipipv\)/)
  expect(await core.operator.suppliers.list()).toMatchObject([{ name: 'acme', alarmBalance: 50_000_000 }])

  await ops.press('✏️ Change')
  await ops.waitFor('What you leave out stays as it is')
  ops.send('name: other')
  await ops.waitFor('A line is not like')
  ops.send('balance until: soon')
  await ops.waitFor('balance until: a day such as 2026-12-31')
  ops.send('余额提醒: 60\nbalance until: 2026-03-31')
  await ops.waitFor(/Changed\.[^]*Can be spent until 2026-03-31/)
  expect(await core.operator.suppliers.list()).toMatchObject([
    { alarmBalance: 60_000_000, refundHours: 24, url: 'https://api.example.com' },
  ])
  await ops.press('🗑 Remove')
  await ops.waitFor('Remove acme with its credentials?')
  await ops.press('🗑 Remove it for good')
  await ops.waitFor('There are none')

  await supplier(shop)
  ops.send('/suppliers')
  await ops.press('acme')
  await ops.press('🗑 Remove')
  expect((await ops.press('🗑 Remove it for good')).text).toBe('Products still use it. Pause it instead.')
  expect(JSON.stringify(telegram.messages(OPS.id))).not.toContain('hush')
  expect(
    log.join('') + JSON.stringify(await db.read.trailEntry.findMany({ select: { details: true } })),
  ).not.toContain('hush')
  expect(bugs()).toEqual([])
})
