/** Connections of a server for reads. */
export const READERS = 12
/** How many of them any reads may have. */
const COMMON = 8
/** How many of those, reads of the same kind. */
const OF_A_KIND = 4
/** A kind is quick when its last read took no longer. */
const QUICK_MS = 1_000
/** Kinds that are known to be quick. The service has far fewer; the limit guards against generated SQL. */
const KINDS = 1_000

/** Which a read has: one that any may have, or one that is kept for quick kinds. */
type Place = 'common' | 'kept'

interface Waiting {
  readonly kind: string
  take(place: Place): void
}

/**
 * Hands the connections out to reads of several kinds, so that many slow ones at once, such as big exports, keep no quick ones waiting:
 * each kind has some of the common places at most, and the others are kept for quick kinds, one for each that has none yet. Who
 * finds no place waits, the first that came first.
 */
export class ReadPlaces {
  readonly #waitMs: number
  #commonTaken = 0
  #keptTaken = 0
  readonly #underWay = new Map<string, number>()
  readonly #quick = new Set<string>()
  readonly #waiting = new Set<Waiting>()

  /** @param waitMs how long a read waits for its place before it fails */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** @param kind such as the text of the statement */
  async run<Answer>(kind: string, read: () => Promise<Answer>): Promise<Answer> {
    const place = this.#take(kind) ?? (await this.#wait(kind))
    const begun = performance.now()
    const isQuick = () => performance.now() - begun <= QUICK_MS
    try {
      const answer = await read()
      if (isQuick() && this.#quick.size < KINDS) this.#quick.add(kind)
      return answer
    } finally {
      // Also one that was given up: nothing is slower.
      if (!isQuick()) this.#quick.delete(kind)
      this.#leave(kind, place)
    }
  }

  /** @returns undefined when there is none for this kind */
  #take(kind: string): Place | undefined {
    const underWay = this.#underWay.get(kind) ?? 0
    let place: Place
    if (this.#commonTaken < COMMON && underWay < OF_A_KIND) {
      place = 'common'
      this.#commonTaken += 1
    } else if (this.#keptTaken < READERS - COMMON && underWay === 0 && this.#quick.has(kind)) {
      place = 'kept'
      this.#keptTaken += 1
    } else return undefined
    this.#underWay.set(kind, underWay + 1)
    return place
  }

  #leave(kind: string, place: Place): void {
    const left = (this.#underWay.get(kind) ?? 0) - 1
    if (left > 0) this.#underWay.set(kind, left)
    else this.#underWay.delete(kind)
    if (place === 'common') this.#commonTaken -= 1
    else this.#keptTaken -= 1
    // At once, so that nobody who comes later takes it.
    for (const waiting of this.#waiting) {
      const next = this.#take(waiting.kind)
      if (next) waiting.take(next)
    }
  }

  #wait(kind: string): Promise<Place> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        kind,
        take: (place) => {
          clearTimeout(timer)
          this.#waiting.delete(waiting)
          resolve(place)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new Error('too many reads were under way'))
      }, this.#waitMs)
      this.#waiting.add(waiting)
    })
  }
}
