import { z } from 'zod'
import { type Actor, maySee } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { InstanceNo } from './renewal-input.ts'

/** Longest note on a proxy, in characters. */
export const MAX_NOTE = 64

const NoteInput = z.object({
  instanceNo: InstanceNo,
  /** Empty: none any more. */
  note: z
    .string()
    .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().max(MAX_NOTE)),
})

/**
 * Writes what its owner, or the agent of its owner, calls a proxy (rules 17.2).
 *
 * @throws instance_not_found, also when it is somebody else's; validation_error
 */
export async function setProxyNote(
  { db, clock }: CoreDeps,
  actor: Actor,
  input: z.input<typeof NoteInput>,
): Promise<void> {
  const { instanceNo, note } = parseInput(NoteInput, input)
  const { numUpdatedRows } = await db.write((tx) =>
    tx.$kysely
      .updateTable('instances')
      .set({ note, updatedAt: clock.now() })
      .where('instanceNo', '=', instanceNo)
      .where(({ ref }) => maySee(actor, ref('userId')))
      .executeTakeFirstOrThrow(),
  )
  if (numUpdatedRows === 0n) throw new ServiceError('instance_not_found')
}
