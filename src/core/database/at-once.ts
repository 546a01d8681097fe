/**
 * Waits for statements of one job that were sent together, none of which needs the answer to another. Settles only when all of them have
 * ended, also when one has failed: no statement of a job may be under way when it is undone.
 *
 * @returns their results
 * @throws the error of the first of the list that failed
 */
export async function atOnce<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
