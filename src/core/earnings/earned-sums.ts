import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'

const { eb, fn, lit, ref } = expressionBuilder<{ n: DB['earningEntries'] }, 'n'>()

/** The net change by an entry `n`: pending plus available less owed. */
const CHANGE = eb(eb('n.pending', '+', ref('n.available')), '-', ref('n.owed'))

/** The kinds of entries by which an agent earns, and by which refunds take earnings back. */
export const EARNING_CHANGES = ['earned', 'reversed'] as const

/** Sums over entries `n`: what was earned, what refunds took back of it, and by how many sales it was earned. */
export const EARNED_SUMS = [
  fn.coalesce(fn.sum<number>(CHANGE).filterWhere('n.kind', '=', 'earned'), lit(0)).as('earned'),
  fn
    .coalesce(fn.sum<number>(eb(lit<number>(0), '-', CHANGE)).filterWhere('n.kind', '=', 'reversed'), lit(0))
    .as('takenBack'),
  fn.countAll<number>().filterWhere('n.kind', '=', 'earned').as('sales'),
] as const
