import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupSettings } from '../backup/settings.ts'
import { BUSY } from '../backup/work-folder.ts'
import { BackupWorker } from '../backup/worker-process.ts'
import {
  backupSecretsOf,
  ConfigError,
  type ExitConfig,
  loadBackupSettings,
  loadBotSettings,
  loadExitConfig,
  loadGatewayToken,
  loadOperatorConfig,
  loadSupplyConfig,
  loadTopUpConfig,
  type OperatorConfig,
  setupSource,
  type SetupSource,
  type SupplyConfig,
  type TopUpConfig,
  withChosen,
} from '../config.ts'
import type { MadeBackup } from '../core/backups/backup-maker.ts'
import type { ProxyProber } from '../core/checks/prober.ts'
import { systemClock } from '../core/clock.ts'
import { type Core, type CoreOptions, createCore } from '../core/core.ts'
import { claimCurrency } from '../core/database/currency.ts'
import {
  COMMAND_TURN_MS,
  type Database,
  databasePath,
  isPostgres,
  openDatabase,
} from '../core/database/database.ts'
import { ServiceError } from '../core/errors.ts'
import { OperatorError } from '../core/operator-error.ts'
import { readChosen } from '../core/operator/setup.ts'
import { type Operator, SHELL } from '../core/people/operator.ts'
import type { DriverKinds } from '../core/supply/driver.ts'
import { createExitProber } from '../checker/exit-prober.ts'
import { DRIVERS } from '../suppliers/drivers.ts'
import { programUrl } from '../project-url.ts'
import { redactor } from '../redact.ts'
import { createInventory } from '../suppliers/inventory/inventory.ts'
import type { ConfiguredNetwork } from '../networks/configured-network.ts'
import { knownNetworks } from '../networks/index.ts'
import type { OpenNetwork } from '../core/top-ups/payment-network.ts'
import type { BotLink } from '../operator/action.ts'
import { botLink } from './bot-link.ts'
import { logOperator } from './operator-log.ts'
import { Refusal, wrongUse } from '../operator/refusal.ts'
import { RemoteService } from './remote.ts'
import { refusalOf, type RefusalTexts } from './refusal-texts.ts'

/** The result of a successful command. */
export interface Answer {
  /** With `--json`: the document on stdout, with names as in the API and money in units of the currency. */
  readonly data: object
  /** Without `--json`: the text on stdout. */
  readonly text: string
  /** Possible mistakes of the operator; on stderr, or in the document. */
  readonly warnings?: readonly string[]
}

/** The environment of a command. */
export interface Session {
  /** The service that `--server` names; nothing of this machine is used then. */
  readonly server: RemoteService | undefined
  /** File of the SQLite database; on PostgreSQL, reading this throws OperatorError. */
  readonly database: string
  /** Whether the file of the SQLite database exists; always true on PostgreSQL. */
  readonly hasDatabase: boolean
  /** ISO 4217 code of the account currency. Known once the core was asked for. */
  readonly currency: string
  readonly stdin: NodeJS.ReadableStream
  /** For questions at the terminal. */
  readonly stderr: NodeJS.WritableStream
  /** Who runs the command: the owner, or the person that `--as` names. Known once the core was asked for. */
  readonly by: Operator
  /** Whether input and errors are at a terminal, and no JSON was asked for. */
  readonly interactive: boolean
  /**
   * Opens the service core on this database.
   *
   * @param needs `create`: a missing database is created, which is refused otherwise. `chain`: it can read the networks over which USDT is taken.
   *   `suppliers`: it can ask suppliers. `exits`: it can keep and try exits. `any currency`: the amounts may be in another currency than CURRENCY says, which is refused
   *   otherwise
   */
  core(...needs: Need[]): Promise<Core>
  /** Returns the token of the gateway, which is made where there is none. */
  gatewayToken(): string
  /** Returns the settings of backups, such as the places where they go. */
  backupSettings(): BackupSettings
  /** Makes a backup in a process of its own. */
  makeBackup(name: string): Promise<MadeBackup>
  /** Returns PUBLIC_URL without a slash at the end; undefined where it is not set. */
  publicUrl(): string | undefined
  /** Returns the link that opens the bot with this parameter. */
  readonly botLink: (core: Core, start: string) => Promise<BotLink>
}

