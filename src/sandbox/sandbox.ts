import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { DEMO_ACCOUNTS, plantDemoData } from './demo-data.ts'
import { createTelegramSandbox, type TelegramServer } from './telegram/telegram-sandbox.ts'
import { webChat } from './web/web-chat.ts'

/** The two people of the web chat; their ids are those of Telegram users, and stay, so that a log-in outlives a restart. */
export const PEOPLE = {
  agent: { id: 1001, firstName: 'Agent', languageCode: 'en' },
  customer: { id: 1002, firstName: 'Customer', languageCode: 'en' },
} as const

export interface Sandbox {
  readonly telegram: TelegramServer
  /** Where the bot finds its Bot API server. */
  apiRoot(listeningAt: string): string
}

/** Where the pages of the sandbox are. */
export const SANDBOX_PATH = '/sandbox'
const BOT_API_PATH = '/sandbox/telegram'

/**
 * The whole product on one machine with nothing from outside (contract 9): a stand-in for Telegram with a web chat, and
 * demo data.
 *
 * @param server gets the pages and the Bot API; not listening yet
 */
export async function createSandbox(core: Core, server: FastifyInstance): Promise<Sandbox> {
  await plantDemoData(core)
  // A new token each time: nobody but this process has to know it.
  const telegram = createTelegramSandbox({
    token: `1:${randomBytes(24).toString('base64url')}`,
    botUsername: 'proxy_reseller_bot',
  })
  for (const person of Object.values(PEOPLE)) telegram.addUser(person)
  const hint = (name: 'agent' | 'customer', title: string) => ({
    userId: PEOPLE[name].id,
    title,
    login: DEMO_ACCOUNTS[name].username,
    password: DEMO_ACCOUNTS[name].password,
  })
  await server.register(telegram.botApi, { prefix: BOT_API_PATH })
  await server.register(
    webChat({ telegram, hints: [hint('agent', 'Agent'), hint('customer', 'Customer')] }),
    { prefix: SANDBOX_PATH },
  )
  server.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(`${SANDBOX_PATH}/`))
  return { telegram, apiRoot: (listeningAt) => listeningAt + BOT_API_PATH }
}
