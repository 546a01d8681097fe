import { createExitProber } from '../checker/exit-prober.ts'
import { createProber } from '../checker/prober.ts'
import type { Echo } from '../core/checks/echo.ts'
import { type Core, type CoreOptions, createCore } from '../core/core.ts'
import { databasePath } from '../core/database/database.ts'
import type { ExitProber } from '../core/gateway/exit-probe.ts'
import type { Machine } from '../core/operator/readiness.ts'
import { OperatorError } from '../core/operator-error.ts'
import { isThisMachine } from '../core/public-url.ts'
import { ChainUnavailable, type OpenNetwork } from '../core/top-ups/payment-network.ts'
import type { ConfiguredNetwork } from '../networks/configured-network.ts'
import { knownNetworks } from '../networks/index.ts'
import { DRIVERS } from '../suppliers/drivers.ts'
import { createInventory } from '../suppliers/inventory/inventory.ts'
import type { Base } from './base.ts'
import { machineOf } from './health.ts'

/**
 * Puts the core together with what it needs from outside.
 *
 * @throws OperatorError when the wallet for USDT or its token cannot be right
 */
export async function startCore(base: Base): Promise<{ core: Core; machine: Machine }> {
  const { config, overrides, logger, metrics, clock, db, sandboxModule, later } = base
  const operatorChats = new Set(config.operatorChats)
  if (sandboxModule) operatorChats.add(sandboxModule.PEOPLE.operator.id)
  const machine = machineOf(base, () => core)
  const core: Core = createCore({
    db,
    clock,
    suppliers: { inventory: createInventory(db.read), ...overrides.suppliers },
    ...probers(base),
    drivers: overrides.drivers ?? DRIVERS,
    currency: base.currency,
    operatorChats: [...operatorChats],
    supportContact: config.supportContact,
    registrationLink: config.registrationLink,
    agentBots: config.agentBots,
    jwtSecret: config.jwtSecret,
    secretsKey: config.secretsKey,
    loopbackWebhooks: config.loopbackWebhooks,
    gatewayToken: config.gatewayToken,
    jwtTtl: config.jwtTtl,
    securityLog: (event) => logger.info(event, 'security'),
    mailer: config.mail && (await import('../mail/mailer.ts')).createMailer({ ...config.mail, logger }),
    machine,
    setup: base.setup,
    backups: { maker: overrides.backupMaker ?? base.backupWorker, everyMs: config.backups.everyMs },
    payouts: config.payouts,
    networks: knownNetworks(config.topUps?.networks),
    topUps: openNetworks(base),
  })
  await checkWallets(base, core)
  const botsHere = () => later.bot?.agentBots.size ?? 0
  metrics.watch(core, db.cluster ?? databasePath(config.databaseUrl), botsHere)
  return { core, machine }
}

/** Returns what tries proxies and exits through the echo, where that can be reached. */
function probers(base: Base): Pick<CoreOptions, 'checks' | 'exitProber'> {
  const { config, overrides, sandboxModule, closing, later } = base
  const { regular, controlProxy, echoUrl = config.publicUrl } = config.checks
  // All proxies of the sandbox are on this machine.
  const toSandbox = () => ({ host: '127.0.0.1', port: later.sandbox?.proxyPort ?? 0 })
  const dial = overrides.dial ?? (sandboxModule && toSandbox)
  const isReached = dial !== undefined || (echoUrl !== undefined && !isThisMachine(echoUrl))
  const reachedAt = () => (isReached ? later.echoUrl : undefined)
  const prober = (echo: Echo) =>
    createProber({ echo, echoUrl: () => reachedAt() ?? '', controlProxy, closing: closing.signal, dial })
  const exitProber =
    (echo: Echo): ExitProber =>
    (exit, target) =>
      createExitProber({ echo, echoUrl: reachedAt(), probeTarget: config.probeTarget })(exit, target)
  return { checks: isReached ? { regular, prober } : undefined, exitProber }
}

/** Returns the networks over which USDT is taken; undefined where it is not. */
function openNetworks(base: Base): CoreOptions['topUps'] {
  const { clock, closing, db, later, logger, metrics } = base
  const { topUps } = base.config
  if (!topUps) return undefined
  const ofSandbox = { apiUrl: () => later.sandbox?.tronApiUrl ?? '', apiKey: 'sandbox' }
  const open = ({ traits, wallet, contract, ...configured }: ConfiguredNetwork): OpenNetwork => ({
    wallet,
    contract,
    network: configured.open({
      clock,
      closing: closing.signal,
      emulator: base.sandboxModule ? ofSandbox : undefined,
      observer: {
        ...metrics.network(traits.id),
        switched: (provider) =>
          logger.warn({ network: traits.id, provider }, 'the chain is read from another provider'),
      },
    }),
  })
  const [usual, ...others] = topUps.networks
  return {
    terms: topUps.terms,
    networks: [open(usual), ...others.map(open)],
    standsBy: () => db.cluster?.leads === false,
  }
}

/**
 * Checks wallet and token of each network: amounts of a token with other decimals would be credited wrongly, and what is paid to a contract
 * is lost. A chain that does not answer does not prevent the start: nothing is credited before this was checked.
 *
 * @throws OperatorError when a wallet or token cannot be right
 */
async function checkWallets(
  { db, logger, sandboxModule }: Base,
  { topUps: { scanners } }: Core,
): Promise<void> {
  if (sandboxModule) return
  for (const scanner of scanners) {
    if (db.cluster && (await scanner.checkedElsewhere())) continue
    const network = scanner.open.network.id
    try {
      const symbol = await scanner.check()
      if (symbol !== 'USDT')
        logger.warn({ network, symbol }, 'the token of USDT_CONTRACT does not call itself USDT')
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      if (error.fault === 'misconfigured') throw new OperatorError(error.message, { cause: error })
      logger.warn(
        { network, fault: error.fault, reason: error.message },
        'the token contract could not be checked: nothing is credited before it was',
      )
    }
  }
}
