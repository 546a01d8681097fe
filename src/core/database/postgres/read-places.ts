/** Connections of a server for reads. */
export const READERS = 12
/** How many of them reads of the same kind have at most. */
const OF_A_KIND = 4

/**
 * Lets reads of one kind have some of the connections at most, so that many slow ones at once, such as big exports, keep no others
 * waiting; they wait for one another, the first that came first.
 */
export class ReadPlaces {
  readonly #waitMs: number
  readonly #places = new Map<string, Places>()

  /** @param waitMs how long a read waits for its place before it fails */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** @param kind such as the text of the statement */
  async run<Answer>(kind: string, read: () => Promise<Answer>): Promise<Answer> {
    const places = this.#places.get(kind) ?? new Places()
    this.#places.set(kind, places)
    if (places.taken < OF_A_KIND) places.taken += 1
    else await places.wait(this.#waitMs)
    try {
      return await read()
    } finally {
      // Handed on, so that nobody who comes later takes it.
      if (!places.handOn()) places.taken -= 1
      if (places.taken === 0) this.#places.delete(kind)
    }
  }
}

/** Of one kind. */
class Places {
  taken = 0
  readonly #waiting = new Set<() => void>()

  wait(limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        this.#waiting.delete(take)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(take)
        reject(new Error('too many reads of the same kind were under way'))
      }, limitMs)
      this.#waiting.add(take)
    })
  }

  /** @returns whether somebody has waited */
  handOn(): boolean {
    const [next] = this.#waiting
    next?.()
    return next !== undefined
  }
}
