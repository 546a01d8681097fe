import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { startExits } from '../../../src/sandbox/exits.ts'
import { keptValue } from '../../../src/sandbox/kept-value.ts'
import { createPayerWallet, type KeptPayment } from '../../../src/sandbox/payer-wallet.ts'
import { createSandboxClock } from '../../../src/sandbox/sandbox-clock.ts'
import { createSandboxGateway } from '../../../src/sandbox/sandbox-gateway.ts'
import { startSites } from '../../../src/sandbox/sites.ts'
import { createUpstream, type KeptSwitches } from '../../../src/sandbox/upstream.ts'
import { createTelegramEmulator } from '../../../src/emulators/telegram/telegram-emulator.ts'
import type { KeptBook } from '../../../src/emulators/supplier/kept-book.ts'
import { createTronEmulator } from '../../../src/emulators/tron/tron-emulator.ts'
import { webChat } from '../../../src/sandbox/web/web-chat.ts'
import { movableClock } from '../../support/movable-clock.ts'

export const BOT_TOKEN = '42:secret'
export const AGENT = { id: 1001, firstName: 'Alice', languageCode: 'en' }
export const CUSTOMER = { id: 1002, firstName: '李雷', languageCode: 'zh' }
export const HINT = { userId: AGENT.id, title: 'Agent', login: 'agent', password: 'agent-demo' }
/** Where the shop of these tests wants to be paid. */
export const SHOP = 'TSandboxWaLLetNeverPayToThisuhJ858'
/** How long its top-ups wait. */
export const TOP_UP_LASTS_MS = 1_800_000

/** The page of the sandbox at `/sandbox`, with two phones, a chain that stands still, and no shop; it ends with the test. */
export async function startPage() {
  const directory = await mkdtemp(join(tmpdir(), 'reseller-page-'))
  const realClock = movableClock()
  const open = async () => {
    const clock = createSandboxClock(directory, realClock)
    const telegram = createTelegramEmulator({ token: BOT_TOKEN, botUsername: 'proxy_shop_bot' })
    telegram.addUser(AGENT)
    telegram.addUser(CUSTOMER)
    const tron = createTronEmulator({ clock, wallet: SHOP })
    const wallet = createPayerWallet({
      chain: tron.chain,
      clock,
      topUpLastsMs: TOP_UP_LASTS_MS,
      kept: keptValue<readonly KeptPayment[]>(join(directory, 'payments.json'), []),
    })
    const upstream = await createUpstream({
      clock,
      book: keptValue<KeptBook | undefined>(join(directory, 'supplier.json'), undefined),
      switches: keptValue<KeptSwitches>(join(directory, 'switches.json'), { faults: [], dead: [] }),
      others: [],
    })
    upstream.begin()
    const sites = await startSites()
    const exits = await startExits(sites)
    const gateway = createSandboxGateway(exits)
    const app = Fastify()
    for (const part of [sites, exits, upstream]) app.addHook('onClose', () => part.close())
    await app.register(webChat({ telegram, wallet, upstream, gateway, hints: [HINT] }), {
      prefix: '/sandbox',
    })
    await app.register(telegram.botApi, { prefix: '/telegram' })
    return { app, telegram, chain: tron.chain, upstream, gateway, clock, realClock }
  }
  let page = await open()
  onTestFinished(async () => {
    await page.app.close()
    await rm(directory, { recursive: true })
  })
  return {
    ...page,
    /** The same sandbox in a new process. */
    restart: async () => {
      await page.app.close()
      page = await open()
      return page
    },
  }
}

export type SandboxPage = Awaited<ReturnType<typeof startPage>>
