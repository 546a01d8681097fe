import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTelegramEmulator } from '../src/emulators/telegram/telegram-emulator.ts'
import type { EmulatedUser } from '../src/emulators/telegram/types.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'
import { command } from './support/command-line.ts'
import { PATIENCE } from './support/patience.ts'
import { createPhone } from './support/phone.ts'
import { startProcess } from './support/process.ts'
import { ANN, BEN } from './support/product.ts'
import { databaseFile, temporaryDirectory } from './support/service.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'
const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

/**
 * A shop in production of which nothing was said but the token of its bot, in a process of its own.
 *
 * @param empty its database; otherwise the process has to make one
 */
async function newShop(environment: Record<string, string> = {}, empty?: string) {
  const telegram = createTelegramEmulator({ token: TOKEN, botUsername: 'new_shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const { port } = server.server.address() as AddressInfo
  const database = empty ?? join(await temporaryDirectory(), 'reseller.db')
  const directory = dirname(database)
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    BOT_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: `http://127.0.0.1:${port}/telegram`,
    // Nothing listens there: the wallet is not checked.
    TRON_API_URL: 'http://127.0.0.1:9',
    ...environment,
  }
  const shop = await startProcess({ ...env, DATABASE_URL: `file:${database}` }, directory)
  onTestFinished(shop.kill)
  const logged = (message: string) =>
    shop
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; link?: string; addresses?: { api: string } })
      .filter(({ msg }) => msg.startsWith(message))
  return {
    ...shop,
    directory,
    logged,
    started: (times: number) => vi.waitUntil(() => logged('ready').length >= times, PATIENCE),
    command: (...args: string[]) =>
      command(args, { database, drivers: DRIVERS, env: { ...env, SECRETS_KEY: '' } }),
    phone: (user: EmulatedUser) => createPhone(telegram, user),
  }
}

test('The first start makes a link; whoever opens it first is the owner, who sets the shop up in the chat', async () => {
  const shop = await newShop({ CURRENCY: 'CNY' })
  const link = await vi.waitUntil(() => shop.logged('nobody runs this shop yet')[0]?.link, PATIENCE)
  expect(link).toMatch(/^https:\/\/t\.me\/new_shop_bot\?start=staff_[\w-]{43}$/)
  const [, parameter] = link.split('?start=')
  const [ann, ben] = [shop.phone(ANN), shop.phone(BEN)]
  ann.send(`/start ${parameter}`)
  const settings = await ann.waitFor('Settings of the shop')
  expect(settings.text).toContain('You run this shop now, as Owner')
  expect(settings.text).toContain('Currency: CNY')
  expect(settings.text).toContain('Support: tickets in this bot')
  expect(ann.screen().keyboard.flat()).not.toContain('💱 Currency')
  ben.send(`/start ${parameter}`)
  await ben.waitFor(/已被使用/)

  await ann.press('👛 USDT wallet')
  await ann.waitFor('Which address do customers pay')
  ann.send('TJRabPrwbZy45sbavfcjinPJC18kjpRTv9')
  await ann.waitFor('This is not the address of a TRON wallet')
  ann.send(WALLET)
  expect((await ann.waitFor('Saved. The shop uses it')).text).toContain(`USDT wallet: ${WALLET}`)
  await shop.started(2)
  await ann.press('💬 Support')
  await ann.waitFor('Where do customers find help?')
  ann.send('@shop_support')
  await ann.waitFor('Support: @shop_support')
  await shop.started(3)

  // What the environment says wins, also over what the database would allow.
  const refused = await shop.command('setup', '--currency', 'EUR')
  expect([refused.status, refused.stderr]).toEqual([
    1,
    '--currency is said by the environment or .env: change it there\n',
  ])
  // Another process has chosen: the running one sees it by itself.
  const chosen = await shop.command('setup', '--support', 'none', '--rate', '7.1', '--json')
  expect(JSON.parse(chosen.stdout)).toEqual({
    CURRENCY: 'CNY',
    USDT_WALLET: WALLET,
    USDT_RATE: '7.1',
    PUBLIC_URL: null,
    SUPPORT_CONTACT: null,
  })
  await shop.started(4)
  expect(shop.logged('nobody runs this shop yet')).toHaveLength(1)
  ann.send('/operator')
  await ann.press('⚙️ Set-up')
  await ann.press('🩺 Health')
  await ann.press('⚙️ Settings')
  expect((await ann.waitFor('Settings of the shop')).text).toContain('1 USDT is worth: 7.1')
  expect(await shop.terminate()).toBe(0)
})

test('The currency is that of the database where the environment says none, and stays once there are amounts', async () => {
  const shop = await newShop({}, await databaseFile())
  expect((await shop.command('setup', '--currency', 'CNY')).status).toBe(0)
  await shop.started(2)
  const created = await shop.command('agent', 'create', 'alice', '--password', 'a-password', '--json')
  expect(JSON.parse(created.stdout)).toMatchObject({ currency: 'CNY' })
  const { status, stderr } = await shop.command('setup', '--currency', 'USD')
  expect([status, stderr]).toEqual([
    1,
    '--currency cannot be changed any more: there are accounts or products, whose amounts would mean something else\n',
  ])
  const wrong = await shop.command('setup', '--wallet', 'nothing')
  expect(wrong.stderr).toBe('--wallet does not fit: the service would not start with it\n')
})

test('No link is made where OPERATOR_CHAT_IDS says who runs the shop', async () => {
  const shop = await newShop({ OPERATOR_CHAT_IDS: String(ANN.id) }, await databaseFile())
  await shop.started(1)
  expect(shop.logged('nobody runs this shop yet')).toEqual([])
})
