import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { CUSTOMERS } from '../../src/bot/topics/customers/actions.ts'
import { EARNINGS } from '../../src/bot/topics/earnings/actions.ts'
import { MACHINE } from '../../src/bot/topics/machine/actions.ts'
import { OPERATOR } from '../../src/bot/topics/operator/actions.ts'
import { PEOPLE, TRAIL } from '../../src/bot/topics/people/actions.ts'
import { Action } from '../../src/bot/kit/action.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { LONGEST, nameOwners, OLIVIA, startBusyOperator } from '../support/busy-operator.ts'
import { asText, type Picture, writeGallery } from '../support/gallery-page.ts'
import { withoutFigures } from '../support/masked.ts'
import { pressEverything } from '../support/press-everything.ts'
import { ANN, logIn, type Product, startProduct, stockFile } from '../support/product.ts'
import { TERMS, WALLET } from '../support/top-ups.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const PASSWORD = 'long-enough-password'
const EARNED = Object.values(EARNINGS).map(({ name }) => name)
/** What the main menu of an agent leads to, and the screens of the gateway below it. */
const SECTIONS = ['buy', 'dyn', 'orders', 'topup', 'users', 'dash', 'rec', 'set', 'sup', 'spa', 'help']
const GATEWAY = ['dup', 'du', 'dut', 'duf', 'duk', 'dal', 'dan', 'daw', 'dad']
/** Where an operator's chat leads to the gateway and its exits. */
const EXITS = 'ouf oex oev oet oep oer oed oed! oen oee ogw owl owf owf!'.split(' ')

/**
 * Of a group, of a replacement without an equal proxy, of a broadcast under way, of a payment that was ignored, of messages,
 * of a new shop; and of exits, which another test has.
 */
const RARE = [
  OPERATOR.language,
  OPERATOR.refundRest,
  OPERATOR.progress,
  OPERATOR.stopBroadcast,
  OPERATOR.reopen,
  CUSTOMERS.giveAsked,
  CUSTOMERS.declineAsked,
  MACHINE.setup,
]
  .map(({ name }) => name)
  .concat(EXITS)

/** Shown in other situations than those of these walks, and tested there: a new action is pressed here or stands in this list. */
const ELSEWHERE =
  'aca ba balance cuq! cuqn! dbi devx duc dkv dkw dkx dxm dxo dxq dxr dxr! dxt inv! join! logout! logouta! oa oafiles of opl oproxykey opu ' +
  'oproxykeyyes orf oset otested ou plr plr! prices prkr prkr! prkv pxnx rcpt spp st! stp stq str stu tpk tpm tpr tps tpt uask! uaskno! ulink ulinkend ulinkend! umsgsend umsgstop umsgview'

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
  await core.operator.createAgent(SHELL, account)
  await core.operator.adjustBalance(SHELL, {
    username: account.username,
    amount: 100_000,
    paid: true,
    remark: 'transfer',
  })
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
  await core.webhooks.create(agent, { url: `https://hooks.example.com/${'w'.repeat(200)}` })
  await core.promotions.create(agent, { code: 'W'.repeat(32), percent: 100, products: ['LONG', 'FLOW'] })
  for (const ipCount of [1, 12])
    await core.orders.createStatic(agent, { poolId: 'LONG', userId: agent.id, ipCount, duration: 1, unit: 3 })
  await core.orders.createDynamic(agent, { poolId: 'FLOW', trafficAmount: 5 })
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')`)
  const { items } = await core.accounts.listSubUsers(agent, {})
  await core.operator.setAgentPriceTerms(SHELL, { limit: 101 })
  for (const userId of [undefined, items[0]?.id])
    await core.earnings.setPrice(agent, { userId, productNo: 'FLOW', price: 50.123456 })
  await core.earnings.setPrice(agent, { markupPercent: 12.34 })
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
  return { product, phone, account, agent, subUserId: items[0]?.id ?? 0 }
}

/** What was shown after a press, by who pressed what. */
const SEEN = new Map<string, Partial<Picture['screens']>>()

function see(who: string, language: 'en' | 'zh', screens: ReadonlyMap<string, EmulatedMessage>): void {
  for (const [what, screen] of screens)
    SEEN.set(`${who}: ${what}`, { ...SEEN.get(`${who}: ${what}`), [language]: screen })
}

const pictures = (): Picture[] =>
  [...SEEN].flatMap(([name, { en, zh }]) => (en && zh ? [{ name, screens: { en, zh } }] : []))

afterAll(() => writeGallery('every-screen', pictures()))

