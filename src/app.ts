import type { Logger } from 'pino'
import { startBackground } from './app/background.ts'
import { type AppOverrides, type Base, startBase } from './app/base.ts'
import { makeBot } from './app/bot.ts'
import { closeAll, type Closers } from './app/closers.ts'
import { startCore } from './app/core.ts'
import { startGateway } from './app/gateway.ts'
import { startSandbox } from './app/sandbox.ts'
import { listen, makeServer } from './app/server.ts'
import type { Config } from './config.ts'
import type { Core } from './core/core.ts'
import type { TelegramServer } from './emulators/telegram/telegram-emulator.ts'

export type { AppOverrides } from './app/base.ts'

export interface App {
  readonly core: Core
  /** The emulator of Telegram, in the sandbox. */
  readonly telegram: TelegramServer | undefined
  /** Addresses for people: the API, its pages, the web chat of the sandbox. */
  readonly addresses: Readonly<Record<string, string>>
  /** Ends what is in hand and closes everything; what was accepted is completed after the next start. */
  stop(): Promise<void>
}

/**
 * Builds, wires and starts everything from a configuration.
 *
 * @throws OperatorError when the database is not for this mode, Telegram refuses the token, or the port is taken; nothing is
 *   left open then
 */
export async function startApp(config: Config, logger: Logger, overrides: AppOverrides = {}): Promise<App> {
  const closers: Closers = []
  const stop = () => closeAll(closers)
  try {
    return { ...(await startAll(await startBase(config, logger, overrides, closers))), stop }
  } catch (error) {
    await stop().catch((fault: unknown) => logger.error(fault, 'a start that failed was not cleared away'))
    throw error
  }
}

/** Starts the parts, each with those before it that it needs. They are stopped in reverse order. */
async function startAll(base: Base): Promise<Omit<App, 'stop'>> {
  const { core, machine } = await startCore(base)
  const server = await makeServer(base, core, machine)
  const sandbox = await startSandbox(base, core, server)
  const places = await listen(base, server)
  const { address, publicUrl } = places
  await sandbox?.begin(address)
  const bot = makeBot(base, core, sandbox, places)
  await startBackground(base, { core, machine, bot, publicUrl })
  startGateway(base, server, sandbox)
  const api = `${address}/api`
  return {
    core,
    telegram: sandbox?.telegram,
    addresses: { ...(sandbox && { sandbox: sandbox.page(address) }), api, docs: `${api}/docs` },
  }
}
