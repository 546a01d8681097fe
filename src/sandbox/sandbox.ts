import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { OperatorError } from '../core/operator-error.ts'
import { openChatStore } from '../emulators/telegram/chat-store.ts'
import { createTelegramEmulator, type TelegramServer } from '../emulators/telegram/telegram-emulator.ts'
import { createTronEmulator } from '../emulators/tron/tron-emulator.ts'
import type { TronEmulator } from '../emulators/tron/types.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import { plantCatalogue } from './demo-catalogue.ts'
import { plantHistory } from './demo-history.ts'
import { keptValue } from './kept-value.ts'
import { createPayerWallet, type KeptPayment, type PayerWallet } from './payer-wallet.ts'
import { SANDBOX_CHAIN } from './sandbox-chain.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { endSilentConnections } from './silent-connections.ts'
import { webChat } from './web/web-chat.ts'

export { createSandboxClock } from './sandbox-clock.ts'

/** The two people of the web chat; their ids are those of Telegram users, and stay, so that a log-in outlives a restart. */
export const PEOPLE = {
  agent: { id: 1001, firstName: 'Agent', languageCode: 'en' },
  customer: { id: 1002, firstName: 'Customer', languageCode: 'en' },
} as const

export interface Sandbox {
  readonly telegram: TelegramServer
  readonly tron: TronEmulator
  /** Where people find the web chat. */
  page(listeningAt: string): string
  /** Where the bot finds its Bot API server. */
  apiRoot(listeningAt: string): string
  /** Where the shop reads the chain: a server of its own on this machine, as the demo data needs it before anybody comes. */
  readonly tronApiUrl: string
  /** Makes the demo data in a new database, while nothing else works on it. */
  plant(): Promise<void>
  close(): Promise<void>
}

/** Where the pages of the sandbox are. */
const SANDBOX_PATH = '/sandbox'
const BOT_API_PATH = '/sandbox/telegram'
/** Beside the database, which refers to the payments and chats in them. */
const PAYMENTS_FILE = 'sandbox-payments.json'
const CHATS_FILE = 'sandbox-chats.db'
const KEPT_FILES = [PAYMENTS_FILE, CHATS_FILE, `${CHATS_FILE}-wal`, `${CHATS_FILE}-shm`]

/**
 * The whole product on one machine with nothing from outside (rules 9.3): an emulator of Telegram with a web chat, an emulator
 * of TRON with a wallet to pay from, and demo data.
 *
 * @param options.server gets the pages and both APIs; not listening yet
 * @param options.clock the one that the core goes by
 * @param options.directory where payments and chats are kept
 */
export async function createSandbox(options: {
  core: Core
  server: FastifyInstance
  clock: SandboxClock
  directory: string
}): Promise<Sandbox> {
  const { core, server, clock, directory } = options
  await refuseRealData(core)
  // What belonged to another database is of no use to a new one.
  if ((await core.database.origin()) === 'empty')
    for (const file of KEPT_FILES) rmSync(join(directory, file), { force: true })
  const chats = openChatStore(join(directory, CHATS_FILE))
  // A new token each time: nobody but this process has to know it.
  const telegram = createTelegramEmulator({
    token: `1:${randomBytes(24).toString('base64url')}`,
    botUsername: 'proxy_reseller_bot',
    now: () => clock.now(),
    store: chats,
  })
  for (const person of Object.values(PEOPLE)) {
    const known = telegram.users().find(({ id }) => id === person.id)
    telegram.addUser({ ...person, ...known })
  }
  const hint = (name: 'agent' | 'customer', title: string) => ({
    userId: PEOPLE[name].id,
    title,
    login: DEMO_ACCOUNTS[name].username,
    password: DEMO_ACCOUNTS[name].password,
  })
  const tron = createTronEmulator({
    clock,
    wallet: SANDBOX_CHAIN.USDT_WALLET,
    contract: SANDBOX_CHAIN.USDT_CONTRACT,
  })
  const wallet = createPayerWallet({
    chain: tron.chain,
    clock,
    topUpLastsMs: core.topUps.terms?.expireMs ?? 0,
    kept: keptValue<readonly KeptPayment[]>(join(directory, PAYMENTS_FILE), []),
  })
  const tronServer = Fastify({ forceCloseConnections: true })
  await tronServer.register(tron.httpApi)
  endSilentConnections(server)
  await server.register(telegram.botApi, { prefix: BOT_API_PATH })
  await server.register(
    webChat({ telegram, wallet, hints: [hint('agent', 'Agent'), hint('customer', 'Customer')] }),
    { prefix: SANDBOX_PATH },
  )
  server.get('/', (_request, reply) => reply.redirect(`${SANDBOX_PATH}/`))
  return {
    telegram,
    tron,
    page: (listeningAt) => `${listeningAt}${SANDBOX_PATH}/`,
    apiRoot: (listeningAt) => listeningAt + BOT_API_PATH,
    tronApiUrl: await tronServer.listen({ host: '127.0.0.1', port: 0 }),
    plant: () => plant(core, clock, wallet),
    close: async () => {
      await tronServer.close()
      chats.close()
    },
  }
}

/** @throws OperatorError when the database is that of a real service */
async function refuseRealData(core: Core): Promise<void> {
  if ((await core.database.origin()) !== 'production') return
  throw new OperatorError(
    'This database holds real accounts: the sandbox does not touch it. Set BOT_TOKEN, or another DATABASE_URL.',
  )
}

/** A database that has its accounts keeps them as they are, and gets the products that came with a newer version. */
async function plant(core: Core, clock: SandboxClock, wallet: PayerWallet): Promise<void> {
  const begun = await core.database.claimForSandbox()
  if (begun) {
    try {
      await plantHistory({ core, wallet, setTime: (time) => clock.moveTo(time) }, begun)
    } finally {
      clock.moveTo()
    }
    await core.database.completeSandbox()
  } else await plantCatalogue(core)
}
