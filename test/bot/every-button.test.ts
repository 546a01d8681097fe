import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { CUSTOMERS } from '../../src/bot/topics/customers/actions.ts'
import { OPERATOR } from '../../src/bot/topics/operator/actions.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { startBot } from '../support/bot.ts'
import { ANN, logIn, type Product, startProduct, stockFile } from '../support/product.ts'
import { supplier, suppliedOrder } from '../support/supplied-books.ts'
import { offer, testDriver } from '../support/test-driver.ts'
import { TERMS, WALLET } from '../support/top-ups.ts'

const PASSWORD = 'long-enough-password'
/** As long as names may be, and made of what HTML and byte limits do not like. */
const LONGEST = {
  username: (letter: string) => letter + '<&😀'.repeat(12) + letter,
  product: `<b>${'&amp;W'.repeat(12)}${'W'.repeat(5)}`,
  product_zh: '住宅静态代理'.repeat(13),
  remark: '<i>&'.repeat(63),
}

/** Typed wherever something can be typed: nonsense, numbers, something long, and what Telegram's HTML could trip over. */
const TYPED = ['</b>', '-1', '3', '&'.repeat(4000)]

/** Buttons of one kind differ in what they are about, and in short flags. */
function kindOf(data: string): string {
  const [action, ...parameters] = data.split(':')
  return [action, ...parameters.filter((parameter) => /^[a-z]{3,}$/.test(parameter))].join(':')
}
/** What the main menu of an agent leads to, and the screens of the gateway below it. */
const SECTIONS = ['buy', 'dyn', 'orders', 'topup', 'users', 'dash', 'rec', 'set', 'sup', 'spa', 'help']
const GATEWAY = ['dup', 'du', 'dut', 'duf', 'duk', 'dal', 'dan', 'daw', 'dad']
/** Where an operator's chat leads to the gateway and its exits. */
const EXITS = ['oex', 'oev', 'oet', 'oep', 'oer', 'oed', 'oed!', 'oen', 'ogw']
const OLIVIA = { id: 503, firstName: 'Olivia', languageCode: 'en' }

/** Of a group, of a replacement without an equal proxy, of a broadcast under way; and of exits, which another test has. */
const RARE = [OPERATOR.language, OPERATOR.refundRest, OPERATOR.progress, OPERATOR.stopBroadcast]
  .map(({ name }) => name)
  .concat(EXITS)

/** A shop whose operator has one of everything to look after, with the longest names. */
async function startBusyOperator() {
  const driver = testDriver()
  driver.state.offers = Array.from({ length: 9 }, (_, at) =>
    offer({ offerNo: `${'O'.repeat(60)}${at}`, name: LONGEST.product, cityCode: at === 0 ? 'USLAX' : '' }),
  )
  const shop = await startBot({ operatorChats: [OLIVIA.id], drivers: driver.drivers })
  const { core, db, clock } = shop
  const acme = await supplier(shop, 'a'.repeat(32))
  const buyer = await shop.customer(null, { name: LONGEST.username('b'), balance: 100 })
  const proxies = ['P-1', 'P-2']
  const order = await suppliedOrder(shop, acme, buyer, { count: 2, proxies })
  const doubtful: string[] = []
  while (doubtful.length < 8)
    doubtful.push((await suppliedOrder(shop, acme, buyer, { state: 'in_doubt' })).orderNo)
  const found = await core.orders.getStatic(buyer, { orderNo: order.orderNo })
  for (const { instanceNo } of found.instances)
    await core.orders.replaceInstance(buyer, { instanceNo, reason: LONGEST.remark })
  await db.write((tx) =>
    tx.usdtTransfer.createMany({
      data: Array.from({ length: 7 }, (_, at) => ({
        txid: `${at}`.repeat(64),
        logIndex: 0,
        wallet: WALLET,
        contract: TERMS.contract,
        fromAddress: WALLET,
        units: '999999999999999',
        blockNumber: 1,
        blockTime: clock.now(),
        state: 'unmatched' as const,
        reason: 'no_top_up',
        createdAt: clock.now(),
      })),
    }),
  )
  await db.write((tx) =>
    tx.topUp.create({
      data: {
        orderNo: 'U20260301ABCDEFGH',
        userId: buyer.id,
        wallet: WALLET,
        contract: TERMS.contract,
        amountUnits: 10_000_000,
        payUnits: 10_000_017,
        rate: 1_000_000,
        creditAmount: 10_000_000,
        expiresAt: clock.now(),
        matchUntil: clock.now(),
        createdAt: clock.now(),
        updatedAt: clock.now(),
      },
    }),
  )
  const phone = shop.phone(OLIVIA)
  return { ...shop, phone, doubtful, buyer }
}

