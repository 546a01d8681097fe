import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { literal } from '../database/dialect.ts'

const { eb, fn, ref } = expressionBuilder<DB, 'supplierCalls'>()

/**
 * What a call costs, in the account currency: what the supplier charged, or, while that is not known, what was expected. A refused call
 * costs nothing; what was given back counts as negative.
 */
export const COST_OF_CALL = fn.coalesce(
  ref('cost'),
  eb.case().when('state', '=', literal('refused')).then(literal(0)).else(ref('expectedCost')).end(),
)
