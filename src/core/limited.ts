/**
 * Lets at most `most` pieces of work run at the same time; others wait in the order of arrival.
 *
 * @returns a function that carries out a piece of work in its turn
 */
export function limited(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // Work that ends hands its place to the next in the queue, so that no later call takes it.
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
