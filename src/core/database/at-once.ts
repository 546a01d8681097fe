/**
 * Waits for statements of one job that were sent at once, each without the answer to the one before. All of them have ended then, also
 * when one has failed: nothing of a job is under way when it is undone.
 *
 * @returns what they found
 * @throws what the first of the list that failed was refused with
 */
export async function atOnce<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
