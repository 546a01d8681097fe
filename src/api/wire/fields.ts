import type { z } from 'zod'

/** Removes the default of a field, or makes an optional one required, and keeps its description. */
export function required<Inner extends z.ZodType>(
  field: z.ZodType & { readonly unwrap: () => Inner },
): Inner {
  const { description } = field.meta() ?? {}
  return description === undefined ? field.unwrap() : field.unwrap().meta({ description })
}
