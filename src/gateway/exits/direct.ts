import { isIP } from 'node:net'
import type { Attempt } from '../attempt.ts'
import type { Connection } from '../connection.ts'
import { Refused, type Target } from '../exit.ts'
import type { Targets } from '../targets.ts'
import { connectToAny } from './connect-to-any.ts'
import { resolveByDns } from './resolve-by-dns.ts'
import { refuseSingleWord } from './target-names.ts'

interface DirectExitOptions {
  readonly targets: Targets
  /** All addresses of a name, in the order in which they are tried. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** The limit for resolving and connecting together. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/**
 * The exit that is this machine. A name is resolved once, all of its addresses are checked, and the connection goes to a checked
 * address: what the name means a moment later changes nothing.
 */
export class DirectExit {
  readonly #targets: Targets
  readonly #resolve: (name: string) => Promise<readonly string[]>
  readonly #timeoutMs: number

  constructor({ targets, resolve = resolveByDns, timeoutMs = TIMEOUT_MS }: DirectExitOptions) {
    this.#targets = targets
    this.#resolve = resolve
    this.#timeoutMs = timeoutMs
  }

  /** @throws Refused target_refused, target_unreachable, target_timeout; the reason for which the attempt was given up */
  async connect(target: Target, attempt: Attempt): Promise<Connection> {
    const deadline = performance.now() + this.#timeoutMs
    const lead = this.#targets.lead(target.host)
    const addresses = lead ? [lead.address] : await this.#addresses(target.host, deadline, attempt)
    try {
      return await connectToAny(addresses, lead?.port ?? target.port, deadline, attempt)
    } catch (error) {
      throw attempt.reason ?? unreachable(error)
    }
  }

  async #addresses(host: string, deadline: number, attempt: Attempt): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await this.#resolved(host, deadline, attempt) : [host]
    if (!addresses.every((address) => this.#targets.mayReach(address))) throw new Refused('target_refused')
    return addresses
  }

  async #resolved(name: string, deadline: number, attempt: Attempt): Promise<readonly string[]> {
    refuseSingleWord(name)
    const tooLate = () => new Refused('target_timeout', 'the name was not resolved in time')
    try {
      return await attempt.wait(this.#resolve(name), deadline - performance.now(), tooLate)
    } catch (error) {
      throw attempt.reason ?? (error instanceof Refused ? error : unreachable(error))
    }
  }
}

function unreachable(cause: unknown): Refused {
  const { code = '' } = cause as NodeJS.ErrnoException
  if (code === 'ETIMEDOUT' || code === 'ETIMEOUT') return new Refused('target_timeout', undefined, { cause })
  return new Refused('target_unreachable', `the target cannot be reached (${code})`, { cause })
}
