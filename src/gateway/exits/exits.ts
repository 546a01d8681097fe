import { vendorUsername } from '../../core/gateway/vendor-username.ts'
import type { GatewayExit } from '../../core/gateway/wire.ts'
import type { Attempt } from '../attempt.ts'
import type { Connection } from '../connection.ts'
import { type ExitConnection, type Exits, type ExitWish, Refused, type Target } from '../exit.ts'
import type { Choice } from './choose-exit.ts'
import type { DirectExit } from './direct.ts'
import { ExitFault } from './exit-fault.ts'
import type { ExitObserver } from './health.ts'
import { connectThrough, PROXY_TIMES, type ProxyTimes, proxyAt } from './proxy.ts'
import type { AskedTarget, TargetNames } from './target-names.ts'

/** How often a connection is tried, each time through another exit. */
const TRIES = 2

/** @see ExitChoice.choose */
export type ChooseExit = (wish: ExitWish, failed?: number) => Choice | undefined | Promise<Choice | undefined>

interface ExitsOptions {
  readonly choose: ChooseExit
  readonly observer: ExitObserver
  readonly direct: DirectExit
  readonly names: TargetNames
  readonly times?: ProxyTimes | undefined
}

/** Makes the opener of connections through the exits that `choose` returns. */
export function createExits({ choose, observer, direct, names, times }: ExitsOptions): Exits {
  async function open(
    choice: Choice,
    wish: ExitWish,
    target: Target,
    attempt: Attempt,
  ): Promise<ExitConnection> {
    const { exit, session } = choice
    const begun = performance.now()
    let socket: Connection
    try {
      socket = await (exit.kind === 'direct'
        ? direct.connect(target, attempt)
        : throughProxy(exit, { ...wish, session }, names.askedOf(exit, target), attempt, times))
    } catch (error) {
      if (error instanceof ExitFault) observer.failed(exit.id, error)
      throw error
    }
    observer.opened(exit.id, performance.now() - begun)
    return { socket, exitId: exit.id, ended: (bytes) => observer.carried(exit.id, bytes) }
  }

  return {
    async connect(wish, target, attempt) {
      let failed: { readonly exitId: number; readonly fault: ExitFault } | undefined
      for (let tries = 0; tries < TRIES; tries += 1) {
        const choice = await choose(wish, failed?.exitId)
        if (!choice) break
        try {
          return await open(choice, wish, target, attempt)
        } catch (error) {
          if (!(error instanceof ExitFault)) throw error
          failed = { exitId: choice.exit.id, fault: error }
          if (error.refusal !== 'exit_failed' && error.refusal !== 'exit_timeout') break
        }
      }
      // The client is not told what exactly is wrong with an exit.
      if (failed) throw new Refused(failed.fault.refusal, undefined, { cause: failed.fault })
      throw new Refused('no_exit', noExitFor(wish))
    },
  }
}

function noExitFor({ country, city }: ExitWish): string {
  const place = [city, country].filter(Boolean).join(', ')
  return `no exit${place && ` in ${place}`} works at the moment`
}

/**
 * Opens a connection through an exit that is a proxy, or a vendor's gateway.
 *
 * @throws ExitFault; Refused where the target may not be reached; the reason for which the attempt was given up
 */
export async function throughProxy(
  { url, kind, template }: GatewayExit,
  wish: Pick<ExitWish, 'country' | 'city' | 'session' | 'lifetimeMinutes'>,
  target: AskedTarget,
  attempt: Attempt,
  times = PROXY_TIMES,
): Promise<Connection> {
  const proxy = proxyAt(url)
  const username = kind === 'vendor' ? vendorUsername(proxy.username, template, wish) : proxy.username
  return connectThrough({ ...proxy, username }, target, attempt, times)
}
