/** Functions that close what was opened, in the order of opening. */
export type Closers = (() => unknown)[]

/** Closes what was opened, the last first. */
export async function closeAll(closers: Closers): Promise<void> {
  const errors: unknown[] = []
  // A part that fails to close must not keep the others open.
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed')
}
