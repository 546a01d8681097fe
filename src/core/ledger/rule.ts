import { type AliasableExpression, type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Queryable } from '../database/queries.ts'

/** Where the books are read. */
export type Books = Queryable['$kysely']

/** What breaks a rule, and two values that should be equal. */
export interface Broken {
  readonly subject: string
  readonly found: number | boolean | null
  readonly expected: number | boolean | null
}

/** Something that must hold of the books. Its query selects what breaks it, so that an empty answer is the proof. */
export interface Rule {
  readonly name: string
  /** Of the two values. */
  readonly unit: 'money' | 'count'
  readonly broken: (books: Books) => AliasableExpression<Broken>
}

const { fn, lit, selectFrom } = expressionBuilder<DB>()

/** The rows of a query in which `found` is not what is `expected`; with `>`, those in which it is more. */
export function differing(query: AliasableExpression<Broken>, by: '<>' | '>' = '<>') {
  return selectFrom(query.as('row')).selectAll().whereRef('row.found', by, 'row.expected')
}

/** Something is not there that should be. */
export const MISSING = [lit(0).as('found'), lit(1).as('expected')] as const

/** A sum; 0 of nothing. */
export function total(amount: Expression<number>) {
  return fn.coalesce(fn.sum<number>(amount), lit(0))
}
