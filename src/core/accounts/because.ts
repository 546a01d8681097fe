import { z } from 'zod'

/** Why the operator changes something; kept in the trail. */
export const Because = z.object({ reason: z.string().trim().min(1).max(255) })

/** A change of the account of a customer by the operator. */
export interface CustomerChange extends z.input<typeof Because> {
  readonly username: string
}