/** A shop with everything in it, and the phone of an agent who has one of everything. */
async function startFullShop() {
  const tron = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(tron.httpApi)
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const apiUrl = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const product = await startProduct(
    {},
    {
      operatorChats: [OLIVIA.id],
      topUps: { terms: TERMS, tron: { apiUrl, fallbackUrl: undefined, apiKey: undefined } },
    },
  )
  const { core } = product
  const account = { username: LONGEST.username('a'), password: PASSWORD }
  await core.operator.createAgent(SHELL, { ...account, balance: 100_000 })
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  const names = { nameEn: LONGEST.product, nameZh: LONGEST.product_zh }
  await core.operator.addProduct(SHELL, { productNo: 'LONG', ...names, price: 999.123456 })
  await core.operator.importStock(SHELL, stockFile('LONG', '198.51.100', 40))
  await core.operator.importStock(SHELL, stockFile('LONG', '203.0.113', 4, 'JP,,JPTYO'))
  await core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    ...names,
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  for (const letter of ['b', 'c'])
    await core.accounts.createSubUser(agent, {
      username: LONGEST.username(letter),
      password: PASSWORD,
      balance: 500,
      remark: LONGEST.remark,
    })
  for (const ipCount of [1, 12])
    await core.orders.createStatic(agent, { poolId: 'LONG', userId: agent.id, ipCount, duration: 1, unit: 3 })
  await core.orders.createDynamic(agent, { poolId: 'FLOW', trafficAmount: 5 })
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')`)
  const { items } = await core.accounts.listSubUsers(agent, {})
  await core.orders.createDynamic(agent, { poolId: 'FLOW', trafficAmount: 5, userId: items[0]?.id })
  for (const [at, userId] of [agent.id, items[0]?.id].entries())
    await core.traffic.setAllowList(agent, {
      productNo: 'FLOW',
      userId,
      addresses: [`203.0.113.${at}`, '2001:db8:1234:5678:9abc:def0:1234:567' + at],
      country: 'US',
    })
  await core.operator.exits.add(SHELL, {
    pool: 'dynamic_1',
    url: 'http://<u>:p@127.0.0.1:9',
    country: 'US',
    city: 'New York',
  })
  await core.operator.exits.add(SHELL, {
    pool: 'dynamic_1',
    url: 'socks5://u:p@127.0.0.1:9',
    template: '{user}-country-{country}-city-{city}-session-{session}-lifetime-{lifetime}',
  })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_2' })
  const phone = product.phone(ANN)
  await logIn(phone, account)
  return { product, phone, account, subUserId: items[0]?.id ?? 0 }
}

/**
 * Presses what can be pressed, and types where something can be typed, until nothing new turns up.
 *
 * @param first the buttons that lead to all others
 * @returns the kinds of buttons that were pressed
 */
