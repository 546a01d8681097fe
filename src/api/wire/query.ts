import { z } from 'zod'
import { MAX_RECORD_ID, recordId } from '../../core/identifiers.ts'
import { UpdatedSince } from '../../core/updated-since.ts'

/** Parameters of a query string, which are all text (rules 1.8, 1.12). */

/** A whole number in plain digits: no sign, no exponent, no 0x. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'not_a_whole_number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined })
}

/** The id of a record (rules 1.22). */
export const idOfRecord = z
  .string()
  .transform((text, context) => {
    const id = recordId(text)
    if (id) return id
    context.addIssue({ code: 'custom', message: 'not_an_id' })
    return z.NEVER
  })
  .meta({ type: 'integer', minimum: 1, maximum: MAX_RECORD_ID })

export const flag = z
  .enum(['true', 'false', '1', '0'], 'not_a_boolean')
  .transform((text) => text === 'true' || text === '1')
  .meta({ type: 'boolean', enum: undefined })

const PageSize = wholeNumber(1, 100)

/** `page`, and the page size in both spellings. */
export const paging = {
  page: wholeNumber(1, 1_000_000).optional().meta({ description: 'Page number; 1 when missing' }),
  page_size: PageSize.optional().meta({ description: 'Items on a page; 20 when missing' }),
  pageSize: PageSize.optional().meta({ description: 'Same as `page_size`' }),
}

/** Parameters of lists of records that change (rules 1.19). */
export const changes = {
  updated_since: UpdatedSince.optional().meta({
    description:
      'What was made or has changed since, the moment included: a time such as `2026-11-20T17:57:00Z`. Ask with a time some seconds before your last ' +
      'request, so that nothing is missed that was being written then; `updated_at` tells what you know already',
  }),
}
