import type { Core } from '../../src/core/core.ts'
import { MAX_TELEGRAM_ID } from '../../src/core/identifiers.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { addBotOf } from './agent-bots.ts'
import { startBot } from './bot.ts'
import { supplier, suppliedOrder } from './supplied-books.ts'
import { offer, testDriver } from './test-driver.ts'
import { WALLET } from './top-ups.ts'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const OLIVIA = { id: 503, firstName: 'Olivia', languageCode: 'en' }

/** As long as names may be, and made of what HTML and byte limits do not like. */
export const LONGEST = {
  username: (letter: string) => letter + '<&😀'.repeat(12) + letter,
  product: `<b>${'&amp;W'.repeat(12)}${'W'.repeat(5)}`,
  product_zh: '住宅静态代理'.repeat(13),
  remark: '<i>&'.repeat(63),
}

/** Two owners; the first one is renamed, changed and removed by Olivia, who presses everything. */
export async function nameOwners({ operator }: Core): Promise<void> {
  await operator.people.add(SHELL, { name: 'W'.repeat(40), role: 'owner', telegramId: MAX_TELEGRAM_ID })
  await operator.people.add(SHELL, { name: 'Olivia', role: 'owner', telegramId: OLIVIA.id })
  await operator.people.invite(SHELL, { name: 'Nina', role: 'support' })
}

/** A shop whose operator has one of everything to look after, with the longest names. */
export async function startBusyOperator() {
  const driver = testDriver()
  driver.state.offers = Array.from({ length: 9 }, (_, at) =>
    offer({ offerNo: `${'O'.repeat(60)}${at}`, name: LONGEST.product, cityCode: at === 0 ? 'USLAX' : '' }),
  )
  const shop = await startBot({
    operatorChats: [OLIVIA.id],
    drivers: driver.drivers,
    agentBots: { most: [3] },
  })
  const { core, db, clock } = shop
  const acme = await supplier(shop, 'a'.repeat(32))
  const buyer = await shop.customer(null, { name: LONGEST.username('b'), balance: 100 })
  const proxies = ['P-1', 'P-2']
  const doubtful: string[] = []
  while (doubtful.length < 8)
    doubtful.push((await suppliedOrder(shop, acme, buyer, { state: 'in_doubt' })).orderNo)
  // Lists begin with the newest: the one whose screen says most.
  clock.advance(1000)
  const order = await suppliedOrder(shop, acme, buyer, { count: 2, proxies })
  const found = await core.orders.getStatic(buyer, { orderNo: order.orderNo })
  for (const { instanceNo } of found.instances)
    await core.orders.replaceInstance(buyer, { instanceNo, reason: LONGEST.remark })
  await db.write((tx) =>
    tx.usdtTransfer.createMany({
      data: Array.from({ length: 7 }, (_, at) => ({
        txid: `${at}`.repeat(64),
        logIndex: 0,
        wallet: WALLET,
        contract: USDT_CONTRACT,
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
    tx.job.createMany({
      data: ['1', '2', '3'].map((key) => ({
        kind: key === '3' ? 'complete_renewal' : 'send_activation_mail',
        key,
        failures: 5,
        attempts: 6,
        lastError: '<b>' + 'the mail server & its door '.repeat(20),
        runAt: clock.now(),
        createdAt: clock.now(),
      })),
    }),
  )
  await nameOwners(core)
  const olivia = await core.people.operatorIn({ chatId: OLIVIA.id, telegramId: OLIVIA.id })
  if (!olivia) throw new Error('Olivia runs no shop')
  const { code } = await core.operator.webLogIns.offer(olivia)
  await core.people.openLogIn(code, 'W'.repeat(200))
  await db.write((tx) =>
    tx.topUp.create({
      data: {
        orderNo: 'U20260301ABCDEFGH',
        userId: buyer.id,
        wallet: WALLET,
        contract: USDT_CONTRACT,
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
  await core.operator.promotions.add(SHELL, { code: 'P'.repeat(32), amount: 999_999.123456 })
  await wantPayout(shop)
  await addBots(shop)
  const phone = shop.phone(OLIVIA)
  return { ...shop, phone, doubtful, buyer, olivia }
}

/** An agent has bots: one that works, one that nobody has opened, and one that Telegram refuses. */
async function addBots({ core, ...shop }: Awaited<ReturnType<typeof startBot>>): Promise<void> {
  const agent = await shop.agent({ name: LONGEST.username('e') })
  const long = { username: `${'W'.repeat(29)}bot`, name: `${'W<&😀'.repeat(12)}WWWW` }
  await addBotOf(core, agent, { botId: 8_000_000_001, ...long })
  shop.clock.advance(1)
  await addBotOf(core, agent, { botId: 8_000_000_002, username: 'pasted_bot', managed: false })
  shop.clock.advance(1)
  await addBotOf(core, agent, { botId: 8_000_000_003, username: 'refused_bot' })
  await core.bots.setState(8_000_000_003, 'unauthorized', 'Unauthorized')
}

/** An agent asks for what it has earned. */
async function wantPayout({ core, ...shop }: Awaited<ReturnType<typeof startBot>>): Promise<void> {
  const agent = await shop.agent({ name: LONGEST.username('d') })
  const user = await shop.customer(agent, { balance: 100 })
  await shop.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  await core.operator.setAgentPriceTerms(SHELL, { limit: 101 })
  await core.earnings.setPrice(agent, { productNo: 'traffic', price: 100 })
  await shop.buyTraffic(user)
  await core.earnings.requestPayout(agent, { amount: 98.765432, address: ADDRESS })
}
