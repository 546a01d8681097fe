import type { GatewayExit } from '../../core/gateway/wire.ts'
import { Attempt } from '../attempt.ts'
import { openConnection } from '../connection.ts'
import type { Target } from '../exit.ts'
import { throughProxy } from './exits.ts'
import type { ProxyTimes } from './proxy.ts'

const CONTROL_MS = 5_000
const NO_WISH = { country: null, city: null, session: null, lifetimeMinutes: 1 }

/**
 * Opens a connection to the target of the probes through an exit, and ends it.
 *
 * @throws ExitFault
 */
export async function probeExit(exit: GatewayExit, target: Target, times?: ProxyTimes): Promise<void> {
  const { socket } = await throughProxy(exit, NO_WISH, target, new Attempt(), times)
  socket.destroy()
}

/** Whether the target of the probes is reached without an exit. */
export async function reachesDirectly({ host, port }: Target): Promise<boolean> {
  const options = { host, port, timeoutMs: CONTROL_MS, attempt: new Attempt() }
  const connection = await openConnection(options).catch(() => undefined)
  connection?.socket.destroy()
  return connection !== undefined
}
