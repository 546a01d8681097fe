import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { DEMO_ACCOUNTS, plantDemoData } from './demo-data.ts'
import { keptValue } from './kept-value.ts'
import { createPayerWallet, type KeptPayment } from './payer-wallet.ts'
import { SANDBOX_CHAIN } from './sandbox-chain.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { endSilentConnections } from './silent-connections.ts'
import { createTelegramSandbox, type TelegramServer } from './telegram/telegram-sandbox.ts'
import { createTronSandbox } from './tron/tron-sandbox.ts'
import type { TronSandbox } from './tron/types.ts'
import { webChat } from './web/web-chat.ts'

/** The two people of the web chat; their ids are those of Telegram users, and stay, so that a log-in outlives a restart. */
export const PEOPLE = {
  agent: { id: 1001, firstName: 'Agent', languageCode: 'en' },
  customer: { id: 1002, firstName: 'Customer', languageCode: 'en' },
} as const

export interface Sandbox {
  readonly telegram: TelegramServer
  readonly tron: TronSandbox
  /** Where the bot finds its Bot API server. */
  apiRoot(listeningAt: string): string
  /** Where the shop reads the chain. */
  tronApiUrl(listeningAt: string): string
}

/** Where the pages of the sandbox are. */
export const SANDBOX_PATH = '/sandbox'
const BOT_API_PATH = '/sandbox/telegram'
const TRON_PATH = '/sandbox/tron'

/**
 * The whole product on one machine with nothing from outside (contract 9): a stand-in for Telegram with a web chat, a
 * stand-in for TRON with a wallet to pay from, and demo data.
 *
 * @param options.server gets the pages and both APIs; not listening yet
 * @param options.clock the one that the core goes by
 * @param options.directory where payments are kept: the database remembers them, too
 */
export async function createSandbox(options: {
  core: Core
  server: FastifyInstance
  clock: SandboxClock
  directory: string
}): Promise<Sandbox> {
  const { core, server, clock, directory } = options
  await plantDemoData(core)
  // A new token each time: nobody but this process has to know it.
  const telegram = createTelegramSandbox({
    token: `1:${randomBytes(24).toString('base64url')}`,
    botUsername: 'proxy_reseller_bot',
    now: () => clock.now(),
  })
  for (const person of Object.values(PEOPLE)) telegram.addUser(person)
  const hint = (name: 'agent' | 'customer', title: string) => ({
    userId: PEOPLE[name].id,
    title,
    login: DEMO_ACCOUNTS[name].username,
    password: DEMO_ACCOUNTS[name].password,
  })
  const tron = createTronSandbox({
    clock,
    wallet: SANDBOX_CHAIN.USDT_WALLET,
    contract: SANDBOX_CHAIN.USDT_CONTRACT,
  })
  const wallet = createPayerWallet({
    chain: tron.chain,
    clock,
    topUpLastsMs: core.topUps.terms?.expireMs ?? 0,
    kept: keptValue<readonly KeptPayment[]>(join(directory, 'sandbox-payments.json'), []),
  })
  endSilentConnections(server)
  await server.register(telegram.botApi, { prefix: BOT_API_PATH })
  await server.register(tron.httpApi, { prefix: TRON_PATH })
  await server.register(
    webChat({ telegram, wallet, hints: [hint('agent', 'Agent'), hint('customer', 'Customer')] }),
    { prefix: SANDBOX_PATH },
  )
  server.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(`${SANDBOX_PATH}/`))
  return {
    telegram,
    tron,
    apiRoot: (listeningAt) => listeningAt + BOT_API_PATH,
    tronApiUrl: (listeningAt) => listeningAt + TRON_PATH,
  }
}
