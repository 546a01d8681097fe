/** Holds back what it is given until enough have come: one, unless said otherwise. */
export function createCrowd() {
  const waiting: (() => void)[] = []
  let enough = 1
  return {
    /** Begins nothing before so many have come; afterwards each begins at once again. */
    waitFor: (count: number) => void (enough = count),
    join(begin: () => void): void {
      waiting.push(begin)
      if (waiting.length < enough) return
      enough = 1
      for (const each of waiting.splice(0)) each()
    },
  }
}
