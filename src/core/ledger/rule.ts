import { type AliasableExpression, type Expression, expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Queryable } from '../database/queries.ts'
import { type HeldOf, record } from '../record.ts'

/** The query builder of the connection on which the books are read. */
export type Books = Queryable['$kysely']

/** A record that breaks a rule, and two values that should be equal. */
export interface Broken {
  readonly subject: string
  readonly found: number | boolean | null
  readonly expected: number | boolean | null
}

/** A statement that must be true of the books. Its query selects the records that break it: no rows, no differences. */
export interface Rule {
  readonly name: string
  /** Unit of the two values. */
  readonly unit: 'money' | 'count'
  readonly broken: (books: Books) => AliasableExpression<Broken>
}

const { eb, fn, lit, neg, or, ref, selectFrom, val } = expressionBuilder<
  DB & { e: DB['ledgerEntries'] },
  'e'
>()

/** Selects the rows of a query in which `found` differs from `expected`; with `>`, those in which it is greater. */
export function differing(query: AliasableExpression<Broken>, by: '<>' | '>' = '<>') {
  return selectFrom(query.as('row')).selectAll().whereRef('row.found', by, 'row.expected')
}

/** The two values for a record that is missing. */
export const MISSING = [lit(0).as('found'), lit(1).as('expected')] as const

/** A sum; 0 for no rows. */
export function total(amount: Expression<number>) {
  return fn.coalesce(fn.sum<number>(amount), lit(0))
}

/** What the entries `e` of a group have charged. */
export const CHARGED = neg(total(ref('e.amount')))

/** Condition on a group: it has not exactly one entry `e`, or one that charges another amount. */
export function isNotChargedOnce(amount: Expression<number>) {
  return or([eb(CHARGED, '<>', amount), eb(fn.count<number>('e.id'), '<>', 1)])
}

/** Builds the `source` of an entry for a renewal, its refund, a cancellation, a replacement or a refund by the operator. */
export function sourceOf(
  kind: 'renewal' | 'renewal-refund' | 'cancel' | 'replacement' | 'judged',
  number: Expression<string>,
) {
  return eb(val(`${kind}:`), '||', number)
}

/** One case in which a rule of the books is broken. */
export const DifferenceRecord = record({ rule: z.string(), subject: z.string(), detail: z.string() })
export type Difference = HeldOf<typeof DifferenceRecord>
