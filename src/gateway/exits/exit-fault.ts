import type { Socket } from 'node:net'
import type { ExitFaultDetail } from '../../core/gateway/wire.ts'
import { Refused, type Refusal } from '../exit.ts'

/**
 * Whose fault it is that an exit gave no connection:
 * - `exit`: the exit's own, whatever the target
 * - `unclear`: the exit's or the target's; only a probe can tell, or clients with dead targets could take exits away from others
 * - `credentials`: the exit refuses the gateway's credentials, which only the operator can change
 * - `target`: not the exit's
 */
export type Blame = 'exit' | 'unclear' | 'credentials' | 'target'

/** An exit that gave no connection. The detail is for people, and holds nothing of what was sent: there are credentials in it. */
export class ExitFault extends Refused {
  readonly blame: Blame
  override readonly detail: ExitFaultDetail

  constructor(refusal: Refusal, blame: Blame, detail: ExitFaultDetail, options?: ErrorOptions) {
    super(refusal, detail, options)
    this.blame = blame
    this.detail = detail
  }
}

/**
 * Returns the fault of a connection to an exit that has ended.
 *
 * @param otherwise the fault, unless the gateway has ended the connection with one of its own
 */
export function faultOfEnd({ errored }: Socket, otherwise: ExitFault): ExitFault {
  return errored instanceof ExitFault ? errored : otherwise
}

/** Returns the fault of an exit to which no connection was made; errors of the system are named by their code only. */
export function connectFault(error: unknown): ExitFault {
  const { code = 'failed' } = error as NodeJS.ErrnoException
  return code === 'ETIMEDOUT'
    ? new ExitFault('exit_timeout', 'exit', 'no connection in time', { cause: error })
    : new ExitFault('exit_failed', 'exit', `no connection (${code})`, { cause: error })
}
