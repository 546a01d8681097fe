/** What can be in one {@link Roster} at a time. */
export interface Listed {
  /** The index in the roster, set by the roster only; -1: it is in none. */
  place: number
}

/**
 * A set of what comes and goes thousands of times a second. In a `Set` of V8 each table that was outgrown refers to the next one: a
 * table that has become old keeps alive all that were ever in those after it, until the next full collection, which made the garbage
 * of a tunnel cost more than any of its system calls.
 */
export class Roster<Member extends Listed> {
  readonly #members: Member[] = []

  get size(): number {
    return this.#members.length
  }

  add(member: Member): void {
    if (member.place < 0) member.place = this.#members.push(member) - 1
  }

  /** @returns whether it was there */
  delete(member: Member): boolean {
    const { place } = member
    if (place < 0) return false
    const last = this.#members.pop()
    if (last && last !== member) {
      this.#members[place] = last
      last.place = place
    }
    member.place = -1
    return true
  }

  /** Calls back with each of those that are there; who leaves meanwhile is left out. */
  forEach(call: (member: Member) => void): void {
    for (const member of this.#members.slice()) if (member.place >= 0) call(member)
  }
}
