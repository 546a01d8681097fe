import { z } from 'zod'
import { innerOf } from '../../operator/action.ts'
import { flag } from '../wire/query.ts'

/** Returns the schema of the query of an action that reads: its values are text, which becomes what the action takes; limits are the action's. */
export function queryOf(schema: z.ZodObject): z.ZodObject {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const optional = field.safeParse(undefined).success
    const { description } = field.meta() ?? {}
    const read = ofText(innerOf(field)).meta({ description })
    return [name, optional ? read.optional() : read]
  })
  return z.object(Object.fromEntries(fields) as z.ZodRawShape)
}

function ofText(inner: z.ZodType): z.ZodType {
  if (inner instanceof z.ZodNumber)
    return z
      .string()
      .regex(/^-?\d{1,15}(\.\d{1,6})?$/, 'not_a_number')
      .transform(Number)
      .meta({ type: 'number', pattern: undefined })
  if (inner instanceof z.ZodBoolean) return flag
  if (inner instanceof z.ZodArray)
    return z
      .string()
      .transform((text) => text.split(','))
      .meta({ description: 'Separated by commas' })
  return inner
}
