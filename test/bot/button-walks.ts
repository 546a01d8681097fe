import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { EARNINGS } from '../../src/bot/actions/earnings.ts'
import { ACCESS } from '../../src/bot/actions/log-in.ts'
import { OPERATOR } from '../../src/bot/actions/operator.ts'
import { USERS } from '../../src/bot/actions/users.ts'
import { joinTokenIn } from '../../src/core/accounts/join-links.ts'
import type { Config } from '../../src/config.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Language } from '../../src/core/languages.ts'
import { unmarked } from '../../src/bot/kit/mark.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import type {
  EmulatedBot,
  EmulatedButton,
  EmulatedMessage,
  EmulatedUser,
} from '../../src/emulators/telegram/types.ts'
import { createTronEmulator } from '../../src/emulators/tron/tron-emulator.ts'
import { addAgentBot } from '../support/own-bots.ts'
import { LONGEST, nameOwners, OLIVIA } from '../support/busy-operator.ts'
import { crowdedLists } from '../support/controls-around-lists.ts'
import { pressEverything, TYPED } from '../support/press-everything.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, logIn, type Product, startProduct, stockFile } from '../support/product.ts'
import { takenOn, WALLET } from '../support/top-ups.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const PASSWORD = 'long-enough-password'
const STRANGER = {
  id: 506,
  firstName: 'Sam',
  username: 'sam_the_stranger',
  languageCode: 'en',
} as const satisfies EmulatedUser
const EARNED = Object.values(EARNINGS).map(({ name }) => name)
/** What the main menu of an agent leads to, and the screens of the gateway below it. */
const SECTIONS = [
  'mybot',
  'mybotv',
  'buy',
  'dyn',
  'orders',
  'topup',
  'users',
  'dash',
  'rec',
  'set',
  'sup',
  'spa',
  'help',
]
const GATEWAY = ['dup', 'du', 'dut', 'duf', 'duk', 'dal', 'dan', 'daw', 'dad']
/** Where an operator's chat leads to the gateway and its exits. */
export const EXITS = 'ouf oex oev oet oep oer oed oed! oen oee ogw owl owf owf!'.split(' ')

/** Where a walk begins: the choice of several sub-users before a search leaves none of them. */
const FIRST = ['home', USERS.select.data({ page: 1 })]

/** A shop with everything in it, and the phone of an agent who has one of everything. */
async function startFullShop(settings: Partial<Config> = {}) {
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
      agentBots: { most: [2] },
      topUps: takenOn({ apiUrl, apiKey: undefined }),
      ...settings,
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
  const names = { names: { en: LONGEST.product, zh: LONGEST.product_zh } }
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
  const bot = product.telegram.addBot({ username: 'long_bot', name: '<&'.repeat(32), ownerId: ANN.id })
  const { id: botId, token: botToken } = bot.about()
  await core.bots.add(agent, {
    botId,
    token: botToken,
    username: bot.botUsername,
    name: '<&'.repeat(32),
    ownerId: ANN.id,
    managed: false,
  })
  const phone = product.phone(ANN)
  await logIn(phone, account)
  return { product, phone, account, agent, subUserId: items[0]?.id ?? 0 }
}

export const namesOf = (kinds: ReadonlySet<string>) => [...kinds].map((kind) => kind.split(':')[0] ?? '')

/**
 * Presses every button that an agent with one of everything finds.
 *
 * @param typed what is typed wherever something can be typed
 * @returns the screens, by what was pressed
 */
export async function walkOfAgent(language: Language, typed = TYPED) {
  const { product, phone, agent, subUserId } = await startFullShop()
  await product.core.earnings.requestPayout(agent, { amount: 10, address: ADDRESS })
  // Support is told what is written to it.
  const support = product.phone(OLIVIA)
  support.send('/operator')
  await support.waitFor('Operator')
  await product.core.chats.setLanguage(ANN.id, language)
  phone.send('/menu')
  await phone.waitFor(language === 'en' ? 'Main menu' : '主菜单')
  const { kinds, screens } = await pressEverything(
    { ...product, typed },
    ANN.id,
    ...FIRST,
    `dup:${subUserId}`,
  )
  expect(namesOf(kinds)).toEqual(expect.arrayContaining([...SECTIONS, ...EARNED, ...GATEWAY]))
  expect(crowdedLists(screens)).toEqual([])
  expectNoTrouble(product)
  expect(await product.core.operator.audit()).toEqual([])
  return screens
}

/** The same for the operator of a gateway. */
export async function walkOfGateway(language: Language, typed = TYPED) {
  const { product } = await startFullShop()
  const phone = product.phone(OLIVIA)
  await nameOwners(product.core)
  phone.send('/operator')
  await phone.waitFor('Operator')
  await product.core.chats.setLanguage(OLIVIA.id, language)
  phone.send('/exits')
  await phone.waitFor(language === 'en' ? 'Exits' : '出口')
  const { kinds, screens } = await pressEverything(
    { ...product, typed },
    OLIVIA.id,
    'home',
    OPERATOR.askFree.data({ cidr: '203.0.113.0' }),
  )
  expect([...kinds]).toEqual(expect.arrayContaining(EXITS))
  expectNoTrouble(product)
  return screens
}

/** What a stranger finds, in the order of the window. */
const OF_STRANGERS = ['login', 'guide', 'guidea', 'guidew', 'lang', 'help']
const OF_INVITED = ['joinn', 'prices']
/** Typed where something can be typed: longer than names may be, so nobody registers. */
const NO_NAMES = ['</b>'.repeat(100), '&'.repeat(4000)]