type Need = 'create' | 'chain' | 'suppliers' | 'exits' | 'any currency'

export type Work<Args extends unknown[]> = (session: Session, ...args: Args) => Promise<Answer>
/** Turns the work of a command into an action of commander. */
export type Run = <Args extends unknown[]>(
  work: Work<Args>,
  texts?: RefusalTexts,
) => (...args: Args) => Promise<void>

/** The part of `process` that commands use. */
export type Host = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'exitCode'>

/**
 * Returns what runs a command: it opens the database when needed, prints the answer or refusal, closes the database and logs.
 *
 * @param options those of all commands: whether `--json` was given, whom `--as` and which service `--server` names
 * @param drivers the kinds of suppliers
 */
export function createRun(
  host: Host,
  options: () => { readonly json?: true; readonly as?: string; readonly server?: string },
  drivers: Partial<DriverKinds> = DRIVERS,
): Run {
  const asJson = () => options().json === true
  const print = ({ data, text, warnings = [] }: Answer) => {
    const document = warnings.length > 0 ? { ...data, warnings } : data
    host.stdout.write(`${asJson() ? JSON.stringify(document) : text}\n`)
    if (!asJson()) for (const warning of warnings) host.stderr.write(`Warning: ${warning}\n`)
  }
  return (work, texts) =>
    async (...args) => {
      let database: Database | undefined
      let file: string | undefined
      let by = SHELL
      let status = 1
      try {
        if (options().server !== undefined) {
          print(await work(sessionElsewhere(host, options(), !asJson()), ...args))
          status = 0
          return
        }
        const config = loadOperatorConfig(host.env)
        let currency = config.currency ?? ''
        let environment: Readonly<Record<string, string | undefined>> = host.env
        const path = isPostgres(config.databaseUrl) ? undefined : databasePath(config.databaseUrl)
        const hasDatabase = path === undefined || existsSync(path)
        file = path ?? join(config.dataDirectory, 'reseller.db')
        print(
          await work(
            {
              server: undefined,
              get database() {
                if (path === undefined)
                  throw new OperatorError(
                    'This command works on a SQLite database: set DATABASE_URL to a file: URL',
                  )
                return path
              },
              hasDatabase,
              get currency() {
                return currency
              },
              stdin: host.stdin,
              stderr: host.stderr,
              get by() {
                return by
              },
              interactive: !asJson() && host.stdin.isTTY && host.stderr.isTTY,
              core: async (...needs) => {
                if (!hasDatabase && !needs.includes('create')) throw noDatabase(path)
                database = await openDatabase(config.databaseUrl, { turnMs: COMMAND_TURN_MS })
                environment = withChosen(host.env, await readChosen({ db: database }))
                if (!needs.includes('any currency'))
                  currency = await claimCurrency({ db: database }, config.currency)
                const topUps = needs.includes('chain') ? loadTopUpConfig(environment) : undefined
                const supply = needs.includes('suppliers') ? loadSupplyConfig(environment) : undefined
                const exits = needs.includes('exits') ? loadExitConfig(environment) : undefined
                const core = createOperatorCore(
                  database,
                  { ...config, currency },
                  {
                    topUps,
                    supply,
                    exits,
                    drivers,
                    setup: setupSource(host.env),
                  },
                )
                const { as: name } = options()
                if (name !== undefined) by = await core.people.operatorNamed(name)
                return core
              },
              gatewayToken: () => loadGatewayToken(host.env),
              backupSettings: () => loadBackupSettings(host.env),
              makeBackup: (name) => makeBackup(loadBackupSettings(host.env), name),
              publicUrl: () => loadSupplyConfig(environment).publicUrl,
              botLink: (core, start) => botLink(core, loadBotSettings(host.env), start),
            },
            ...args,
          ),
        )
        status = 0
      } catch (error) {
        refuse(host, asJson(), asRefusal(error, texts))
      } finally {
        await database?.close()
        if (file) logOperator(file, { args: host.argv.slice(2), status })
      }
    }
}

/**
 * Returns the environment of a command on another service.
 *
 * @throws Refusal
 */
