/** Read connections of one process. */
export const READERS = 12
/** Read connections that are open to reads of any kind. */
const COMMON = 8
/** Most of the common connections that reads of one kind may take. */
const OF_A_KIND = 4
/** Longest duration in ms of the last read of a quick kind. */
const QUICK_MS = 1_000
/** Most kinds remembered as quick. The service has far fewer; the limit guards against generated SQL. */
const KINDS = 1_000

/** The connection that a read takes: one that is open to any kind, or one that is kept for quick kinds. */
type Place = 'common' | 'kept'

interface Waiting {
  readonly kind: string
  take(place: Place): void
}

/**
 * Shares the read connections among kinds of reads, so that many slow reads at once, such as big exports, do not delay quick ones: each
 * kind may take some of the common places; the other places are kept for quick kinds, one for each kind that has no read under way. Reads
 * without a place wait in the order of arrival.
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
      // Failed reads count too: one that timed out is the slowest.
      if (!isQuick()) this.#quick.delete(kind)
      this.#leave(kind, place)
    }
  }

  /** @returns undefined when no place is free for this kind */
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
    // Synchronously, so that no later read takes the place.
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
