/**
 * Lets at most so many pieces of work run at the same time; others wait for their turn, the first that came first.
 *
 * @returns a function that carries out a piece of work in its turn
 */
export function limited(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // Whoever has ended hands on its place, so that nobody who comes later takes it.
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
