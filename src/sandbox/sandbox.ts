import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { FALLBACK_LANGUAGE } from '../core/languages.ts'
import { OperatorError } from '../core/operator-error.ts'
import { openChatStore } from '../emulators/telegram/chat-store.ts'
import { createTelegramEmulator, type TelegramServer } from '../emulators/telegram/telegram-emulator.ts'
import { createTronEmulator } from '../emulators/tron/tron-emulator.ts'
import type { TronEmulator } from '../emulators/tron/types.ts'
import type { KeptBook } from '../emulators/supplier/kept-book.ts'
import { NO_JSON_SCHEMA } from '../no-json-schema.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import { demoStock, plantCatalogue } from './demo-catalogue.ts'
import { type KeptGateway, nameGateway, NO_GATEWAY, plantExits } from './demo-exits.ts'
import { plantHistory } from './demo-history.ts'
import { DEMO_SUPPLIER, plantSupply, stockUpstream } from './demo-supply.ts'
import { startExits } from './exits.ts'
import { keptValue } from './kept-value.ts'
import { createPayerWallet, type KeptPayment, type PayerWallet } from './payer-wallet.ts'
import { SANDBOX_CHAIN } from './sandbox-chain.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'
import { endSilentConnections } from './silent-connections.ts'
import { SITE_HOSTS, startSites } from './sites.ts'
import { createUpstream, type KeptSwitches } from './upstream.ts'
import { webChat } from './web/web-chat.ts'

export { createSandboxClock } from './sandbox-clock.ts'

/** The people of the web chat; their ids are those of Telegram users, and stay, so that a log-in outlives a restart. */
export const PEOPLE = {
  agent: { id: 1001, firstName: 'Agent', languageCode: FALLBACK_LANGUAGE },
  customer: { id: 1002, firstName: 'Customer', languageCode: FALLBACK_LANGUAGE },
  /** The person whose chat is one of the operator's. */
  operator: { id: 1003, firstName: 'Operator', languageCode: FALLBACK_LANGUAGE },
} as const

export interface Sandbox {
  readonly telegram: TelegramServer
  readonly tron: TronEmulator
  /** Returns the URL of the web chat. */
  page(listeningAt: string): string
  /** Returns the URL of the Bot API server for the bot. */
  apiRoot(listeningAt: string): string
  /** URL at which the shop reads the chain: a server of its own, as the demo data needs it before the main server listens. */
  readonly tronApiUrl: string
  /** Port on this machine at which each proxy of the sandbox answers, whatever its address. */
  readonly proxyPort: number
  /** Adds the demo data that the database lacks, while nothing else works on it. */
  plant(): Promise<void>
  /** To be called when the server listens: from now on the supplier calls back, and has the faults that are switched on. */
  begin(listeningAt: string): Promise<void>
  /** Settings for the gateway: the sites that it may reach on this machine, and the one by which it tries exits. */
  readonly gatewaySettings: Readonly<Record<string, string>>
  /** To be called each time that the gateway listens, and each time that it has ended. */
  gatewayListens(address: { readonly host: string; readonly port: number }): Promise<void>
  gatewayEnded(): void
  close(): Promise<void>
}

/** Path of the sandbox's pages. */
const SANDBOX_PATH = '/sandbox'
const BOT_API_PATH = '/sandbox/telegram'
/** Files beside the database, which refers to the payments, chats and orders in them. */
const PAYMENTS_FILE = 'sandbox-payments.json'
const CHATS_FILE = 'sandbox-chats.db'
const SUPPLIER_FILE = 'sandbox-supplier.json'
const SWITCHES_FILE = 'sandbox-supplier-switches.json'
const GATEWAY_FILE = 'sandbox-gateway.json'
const KEPT_FILES = [
  PAYMENTS_FILE,
  CHATS_FILE,
  `${CHATS_FILE}-wal`,
  `${CHATS_FILE}-shm`,
  SUPPLIER_FILE,
  SWITCHES_FILE,
  GATEWAY_FILE,
]

