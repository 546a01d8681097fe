import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { literal } from '../database/dialect.ts'

/**
 * What is known of a proxy (rules 17.7): its last check passed, passed slowly, failed without a verdict yet, the verdict that it is
 * dead, or no check has said anything yet.
 */
export const HEALTHS = ['works', 'slow', 'failing', 'dead', 'not_tested'] as const
export type Health = (typeof HEALTHS)[number]

/** A check that passes later than this makes a proxy slow, in milliseconds. */
const SLOW_MS = 3_000

const { eb, and } = expressionBuilder<{ i: DB['instances'] }, 'i'>()

const verdictIs = (verdict: 'alive' | 'dead' | 'unknown') => eb('i.verdict', '=', literal(verdict))

/** The {@link Health} of an instance `i`: derived from its verdict and its last check, here only. */
export const HEALTH = eb
  .case()
  .when(verdictIs('dead'))
  .then(literal<Health>('dead'))
  .when(verdictIs('unknown'))
  .then(literal<Health>('failing'))
  .when(and([verdictIs('alive'), eb('i.answerMs', '>', literal(SLOW_MS))]))
  .then(literal<Health>('slow'))
  .when(verdictIs('alive'))
  .then(literal<Health>('works'))
  .else(literal<Health>('not_tested'))
  .end()

/** Condition on instances `i`: in use and dead; spelled as in the condition of the partial index. */
export const IS_DEAD: Expression<SqlBool> = and([eb('i.status', '=', literal('active')), verdictIs('dead')])

/** Tells whether a proxy that was read is in use and dead. */
export function isDead({ status, health }: { readonly status: string; readonly health: Health }): boolean {
  return status === 'active' && health === 'dead'
}