function sessionElsewhere(
  { stdin, stderr, env }: Host,
  { as: person, server = '' }: { readonly as?: string; readonly server?: string },
  isText: boolean,
): Session {
  if (person !== undefined)
    throw wrongUse('--as is for the database here: at a service you are who logged in')
  const notHere = (): never => {
    throw wrongUse('This command works on the machine of the service only: leave --server out')
  }
  return {
    server: new RemoteService(server, env),
    get database() {
      return notHere()
    },
    get hasDatabase() {
      return notHere()
    },
    get currency() {
      return notHere()
    },
    stdin,
    stderr,
    get by() {
      return notHere()
    },
    interactive: isText && stdin.isTTY && stderr.isTTY,
    core: notHere,
    gatewayToken: notHere,
    backupSettings: notHere,
    makeBackup: notHere,
    publicUrl: notHere,
    botLink: notHere,
  }
}

/** Prints a refusal: one JSON document on stdout, or lines on stderr. */
export function refuse(host: Host, asJson: boolean, refusal: Refusal): void {
  const { code, message, data, lines, exitStatus } = refusal
  if (asJson) host.stdout.write(`${JSON.stringify({ error: code, message, data })}\n`)
  else host.stderr.write(`${lines.join('\n')}\n`)
  host.exitCode = exitStatus
}

/**
 * Returns the refusal for an expected error.
 *
 * @throws the error itself when it is a bug
 */
export function asRefusal(error: unknown, texts?: RefusalTexts): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ServiceError) return refusalOf(error, texts)
  if (error instanceof ConfigError)
    return new Refusal('config_invalid', error.message.replaceAll(/\s+/g, ' '))
  if (error instanceof OperatorError) return new Refusal('unavailable', error.message)
  throw error
}

/** Returns the refusal for a configured database that does not exist. */
export function noDatabase(path: string): Refusal {
  return new Refusal('database_not_found', `There is no database at ${path}; DATABASE_URL says where it is`)
}

const probesNothing = () => Promise.reject(new Error('commands do not probe proxies'))
const NO_PROBER: ProxyProber = {
  ready: false,
  proven: false,
  probe: probesNothing,
  controlWorks: probesNothing,
}

async function makeBackup(settings: BackupSettings, name: string): Promise<MadeBackup> {
  const worker = new BackupWorker({
    entry: programUrl('backup/worker'),
    settings,
    redact: redactor(backupSecretsOf(settings)),
  })
  const made = await worker.make(name)
  if (made === 'busy') throw new OperatorError(BUSY)
  if (made === 'newer')
    throw new OperatorError('The database was just updated: use the commands of the new version')
  if (made === 'stopped') throw new Error('nobody stops a command’s backup')
  return made
}

interface Reached {
  readonly topUps: TopUpConfig | undefined
  readonly supply: SupplyConfig | undefined
  readonly exits: ExitConfig | undefined
  readonly drivers: Partial<DriverKinds>
  readonly setup: SetupSource
}

function createOperatorCore(
  db: Database,
  { currency, checksProxies, operatorChats }: OperatorConfig & { readonly currency: string },
  { topUps, supply, exits, drivers, setup }: Reached,
): Core {
  return createCore({
    db,
    currency,
    operatorChats,
    clock: systemClock,
    suppliers: { inventory: createInventory(db.read) },
    // The server checks the proxies that a command delivers.
    checks: checksProxies ? { regular: true, prober: () => NO_PROBER } : undefined,
    // No command issues access tokens; only trials of exits need the key of the server, for tokens of its echo.
    jwtSecret: exits?.jwtSecret ?? randomBytes(32).toString('base64url'),
    jwtTtl: 60,
    drivers,
    // A running server reads the settings again by itself.
    setup: { ...setup, changed: () => {} },
    ...(supply && { secretsKey: supply.secretsKey }),
    ...(exits && {
      secretsKey: exits.secretsKey,
      exitProber: (echo) => createExitProber({ ...exits, echo }),
    }),
    networks: knownNetworks(topUps?.networks),
    topUps: topUps && openedForCommand(topUps),
  })
}

function openedForCommand({ terms, networks: [usual, ...others] }: TopUpConfig): CoreOptions['topUps'] {
  const open = ({ wallet, contract, ...network }: ConfiguredNetwork): OpenNetwork => ({
    wallet,
    contract,
    network: network.open({ asker: 'command', clock: systemClock }),
  })
  return { terms, networks: [open(usual), ...others.map(open)] }
}