async function pressEverything(
  { core, telegram }: Pick<Product, 'core' | 'telegram'>,
  chatId: number,
  ...first: readonly string[]
): Promise<Set<string>> {
  const pressed = new Set<string>()
  const waiting = [...first]

  const session = () => core.chats.session(chatId, 'en')
  async function screen() {
    const { screenMessage } = await session()
    return telegram.messages(chatId).find(({ messageId }) => messageId === screenMessage)
  }

  /** One button of a kind is enough. */
  const isNew = (data: string) => pressed.size < pressed.add(kindOf(data)).size

  async function press(data: string): Promise<void> {
    await telegram.pressStale(chatId, (await screen())?.messageId ?? 0, data)
    const { keyboard = [] } = (await screen()) ?? {}
    expect(keyboard.flat(), `${data} leads into a dead end`).not.toEqual([])
    for (const button of telegram.messages(chatId).flatMap((message) => message.keyboard.flat()))
      if (button.kind === 'callback' && !waiting.includes(button.value)) waiting.push(button.value)
  }

  async function answer(text: string): Promise<void> {
    telegram.send(chatId, text)
    // The updates of a chat are handled in order: when a press is answered, the message was handled, too.
    await press('answer:none:0')
    const { keyboard = [] } = (await screen()) ?? {}
    const answers = keyboard.flat().filter(({ value }) => value.startsWith('answer:'))
    for (const { value } of answers) if (isNew(value.replace(/:\w+/, ''))) await press(value)
  }

  for (const data of waiting) {
    // Without an account there is not much to press.
    if (data.startsWith('answer:') || data === 'logout!' || !isNew(data)) continue
    await press(data)
    for (const text of TYPED) if ((await session()).dialogue !== null) await answer(text)
  }
  return pressed
}

describe('every button of every screen', () => {
  it.each(['en', 'zh'] as const)('leads on, within the limits of Telegram (%s)', async (language) => {
    const { product, phone, subUserId } = await startFullShop()
    // Support is told what is written to it.
    const support = product.phone(OLIVIA)
    support.send('/operator')
    await support.waitFor('Operator')
    await product.core.chats.setLanguage(ANN.id, language)
    phone.send('/menu')
    await phone.waitFor(language === 'en' ? 'Main menu' : '主菜单')
    const kinds = await pressEverything(product, ANN.id, 'home', `dup:${subUserId}`)
    expect([...kinds]).toEqual(expect.arrayContaining([...SECTIONS, ...GATEWAY]))
    expectNoTrouble(product)
    expect(await product.core.operator.audit()).toEqual([])
  })

  it.each(['en', 'zh'] as const)('of the operator leads on, too (%s)', async (language) => {
    const { doubtful, buyer, ...shop } = await startBusyOperator()
    shop.phone.send('/operator')
    await shop.phone.waitFor(/Operator/)
    await shop.core.chats.setLanguage(OLIVIA.id, language)
    const kinds = await pressEverything(
      shop,
      OLIVIA.id,
      OPERATOR.home.data(),
      // One button of a kind is pressed: decided differently, they have to be different calls.
      OPERATOR.callAbsent.data({ callNo: doubtful[3] ?? '' }),
      OPERATOR.callFound.data({ callNo: doubtful[4] ?? '' }),
      CUSTOMERS.customer.data({ id: buyer.id }),
    )
    const pressed = new Set([...kinds].map((kind) => kind.split(':')[0]))
    const names = [...Object.values(OPERATOR), ...Object.values(CUSTOMERS)].map(({ name }) => name)
    expect(names.filter((name) => !pressed.has(name) && !RARE.includes(name))).toEqual([])
    const refused = shop.telegram
      .calls()
      .flatMap(({ method, refused: reason }) => (reason ? `${method}: ${reason}` : []))
    expect(refused).toEqual([])
    expect(shop.bugs()).toEqual([])
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it.each(['en', 'zh'] as const)('of the operator of a gateway, too (%s)', async (language) => {
    const { product } = await startFullShop()
    const phone = product.phone(OLIVIA)
    phone.send('/operator')
    await phone.waitFor('Operator')
    await product.core.chats.setLanguage(OLIVIA.id, language)
    phone.send('/exits')
    await phone.waitFor(language === 'en' ? 'Exits' : '出口')
    expect([...(await pressEverything(product, OLIVIA.id, 'home'))]).toEqual(expect.arrayContaining(EXITS))
    expectNoTrouble(product)
  })
})

/** Telegram refused nothing, and no update was lost. */
function expectNoTrouble({ telegram, log }: Product): void {
  const refused = telegram
    .calls()
    .flatMap(({ method, refused: reason }) => (reason ? `${method}: ${reason}` : []))
  expect(refused).toEqual([])
  expect(log.filter((line) => /an update (?:failed|was lost)/.test(line))).toEqual([])
}
