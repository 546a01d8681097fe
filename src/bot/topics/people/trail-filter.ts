import { z } from 'zod'
import { ACTION_GROUPS } from '../../../core/people/permissions.ts'
import { draft } from '../../session/draft.ts'

/** The filter of the trail in a chat. */
const Filter = z.object({
  person: z.string().optional(),
  action: z.enum(ACTION_GROUPS).optional(),
  subject: z.string().optional(),
})
export type TrailFilter = z.output<typeof Filter>

export const filterDraft = draft('trail', Filter)
