/** Does something, and counts how often the event loop comes round meanwhile: only then do others get their turn. */
export async function withTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let next = setImmediate(turn)
  function turn() {
    turns += 1
    next = setImmediate(turn)
  }
  const result = await work()
  clearImmediate(next)
  return { result, turns }
}
