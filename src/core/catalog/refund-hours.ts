import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { least } from '../database/dialect.ts'

const { fn, ref } = expressionBuilder<{ p: DB['products']; c: DB['supplierConnections'] }, 'p' | 'c'>()

/**
 * Hours after the order in which a release gives money back (rules 3.7): those of the product `p`, and never more than those of the
 * connection `c` that supplies it, where there is one.
 */
export const REFUND_HOURS = least(ref('p.refundHours'), fn.coalesce('c.refundHours', 'p.refundHours'))
