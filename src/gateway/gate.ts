import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Account, Accounts } from './accounts.ts'
import { Attempt } from './attempt.ts'
import type { Credentials } from './basic-credentials.ts'
import { type Client, ClientLogin } from './client-login.ts'
import type { Connection } from './connection.ts'
import { type Exits, type Refusal, Refused, type Target } from './exit.ts'
import { Passage } from './passage.ts'
import type { Sweeper } from './sweeper.ts'
import type { Targets } from './targets.ts'

export interface GateOptions {
  readonly accounts: Accounts
  readonly exits: Exits
  readonly targets: Targets
  readonly logger: Logger
  /** Why nobody is let in now, such as `shop_unreachable`. */
  readonly refusal?: () => Refusal | undefined
  /** Tunnels and requests of an account at a time. */
  readonly mostPerAccount?: number
  /** After how long without a byte a tunnel or request is broken off. */
  readonly idleMs?: number
  /** Wrong passwords from one address in a minute, after which nobody may try from there. */
  readonly failuresPerMinute?: number
}

/** What was opened for a client. */
export interface Opened {
  readonly target: Connection
  readonly passage: Passage
}

/** Counts since the figures were taken last, except `connections`. */
export interface GateFigures {
  /** Tunnels and requests now. */
  readonly connections: number
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
}

const MOST_PER_ACCOUNT = 500
const IDLE_MS = 600_000

/** The client went away: nobody is there to be answered. */
class ClientGone extends Error {}

/** Lets clients in and opens their connections to targets; the same for all protocols. */
export class Gate {
  readonly sweeper: Sweeper
  readonly idleMs: number
  readonly #exits: Exits
  readonly #targets: Targets
  readonly #logger: Logger
  readonly #refusal: () => Refusal | undefined
  readonly #mostPerAccount: number
  readonly #login: ClientLogin
  /** Calls of {@link drain} that wait until nothing is open. */
  readonly #waiting: (() => void)[] = []
  #isDraining = false
  #connections = 0
  #accepted = 0
  #refused = new Map<Refusal, number>()

  constructor(
    { exits, targets, logger, refusal, mostPerAccount, idleMs, ...login }: GateOptions,
    sweeper: Sweeper,
  ) {
    this.sweeper = sweeper
    this.idleMs = idleMs ?? IDLE_MS
    this.#exits = exits
    this.#targets = targets
    this.#logger = logger
    this.#refusal = refusal ?? (() => undefined)
    this.#mostPerAccount = mostPerAccount ?? MOST_PER_ACCOUNT
    this.#login = new ClientLogin(login)
  }

  /**
   * @param credentials undefined: the client named none
   * @throws Refused
   */
  logIn(socket: Socket, credentials: Credentials | undefined): Client {
    this.#refuseAll()
    return this.#login.logIn(addressOf(socket), credentials)
  }

  /**
   * @param header `Proxy-Authorization`; undefined: the client sent none
   * @throws Refused
   */
  logInBasic(socket: Socket, header: string | undefined): Client {
    this.#refuseAll()
    return this.#login.logInBasic(addressOf(socket), header)
  }

  /** Whether a client needs no password. */
  knows(socket: Socket): boolean {
    return this.#login.knows(addressOf(socket))
  }

  /**
   * Opens a connection to a target. When the client goes away before it is open, or its account ends, the attempt is given up.
   *
   * @throws Refused
   */
  async open({ account, wish }: Client, target: Target, socket: Socket): Promise<Opened> {
    this.#targets.refuse(target)
    const passage = new Passage(account, target.host, this.#mostPerAccount, () => this.#left())
    this.#connections += 1
    const attempt = new Attempt()
    const giveUp = () => attempt.giveUp(new ClientGone())
    const end = () => attempt.giveUp(new Refused(this.#endOf(account)))
    passage.onClose = end
    socket.on('close', giveUp)
    try {
      if (!(await account.allowance.more())) throw new Refused('traffic_exhausted')
      if (attempt.reason) throw attempt.reason
      const connection = await this.#exits.connect(wish, target, attempt)
      passage.connection = connection
      if (attempt.reason) {
        connection.socket.socket.destroy()
        throw attempt.reason
      }
      this.#accepted += 1
      return { target: connection.socket, passage }
    } catch (error) {
      passage.leave()
      throw error
    } finally {
      socket.off('close', giveUp)
    }
  }

  /** Returns what a client is told about an error, and counts it; undefined: nobody is there to be told. */
  answerTo(error: unknown): Refused | undefined {
    if (error instanceof ClientGone) return undefined
    if (!(error instanceof Refused)) this.#logger.error({ err: error }, 'a connection failed unexpectedly')
    const refused = error instanceof Refused ? error : new Refused('exit_failed')
    this.#refused.set(refused.refusal, (this.#refused.get(refused.refusal) ?? 0) + 1)
    return refused
  }

  /** Takes the figures, and resets the counts. */
  figures(): GateFigures {
    const figures = {
      connections: this.#connections,
      accepted: this.#accepted,
      refused: Object.fromEntries(this.#refused),
    }
    this.#accepted = 0
    this.#refused = new Map()
    return figures
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Lets nobody in any more; settles when nothing is open. */
  async drain(): Promise<void> {
    this.#isDraining = true
    if (this.#connections > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** @throws Refused while nobody is let in */
  #refuseAll(): void {
    const refusal = this.#isDraining ? 'draining' : this.#refusal()
    if (refusal) throw new Refused(refusal)
  }

  /** Why the connections of an account are ended. */
  #endOf({ active }: Account): Refusal {
    if (!active) return 'credentials_wrong'
    return this.#isDraining ? 'draining' : 'shop_unreachable'
  }

  #left(): void {
    this.#connections -= 1
    if (this.#connections === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function addressOf({ remoteAddress }: Socket): string {
  if (remoteAddress === undefined) throw new ClientGone()
  return remoteAddress
}
