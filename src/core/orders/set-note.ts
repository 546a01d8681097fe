import { z } from 'zod'
import { type Actor, maySee } from '../access/actor.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { MAX_INSTANCES } from './renewal-input.ts'
import { InstanceNo } from '../identifiers.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Longest note on a proxy, in characters. */
export const MAX_NOTE = 64

const NoteInput = z.object({
  /** Numbers of the proxies, which all get this note. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES),
  /** The note; an empty one removes the old. */
  note: z
    .string()
    .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().max(MAX_NOTE)),
})

/**
 * Sets the note of the owner, or of the owner's agent, on a proxy (rules 17.2); several get the same note, all of them or none.
 *
 * @throws instance_not_found, also when it is somebody else's; validation_error
 */
export async function setProxyNote(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof NoteInput>,
): Promise<void> {
  const { instances, note } = parseInput(NoteInput, input)
  const numbers = [...new Set(instances)]
  await db.write(async (tx) => {
    const { numUpdatedRows } = await tx.$kysely
      .updateTable('instances')
      .set({ note, updatedAt: clock.now() })
      .where('instanceNo', 'in', listOf(numbers))
      .where(({ ref }) => maySee(actor, ref('userId')))
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) < numbers.length) throw new ServiceError('instance_not_found')
  })
}