/**
 * Creates all that the product otherwise needs from outside (rules 9.3): an emulator of Telegram with a web chat, an emulator
 * of TRON with a wallet to pay from, an emulator of a supplier with a panel for its faults, and demo data.
 *
 * @param options.server gets the pages and both APIs; not listening yet
 * @param options.clock the one that the core goes by
 * @param options.directory where payments, chats and what the supplier knows are kept
 */
export async function createSandbox(options: {
  core: Core
  server: FastifyInstance
  clock: SandboxClock
  directory: string
}): Promise<Sandbox> {
  const { core, server, clock, directory } = options
  await refuseRealData(core)
  // Files of an earlier database do not fit a new one.
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
  // What the owner of a shop switches on in @BotFather, for agents who want bots of their own.
  telegram.setCanManageBots(true)
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
  const tronServer = Fastify({ forceCloseConnections: true, ...NO_JSON_SCHEMA })
  await tronServer.register(tron.httpApi)
  const upstream = await createUpstream({
    clock,
    book: keptValue<KeptBook | undefined>(join(directory, SUPPLIER_FILE), undefined),
    switches: keptValue<KeptSwitches>(join(directory, SWITCHES_FILE), { faults: [], dead: [] }),
    others: demoStock(),
  })
  stockUpstream(upstream.emulator)
  const upstreamServer = Fastify({ forceCloseConnections: true, ...NO_JSON_SCHEMA })
  await upstreamServer.register(upstream.emulator.httpApi)
  const upstreamUrl = await upstreamServer.listen({ host: '127.0.0.1', port: 0 })
  const kept = keptValue<KeptGateway>(join(directory, GATEWAY_FILE), NO_GATEWAY)
  const sites = await startSites()
  const exits = await startExits(sites, kept.get().exitPort)
  const gateway = createSandboxGateway(exits)
  endSilentConnections(server)
  await server.register(telegram.botApi, { prefix: BOT_API_PATH })
  await server.register(
    webChat({
      telegram,
      wallet,
      upstream,
      gateway,
      hints: [
        hint('agent', 'Agent'),
        hint('customer', 'Customer'),
        { userId: PEOPLE.operator.id, title: 'Operator' },
      ],
    }),
    { prefix: SANDBOX_PATH },
  )
  server.get('/', (_request, reply) => reply.redirect(`${SANDBOX_PATH}/`))
  return {
    telegram,
    tron,
    page: (listeningAt) => `${listeningAt}${SANDBOX_PATH}/`,
    apiRoot: (listeningAt) => listeningAt + BOT_API_PATH,
    tronApiUrl: await tronServer.listen({ host: '127.0.0.1', port: 0 }),
    proxyPort: upstream.proxyPort,
    plant: async () => {
      await plant(core, clock, wallet)
      await plantSupply(core, upstream.emulator, upstreamUrl)
      await plantExits(core, exits.port, kept)
    },
    begin: async (listeningAt) => {
      upstream.emulator.account.callbackUrl =
        listeningAt + (await core.operator.suppliers.callbackPath(DEMO_SUPPLIER))
      upstream.begin()
    },
    gatewaySettings: {
      GATEWAY_KNOWN_TARGETS: SITE_HOSTS.map((host) => `${host}=127.0.0.1:${sites.port}`).join(),
      GATEWAY_PROBE_TARGET: `${SITE_HOSTS[0]}:80`,
    },
    gatewayListens: async (address) => {
      await nameGateway(core, `${address.host}:${address.port}`, kept)
      gateway.listens(address)
    },
    gatewayEnded: () => gateway.listens(null),
    close: async () => {
      await exits.close()
      await sites.close()
      await upstream.close()
      await upstreamServer.close()
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

/** Makes accounts and history in a new database; one that has them gets only the products of a newer version. */
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
