import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { benchScript, root, type ServerProcess, startServer } from './server-process.ts'

/** A server under test: a process of its own with its own copy of the database. */
export interface Contender extends ServerProcess {
  /** Path of its database. */
  readonly database: string
  /** Stops it and starts it again on the same database. */
  restart(): Promise<Contender>
}

/** Arguments with which Node runs the compiled product of a checkout, with the flags of its `npm start`. */
function productOf(checkout = root): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const flags = manifest.scripts['start']?.split(' ').filter((word) => word.startsWith('--')) ?? []
  return [...flags, join(checkout, 'dist', 'main.js')]
}

/**
 * The product as `npm start` runs it, with its background loop and its log, as the sandbox.
 *
 * @param checkout where it was compiled; this one unless said otherwise
 */
export function startProduct(
  template: string,
  directory: string,
  jwtSecret: string,
  name = 'product',
  checkout?: string,
): Promise<Contender> {
  return start(name, template, join(directory, name), (database) => ({
    args: productOf(checkout),
    env: {
      DATABASE_URL: `file:${database}`,
      JWT_SECRET: jwtSecret,
      SECRETS_KEY: jwtSecret,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX: 'on',
      // Measured by itself, see gateway.ts.
      GATEWAY_PORT: 'off',
      // Counted as always, but never reached: one account does what thousands would.
      RATE_LIMIT_READS: '9999999',
      RATE_LIMIT_WRITES: '9999999',
    },
  }))
}

export function startFloor(
  mode: 'each' | 'group',
  template: string,
  directory: string,
  jwtSecret: string,
): Promise<Contender> {
  return start(`floor-${mode}`, template, join(directory, `floor-${mode}`), (database) => ({
    args: [...benchScript('floor-server.ts'), mode, database],
    env: { JWT_SECRET: jwtSecret },
  }))
}

/**
 * The product as it runs with a bot of its own.
 *
 * @param telegram its token, and where its Telegram is
 * @param change what happens to its database before it starts
 */
export function startProductBot(
  template: string,
  directory: string,
  jwtSecret: string,
  telegram: Readonly<Record<string, string>>,
  change: (database: string) => void,
  checkout?: string,
): Promise<Contender> {
  return start('bot', template, join(directory, 'bot'), (database) => {
    change(database)
    const settings = {
      DATABASE_URL: `file:${database}`,
      JWT_SECRET: jwtSecret,
      PORT: '0',
      RATE_LIMIT_CHAT: '0',
    }
    return { args: productOf(checkout), env: { ...settings, ...telegram } }
  })
}

/** The product with a bot of its own, on a database that is filled and ready. */
export function startProductOn(
  url: string,
  directory: string,
  jwtSecret: string,
  telegram: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  mkdirSync(directory)
  const secret = 'of-the-benchmark-which-opens-nothing-else'
  const secrets = {
    JWT_SECRET: jwtSecret,
    SECRETS_KEY: jwtSecret,
    GATEWAY_TOKEN: secret,
    WEBHOOK_SECRET: secret,
  }
  const limits = { RATE_LIMIT_READS: '9999999', RATE_LIMIT_WRITES: '9999999', RATE_LIMIT_CHAT: '0' }
  const env = { DATABASE_URL: url, DATA_DIR: directory, PORT: '0', ...secrets, ...limits, ...telegram }
  return startServer({ name: 'product', directory, args: productOf(), env })
}

export function startBareBot(
  template: string,
  directory: string,
  telegram: Readonly<Record<string, string>>,
): Promise<Contender> {
  return start('bare-bot', template, join(directory, 'bare-bot'), () => ({
    args: benchScript('bare-bot.ts'),
    env: telegram,
  }))
}

/** The supplier of `supplier-server.ts`, for a shop with these credentials. */
export function startSupplier(
  template: string,
  directory: string,
  { key, secret }: { readonly key: string; readonly secret: string },
): Promise<Contender> {
  return start('supplier', template, join(directory, 'supplier'), () => ({
    args: [...benchScript('supplier-server.ts'), key, secret],
    env: {},
  }))
}

interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

function start(
  name: string,
  template: string,
  directory: string,
  command: (database: string) => Command,
): Promise<Contender> {
  mkdirSync(directory, { recursive: true })
  const database = join(directory, 'bench.db')
  copyFileSync(template, database)
  return run(name, database, command(database))
}

async function run(name: string, database: string, command: Command): Promise<Contender> {
  const server = await startServer({ name, directory: dirname(database), ...command })
  return {
    ...server,
    database,
    restart: async () => {
      await server.stop()
      return run(name, database, command)
    },
  }
}