/** Of all topics. */
async function declaredActions(): Promise<string[]> {
  const topics = new URL('../../src/bot/topics/', import.meta.url)
  const declared: object[] = []
  for (const name of readdirSync(topics)) declared.push(await import(`${topics.href}${name}/actions.ts`))
  return declared
    .flatMap((groups) => Object.values(groups))
    .flatMap((group: object) => Object.values(group))
    .flatMap((each) => (each instanceof Action ? [each.name] : []))
}

const namesOf = (kinds: ReadonlySet<string>) => [...kinds].map((kind) => kind.split(':')[0] ?? '')

describe('every button of every screen', () => {
  it.each(['en', 'zh'] as const)('leads on, within the limits of Telegram (%s)', async (language) => {
    const { product, phone, agent, subUserId } = await startFullShop()
    await product.core.earnings.requestPayout(agent, { amount: 10, address: ADDRESS })
    // Support is told what is written to it.
    const support = product.phone(OLIVIA)
    support.send('/operator')
    await support.waitFor('Operator')
    await product.core.chats.setLanguage(ANN.id, language)
    phone.send('/menu')
    await phone.waitFor(language === 'en' ? 'Main menu' : '主菜单')
    const { kinds, screens } = await pressEverything(product, ANN.id, 'home', `dup:${subUserId}`)
    see('agent', language, screens)
    expect(namesOf(kinds)).toEqual(expect.arrayContaining([...SECTIONS, ...EARNED, ...GATEWAY]))
    expectNoTrouble(product)
    expect(await product.core.operator.audit()).toEqual([])
  })

  it.each(['en', 'zh'] as const)('of the operator leads on, too (%s)', async (language) => {
    const { doubtful, buyer, ...shop } = await startBusyOperator()
    shop.phone.send('/operator')
    await shop.phone.waitFor(/Operator/)
    await shop.core.chats.setLanguage(OLIVIA.id, language)
    const content = { text: 'News', entities: [], photo: null }
    const draft = { chatId: OLIVIA.id, audience: 'all' as const, ...content }
    const { id } = await shop.core.operator.broadcasts.draft(SHELL, draft)
    const { kinds, screens } = await pressEverything(
      shop,
      OLIVIA.id,
      OPERATOR.home.data(),
      OPERATOR.progress.data({ id }),
      // Nobody is there to get it: the button is not offered.
      OPERATOR.startBroadcast.data({ id }),
      // One button of a kind is pressed: decided differently, they have to be different calls.
      OPERATOR.callAbsent.data({ callNo: doubtful[3] ?? '' }),
      OPERATOR.callFound.data({ callNo: doubtful[4] ?? '' }),
      CUSTOMERS.customer.data({ id: buyer.id }),
    )
    see('operator', language, screens)
    const pressed = namesOf(kinds)
    const names = [OPERATOR, MACHINE, PEOPLE, TRAIL, CUSTOMERS].flatMap((topic) =>
      Object.values(topic).map(({ name }) => name),
    )
    expect(names.filter((name) => !pressed.includes(name) && !RARE.includes(name))).toEqual([])
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
    await nameOwners(product.core)
    phone.send('/operator')
    await phone.waitFor('Operator')
    await product.core.chats.setLanguage(OLIVIA.id, language)
    phone.send('/exits')
    await phone.waitFor(language === 'en' ? 'Exits' : '出口')
    const { kinds, screens } = await pressEverything(
      product,
      OLIVIA.id,
      'home',
      OPERATOR.askFree.data({ cidr: '203.0.113.0' }),
    )
    see('gateway', language, screens)
    expect([...kinds]).toEqual(expect.arrayContaining(EXITS))
    expectNoTrouble(product)
  })

  // Those of agents have the dates of today, which change how labels stand beside each other: `npm run gallery` writes all.
  it.each(['en', 'zh'] as const)('of the operator shows what it has shown (%s)', async (language) => {
    const shown = pictures().filter(({ name }) => name.startsWith('operator:'))
    await expect(withoutFigures(asText(shown, language))).toMatchFileSnapshot(
      `./gallery/operator.${language}.txt`,
    )
  })

  it('is one of all that are declared, or of those that are listed here', async () => {
    const pressed = new Set([...SEEN.keys()].map((name) => name.replace(/^\w+: /, '').split(':')[0]))
    const declared = await declaredActions()
    const elsewhere = new Set(ELSEWHERE.split(' '))
    expect(declared.filter((name) => !pressed.has(name) && !elsewhere.has(name))).toEqual([])
  })
})

/** Telegram refused nothing, and no update was lost. */
function expectNoTrouble({ telegram, log }: Product): void {
  const refused = telegram
    .calls()
    .flatMap(({ method, refused: reason, ...call }) =>
      reason ? `${method}: ${reason} ${JSON.stringify(call)}` : [],
    )
  expect(refused).toEqual([])
  expect(log.filter((line) => /an update (?:failed|was lost)/.test(line))).toEqual([])
}
