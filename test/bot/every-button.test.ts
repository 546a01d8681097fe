import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createTronSandbox } from '../../src/sandbox/tron/tron-sandbox.ts'
import { ANN, logIn, type Product, startProduct, stockFile } from '../support/product.ts'
import { TERMS, WALLET } from '../support/top-ups.ts'

const PASSWORD = 'long-enough-password'
/** As long as names may be, and made of what HTML and byte limits do not like. */
const LONGEST = {
  username: (letter: string) => letter + '<&😀'.repeat(12) + letter,
  product: `<b>${'&amp;W'.repeat(12)}${'W'.repeat(5)}`,
  product_zh: '住宅静态代理'.repeat(13),
  remark: '<i>&'.repeat(63),
}

/** The same kind of button is pressed so often. */
const EACH = 2
/** Typed wherever something can be typed: nonsense, numbers, something long, and what Telegram's HTML could trip over. */
const TYPED = ['</b>', '-1', '3', '&'.repeat(4000)]

/** A shop with everything in it, and the phone of an agent who has one of everything. */
async function startFullShop() {
  const tron = createTronSandbox({ clock: systemClock, wallet: WALLET })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(tron.httpApi)
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const apiUrl = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const product = await startProduct(
    {},
    { topUps: { terms: TERMS, tron: { apiUrl, fallbackUrl: undefined, apiKey: undefined } } },
  )
  const { core } = product
  const account = { username: LONGEST.username('a'), password: PASSWORD }
  await core.operator.createAgent({ ...account, balance: 100_000 })
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  const names = { nameEn: LONGEST.product, nameZh: LONGEST.product_zh }
  await core.operator.addProduct({ productNo: 'LONG', ...names, price: 999.123456 })
  await core.operator.importStock(stockFile('LONG', '198.51.100', 40))
  await core.operator.importStock(stockFile('LONG', '203.0.113', 4, 'JP,,JPTYO'))
  await core.operator.addProduct({
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
  const phone = product.phone(ANN)
  await logIn(phone, account)
  return { product, phone, account }
}

/** Presses what can be pressed, and types where something can be typed, until nothing new turns up. */
async function pressEverything({ core, telegram }: Product, chatId: number): Promise<Set<string>> {
  const pressed = new Map<string, number>()
  const waiting: string[] = ['home']
  const kindOf = (data: string) => data.replaceAll(/\d+/g, '#')
  const screen = async () => {
    const { screenMessage } = await core.chats.session(chatId, 'en')
    return telegram.messages(chatId).find(({ messageId }) => messageId === screenMessage)
  }
  const dialogue = async () => (await core.chats.session(chatId, 'en')).dialogue

  function collect(): void {
    for (const { keyboard } of telegram.messages(chatId))
      for (const { kind, value } of keyboard.flat())
        if (kind === 'callback' && !waiting.includes(value)) waiting.push(value)
  }

  async function settled(): Promise<void> {
    // Nothing is in hand any more when a button has been answered.
    await telegram.pressStale(chatId, 1, 'nothing')
  }

  for (const data of waiting) {
    const kind = kindOf(data)
    const times = pressed.get(kind) ?? 0
    if (times >= EACH || data === 'logout!') continue
    pressed.set(kind, times + 1)
    await telegram.pressStale(chatId, (await screen())?.messageId ?? 0, data)
    collect()
    expect((await screen())?.keyboard.flat() ?? [], `${data} leads into a dead end`).not.toEqual([])
    if ((await dialogue()) === null) continue
    for (const text of TYPED) {
      telegram.send(chatId, text)
      await settled()
    }
    collect()
  }
  return new Set(pressed.keys())
}

describe('every button of every screen', () => {
  it.each(['en', 'zh'] as const)(
    'leads on, within the limits of Telegram (%s)',
    async (language) => {
      const { product, phone } = await startFullShop()
      await product.core.chats.setLanguage(ANN.id, language)
      phone.send('/menu')
      await phone.waitFor(language === 'en' ? 'Main menu' : '主菜单')
      const kinds = await pressEverything(product, ANN.id)
      console.log(kinds.size, [...kinds].join(' '))
      const harmless = /message is not modified|message to delete not found/
      const refused = product.telegram.calls().filter((call) => call.refused && !harmless.test(call.refused))
      expect(refused).toEqual([])
      expect(product.log.filter((line) => /an update (?:failed|was lost)/.test(line))).toEqual([])
      expect(await product.core.operator.audit()).toEqual([])
    },
    60_000,
  )
})
