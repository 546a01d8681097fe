import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused } from '../../support/service.ts'
import { WALLET } from '../../support/top-ups.ts'
import { USDT_CONTRACT } from '../../../src/emulators/tron/tron-emulator.ts'

const TXID = 'ab12'.repeat(16)

/** A shop in which one of everything can be found. */
async function shop() {
  const service = await openService()
  const { core, db, clock, customer, product, stock, order, buyTraffic, runJobs } = service
  const ann = await customer(await service.agent({ name: 'boss' }), { name: 'Ann-Bee', balance: 100 })
  await core.operator.editContact(SHELL, 'ann-bee', { email: 'Ann@Example.com', phone: '13800138000' })
  const person = { telegramName: 'ann_from_leeds', personName: 'Ann Béatrice' }
  await core.chats.session(47110, 'en', { person })
  await core.chats.logIn(47110, { username: 'Ann-Bee', password: 'correct horse' })
  await product()
  await product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 3 })
  await stock('static', 2, { ips: ['198.51.100.7', '2001:db8::7'] })
  await stock('static', 1, { ips: ['198.51.100.9'] })
  const { orderNo } = await order(ann, { ipCount: 2, appOrderNo: 'my-order-1' })
  await runJobs()
  const bought = await core.orders.getStatic(ann, { orderNo })
  const traffic = await buyTraffic(ann)
  const login = await core.traffic.createSubAccount(ann, { productNo: 'traffic', username: 'crawler' })
  const row = { wallet: WALLET, contract: USDT_CONTRACT, createdAt: clock.now() }
  const topUp = await db.write((tx) =>
    tx.topUp.create({
      data: {
        ...row,
        orderNo: 'U20260101ABCDEFGH',
        clientOrderNo: 'top-1',
        userId: ann.id,
        amountUnits: 10_000_000,
        payUnits: 10_000_017,
        rate: 1_000_000,
        creditAmount: 10_000_000,
        expiresAt: clock.now(),
        matchUntil: clock.now(),
        updatedAt: clock.now(),
      },
    }),
  )
  await db.write((tx) =>
    tx.usdtTransfer.create({
      data: {
        ...row,
        txid: TXID,
        logIndex: 3,
        fromAddress: WALLET,
        units: '5000000',
        blockNumber: 1,
        blockTime: clock.now(),
        state: 'unmatched',
        reason: 'no_top_up',
      },
    }),
  )
  return { ...service, ann, orderNo, bought, traffic, login, topUp }
}

test('everything is found by what people paste, and says what it is', async () => {
  const { core, db, ann, orderNo, bought, traffic, login, topUp } = await shop()
  const { find } = core.operator
  const customer = { kind: 'customer', id: ann.id, username: 'Ann-Bee', status: 'active', role: 'user' }
  for (const text of [
    'ANN-BEE',
    ' ann-bee ',
    'ann@example.com',
    '13800138000',
    '@Ann_From_Leeds',
    'https://t.me/ann_from_leeds',
    '47110',
    'ann-b',
    'béatrice',
  ])
    expect([text, await find(text)]).toEqual([text, [customer]])

  const order = { kind: 'order', type: 'static', orderNo, username: 'Ann-Bee' }
  const entry = await db.read.ledgerEntry.findFirstOrThrow({ where: { orderNo } })
  const [six, four] = [1, 0].map((at) => bought.instances.find(({ ip }) => ip.includes(at ? ':' : '.')))
  for (const text of [orderNo, orderNo.toLowerCase(), 'my-order-1', entry.transactionNo])
    expect([text, await find(text)]).toMatchObject([text, [order]])
  expect(await find(traffic.order.orderNo)).toMatchObject([{ kind: 'order', type: 'dynamic' }])
  expect(await find(orderNo.slice(0, 5))).toContainEqual(expect.objectContaining(order))

  const proxy = {
    kind: 'proxy',
    instanceNo: four?.instanceNo,
    orderNo,
    username: 'Ann-Bee',
    status: 'active',
  }
  const line = `198.51.100.7:${four?.port}`
  for (const text of [
    '198.51.100.7',
    line,
    `${line}:${four?.username}:an-old-password`,
    `http://${four?.username}:x@${line}`,
    `${line}:another-name:x`,
    four?.instanceNo ?? '',
  ])
    expect([text, await find(text)]).toMatchObject([text, [proxy]])
  expect(await find('2001:0db8:0::0007')).toMatchObject([{ ...proxy, instanceNo: six?.instanceNo }])
  expect(await find('198.51.100.7:9')).toEqual([])
  expect(await find('198.51.')).toMatchObject([proxy])
  expect(await find('198.51.100.9')).toEqual([
    { kind: 'stock', ip: '198.51.100.9', port: 8000, productNo: 'static', state: 'free' },
  ])
  // It is found by the address that it had, too.
  const replaced = { instanceNo: four?.instanceNo ?? '', reason: 'blocked' }
  const { replacementNo } = await core.operator.orders.replace(SHELL, replaced)
  expect(await find('198.51.100.7')).toMatchObject([
    { ...proxy, ip: '198.51.100.9' },
    { kind: 'stock', ip: '198.51.100.7', state: 'off_sale' },
  ])
  expect(await find(replacementNo)).toMatchObject([order])

  const found = { kind: 'top_up', orderNo: topUp.orderNo, username: 'Ann-Bee', payUnits: 10_000_017 }
  for (const text of [topUp.orderNo, 'top-1', 'U20260101'])
    expect([text, await find(text)]).toMatchObject([text, [found]])
  const transfer = { kind: 'transfer', txid: TXID, index: 3, state: 'unmatched', username: null }
  for (const text of [TXID, `0x${TXID}`, `https://tronscan.org/#/transaction/${TXID}`, TXID.slice(0, 8)])
    expect([text, await find(text)]).toMatchObject([text, [transfer]])

  const traffic_login = { kind: 'sub_account', name: login.username, username: 'Ann-Bee' }
  for (const text of ['crawler', 'crawler-country-us-session-1:secret', 'crawl'])
    expect([text, await find(text)]).toMatchObject([text, [traffic_login]])
  expect(await find('nothing%')).toEqual([])
  await refused(find('  '), 'validation_error')
})
