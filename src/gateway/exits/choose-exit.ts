import { createHmac } from 'node:crypto'
import type { GatewayExit } from '../../core/gateway/wire.ts'
import type { ExitWish } from '../exit.ts'
import { canAskFor } from './vendor.ts'

/** Sessions that are remembered at a time; a forgotten one gets its exit by the same calculation again. */
const MAX_SESSIONS = 100_000
/** Places whose rotations are kept at a time; bounded, as names of cities come from clients. */
const MAX_PLACES = 1_000
const MINUTE_MS = 60_000

export interface Choice {
  readonly exit: GatewayExit
  /** Names the session to a vendor, differently for each account; null without a session. */
  readonly session: string | null
}

interface Session {
  exitId: number
  /** Its name for a vendor. */
  key: string
  /** End of the lifetime, by `performance.now()`. */
  until: number
  /** How often the session has begun again. */
  turn: number
}

/** Exits that serve a place, and whose turn it is. */
interface Rotation {
  readonly exits: readonly GatewayExit[]
  next: number
}

/** The choice of the exit that serves a client (rules 12.11). Everything is in memory. */
export class ExitChoice {
  readonly #healthy: (id: number) => boolean
  #exits: readonly GatewayExit[] = []
  readonly #rotations = new Map<string, Rotation>()
  readonly #sessions = new Map<string, Session>()

  constructor(healthy: (id: number) => boolean) {
    this.#healthy = healthy
  }

  /** Takes the exits there are from now on. */
  set(exits: readonly GatewayExit[]): void {
    this.#exits = exits.filter(({ status }) => status === 'active')
    this.healthChanged()
  }

  /** Called when an exit became healthy or unhealthy. */
  healthChanged(): void {
    this.#rotations.clear()
  }

  /**
   * Returns the next exit in turn for a wish without a session; with one, the same exit up to the end of the lifetime, as long as the
   * exit is healthy.
   *
   * @param failed an exit that has just failed for the same wish
   * @returns undefined when no other healthy exit serves the place
   */
  choose(wish: ExitWish, failed?: number): Choice | undefined {
    const rotation = this.#rotationOf(wish)
    if (wish.session !== null) return this.#ofSession(wish, rotation.exits, failed)
    for (let tries = 0; tries < Math.min(2, rotation.exits.length); tries += 1) {
      const exit = rotation.exits[rotation.next++ % rotation.exits.length]
      if (exit && exit.id !== failed) return { exit, session: null }
    }
    return undefined
  }

  #rotationOf(wish: ExitWish): Rotation {
    const { pool, country, city } = wish
    const place = placeOfWish(wish)
    const known = this.#rotations.get(place)
    if (known) return known
    const exits = this.#exits.filter(
      (exit) => exit.pool === pool && this.#healthy(exit.id) && serves(exit, { country, city }),
    )
    // Begins anywhere, or the first exits would get more than the others.
    const rotation = { exits, next: Math.floor(Math.random() * exits.length) }
    if (this.#rotations.size >= MAX_PLACES) this.#rotations.clear()
    this.#rotations.set(place, rotation)
    return rotation
  }

  #ofSession(wish: ExitWish, exits: readonly GatewayExit[], failed: number | undefined): Choice | undefined {
    const { account, session, country, city, lifetimeMinutes } = wish
    const name = `${account}/${session}/${placeOfWish(wish)}`
    const now = performance.now()
    const known = this.#sessions.get(name)
    const runs = known !== undefined && now < known.until
    const turn = known ? known.turn + (runs ? 0 : 1) : 0
    const kept = runs && known.exitId !== failed && exits.find(({ id }) => id === known.exitId)
    // Most connections end here: only a session that begins needs the calculation.
    if (kept) return { exit: kept, session: known.key }

    const key = createHmac('sha256', account)
      .update(JSON.stringify([session, country, city, turn]))
      .digest()
    const possible = exits.filter(({ id }) => id !== failed)
    // A session that begins again gets another exit, where there is one.
    const exit =
      highest(
        possible.filter(({ id }) => id !== known?.exitId),
        key,
      ) ?? possible[0]
    if (!exit) return undefined
    const until = runs ? known.until : now + lifetimeMinutes * MINUTE_MS
    const vendorKey = key.toString('hex', 0, 6)
    this.#remember(name, { exitId: exit.id, key: vendorKey, until, turn })
    return { exit, session: vendorKey }
  }

  #remember(name: string, session: Session): void {
    // Moves it behind all others: the first one is the one that began longest ago.
    this.#sessions.delete(name)
    this.#sessions.set(name, session)
    if (this.#sessions.size <= MAX_SESSIONS) return
    const [oldest] = this.#sessions.keys()
    if (oldest !== undefined) this.#sessions.delete(oldest)
  }
}

/** Returns the key of a place. It is unambiguous: accounts, sessions, pools and places have no slash in them, and no place is empty. */
function placeOfWish({ pool, country, city }: ExitWish): string {
  return `${pool}/${country ?? ''}/${city ?? ''}`
}

/** An exit of unknown place serves only wishes for any place; a vendor is asked for the place, where its username can name it. */
function serves(exit: GatewayExit, wish: Pick<ExitWish, 'country' | 'city'>): boolean {
  const reaches = (place: 'country' | 'city') =>
    wish[place] === null ||
    exit[place] === wish[place] ||
    (exit.kind === 'vendor' && exit[place] === null && canAskFor(exit.template, place))
  return reaches('country') && reaches('city')
}

/** Rendezvous hashing: an exit that comes or goes moves no session but its own. */
function highest(exits: readonly GatewayExit[], key: Buffer): GatewayExit | undefined {
  const seed = key.readUInt32LE(8)
  let best: GatewayExit | undefined
  let most = -1
  for (const exit of exits) {
    const score = mixed(seed ^ mixed(exit.id))
    if (score > most) [best, most] = [exit, score]
  }
  return best
}

/** Mixes a number, so that each of the 32 bits of the result depends on all bits of the input (the finalizer of MurmurHash3). */
function mixed(number: number): number {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
