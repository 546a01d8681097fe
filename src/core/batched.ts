import { inPieces, nextTurn } from './turns.ts'

interface Call<Input, Output> {
  readonly input: Input
  readonly resolve: (output: Output) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes a function whose calls are carried out together when they come in the same turn of the event loop: a statement for thirty orders
 * costs little more than one for a single order.
 *
 * When a batch fails, each call is tried by itself, so that one bad input does not fail the others.
 *
 * @param work carries out all of `inputs` or none; the result tells the output for each
 * @param piece how much is carried out at once; between two pieces the event loop is free for others
 */
export function batched<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<(input: Input) => Output>,
  piece: { readonly most: number; readonly weightOf: (input: Input) => number } = {
    most: Infinity,
    weightOf: () => 1,
  },
): (input: Input) => Promise<Output> {
  let waiting: Call<Input, Output>[] = []

  async function carryOut(calls: readonly Call<Input, Output>[]): Promise<void> {
    try {
      const outputOf = await work(calls.map(({ input }) => input))
      for (const { input, resolve } of calls) resolve(outputOf(input))
    } catch (error) {
      if (calls.length === 1) calls[0]?.reject(error)
      else await Promise.all(calls.map((call) => carryOut([call])))
    }
  }

  async function carryOutInPieces(calls: readonly Call<Input, Output>[]): Promise<void> {
    const pieces = inPieces(calls, piece.most, ({ input }) => piece.weightOf(input))
    for (const [index, some] of pieces.entries()) {
      if (index > 0) await nextTurn()
      await carryOut(some)
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (waiting.length > 1) return
      setImmediate(() => {
        const calls = waiting
        waiting = []
        void carryOutInPieces(calls)
      })
    })
}