/**
 * Presses every button that somebody finds who is not logged in: at the window of a shop that is closed, by the link of an agent, at
 * the window of a shop that is open to everybody, and after leaving an account without a password.
 *
 * @returns the screens, by what was pressed
 */
export async function walkOfStranger(language: Language) {
  const { product } = await startFullShop()
  const agent = await actorFor(product, AGENT)
  const phone = product.phone(STRANGER)
  const session = () => product.core.chats.session(STRANGER.id, language)
  const screens = new Map<string, EmulatedMessage>()
  const pressWhat = async (name: string) => {
    const ofAction = ({ value }: EmulatedButton) => unmarked(value).data.split(':')[0] === name
    const { keyboard } = await phone.waitFor((message) => message.keyboard.flat().some(ofAction), {
      evenOld: true,
    })
    await phone.press(keyboard.flat().find(ofAction)?.text ?? name)
  }

  /** Opens the window by a command, and presses what does not end being a stranger. */
  async function walkFrom(command: string, found: readonly string[]): Promise<void> {
    phone.send(command)
    await phone.waitFor(({ keyboard }) => keyboard.flat().some(({ value }) => value === ACCESS.logIn.data()))
    const { keyboard } = phone.screen().message
    const first = keyboard.flat().flatMap(({ kind, value }) => (kind === 'callback' ? [value] : []))
    const { kinds, screens: shown } = await pressEverything(
      { core: product.core, telegram: product.telegram, typed: NO_NAMES, left: /^(?:joinu!|loginto!)/ },
      STRANGER.id,
      ...first,
    )
    expect(namesOf(kinds)).toEqual(expect.arrayContaining([...found]))
    expect(namesOf(kinds)).not.toContain('logout')
    expect((await session()).actor).toBeUndefined()
    for (const [what, screen] of shown) if (!screens.has(what)) screens.set(what, screen)
  }

  const operator = product.phone(OLIVIA)
  operator.send('/operator')
  await operator.waitFor('Operator')
  phone.send('/start')
  await phone.waitFor(/./)
  await product.core.chats.setLanguage(STRANGER.id, language)
  await walkFrom('/start', OF_STRANGERS)
  const link = await product.core.accounts.createJoinLink(agent, { trial: 5 })
  await walkFrom(`/start ${link.start}`, [...OF_STRANGERS, ...OF_INVITED])

  await product.stop()
  await product.start({
    registrationLink: joinTokenIn(link.start),
    supportContact: 'https://t.me/shop_support',
  })
  await walkFrom('/start', [...OF_STRANGERS, ...OF_INVITED])

  phone.send('/start')
  await pressWhat(ACCESS.registerNow.name)
  await phone.waitFor(`👤 ${STRANGER.username}`)
  phone.send('/logout')
  await pressWhat(ACCESS.logOutConfirmed.name)
  await walkFrom('/start', OF_STRANGERS)
  phone.send('/start')
  await pressWhat(ACCESS.logInTo.name)
  await phone.waitFor(`👤 ${STRANGER.username}`)
  expectNoTrouble(product)
  expect(await product.core.operator.audit()).toEqual([])
  return screens
}

/** Of the shop, which nobody sees in the bot of an agent. */
export const OF_SHOP = {
  supportContact: 'https://t.me/harbour_help',
  publicUrl: 'https://proxies.harbour.example',
} as const

const CARL = { id: 503, firstName: 'Carl' }

/** The bot of an agent, in which a customer who has one of everything is logged in. */
export async function startBrand(language: Language, settings: Partial<Config> = {}) {
  const { product, agent, subUserId } = await startFullShop({
    ...OF_SHOP,
    ...settings,
  })
  const { core } = product
  const bot = await addAgentBot(product, agent, ANN.id)
  const { username } = await core.accounts.getSubUser(agent, subUserId)
  const session = await core.accounts.logIn({ username, password: PASSWORD, address: 'test' })
  const customer = await core.accounts.authenticate(session.token)
  for (const ipCount of [1, 12])
    await core.orders.createStatic(customer, {
      poolId: 'ISP',
      userId: customer.id,
      ipCount,
      duration: 1,
      unit: 3,
    })
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')`)
  const phone = product.phone({ ...CARL, languageCode: language }, bot.botUsername)
  const { token: invitation } = await core.accounts.createInvite(agent, subUserId)
  phone.send(`/start inv_${invitation}`)
  await phone.waitFor(username)
  const sessionId = await core.bots.chats.idOf({ botId: bot.about().id, telegramId: CARL.id })
  return { product, agent, bot, customer, phone, sessionId }
}

/**
 * Presses every button that the customer of an agent finds in its bot.
 *
 * @returns the screens, by what was pressed
 */
export async function walkOfBrand({
  product,
  bot,
  phone,
  sessionId,
}: Awaited<ReturnType<typeof startBrand>>) {
  const { core, log } = product
  const { kinds, screens } = await pressEverything(
    { core, telegram: bot, typed: ['3'], sessionId },
    phone.chatId,
    'home',
  )
  expect(namesOf(kinds)).toEqual(
    expect.arrayContaining(['buy', 'dyn', 'orders', 'topup', 'rec', 'set', 'sup']),
  )
  expectNoTrouble({ telegram: bot, log })
  return screens
}

/** Telegram refused nothing, and no update was lost. */
function expectNoTrouble({ telegram, log }: Pick<Product, 'log'> & { readonly telegram: EmulatedBot }): void {
  const refused = telegram
    .calls()
    .flatMap(({ method, refused: reason, ...call }) =>
      reason ? `${method}: ${reason} ${JSON.stringify(call)}` : [],
    )
  expect(refused).toEqual([])
  expect(log.filter((line) => /an update (?:failed|was lost)/.test(line))).toEqual([])
}
