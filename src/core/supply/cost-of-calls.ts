import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { literal } from '../database/dialect.ts'

const { eb, fn, ref } = expressionBuilder<DB, 'supplierCalls'>()

/**
 * What a call costs, in the account currency: what the supplier charged, or, while that is not known, what was expected. A refused call
 * costs nothing; what was given back counts as negative. For queries from `supplierCalls` under its own name.
 */
export const COST_OF_CALL = fn.coalesce(
  ref('supplierCalls.cost'),
  eb
    .case()
    .when('supplierCalls.state', '=', literal('refused'))
    .then(literal(0))
    .else(ref('supplierCalls.expectedCost'))
    .end(),
)
