import type { Logger } from 'pino'
import type { AccountsPage, UsageBatch } from '../core/gateway/wire.ts'
import { OperatorError } from '../core/operator-error.ts'
import { Accounts, type Quotas } from './accounts.ts'
import type { GatewayConfig } from './config.ts'
import type { Refusal } from './exit.ts'
import { DirectExit } from './exits/direct.ts'
import { type ChooseExit, createExits } from './exits/exits.ts'
import type { ExitObserver } from './exits/health.ts'
import type { ProxyTimes } from './exits/proxy.ts'
import { TargetNames } from './exits/target-names.ts'
import type { GateOptions } from './gate.ts'
import { type Listener, startListener } from './listener.ts'
import { Targets } from './targets.ts'

/** Counts since the figures were taken last; `connections` are the open ones. */
export type FrontFigures = Pick<UsageBatch['gateway'], 'connections' | 'accepted' | 'refused'>

/** The side of the gateway that serves clients: in this process, or in several workers. */
export interface Front {
  readonly port: number
  page(page: AccountsPage): void
  /** Sets why clients are refused from now on; undefined: they are served. Before the first call nobody is. */
  refuse(reason: Refusal | undefined): void
  endTunnels(): void
  /** Sets the exits that get no clients from now on. */
  healthChanged(unhealthy: readonly number[]): void
  /** Settles when the quotas hold everything that a suspended account has used. */
  settle(username: string): Promise<void>
  figures(): FrontFigures
  /** Takes no new connections, and settles when the open ones have ended; after the limit they are broken off. */
  drain(limitMs: number): Promise<void>
  close(): Promise<void>
}

interface FrontOptions {
  readonly config: GatewayConfig
  /** Tunnels and requests of an account at a time. */
  readonly maxConnections: number
  readonly quotas: Quotas
  readonly choose: ChooseExit
  readonly observer: ExitObserver
  readonly logger: Logger
  readonly proxyTimes?: ProxyTimes | undefined
}

/**
 * Serves clients in this process.
 *
 * @throws OperatorError when the port is taken
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { config, maxConnections, quotas, choose, observer, logger, proxyTimes } = options
  const accounts = new Accounts(quotas)
  const targets = new Targets({ known: config.knownTargets })
  let reason: Refusal | undefined = 'shop_unreachable'
  const listener = await listening(config, {
    accounts,
    exits: createExits({
      choose,
      observer,
      direct: new DirectExit({ targets }),
      names: new TargetNames({ targets }),
      times: proxyTimes,
    }),
    targets,
    logger,
    refusal: () => reason,
    mostPerAccount: maxConnections,
  })
  return {
    port: listener.port,
    page: (page) => accounts.apply(page),
    refuse: (why) => void (reason = why),
    endTunnels: () => accounts.closeAll(),
    healthChanged: () => {},
    settle: () => Promise.resolve(),
    figures: () => listener.figures(),
    drain: async (limitMs) => {
      const timer = setTimeout(() => accounts.closeAll(), limitMs)
      await listener.drain()
      clearTimeout(timer)
    },
    close: () => listener.close(),
  }
}

async function listening({ host, port }: GatewayConfig, options: GateOptions): Promise<Listener> {
  try {
    return await startListener({ host, port, ...options })
  } catch (error) {
    const { code = 'failed' } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : code
    throw new OperatorError(`The gateway cannot listen on ${host}:${port}: ${reason}.`, { cause: error })
  }
}
