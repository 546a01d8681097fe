import { type Expression, expressionBuilder, type ExpressionWrapper } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { FALLBACK_LANGUAGE, type Language, LANGUAGES } from '../languages.ts'

/** Reads a language as it was stored; the fallback where the service no longer has it. */
export function readLanguage(column: Expression<string>): ExpressionWrapper<DB, never, Language>
export function readLanguage(column: Expression<string | null>): ExpressionWrapper<DB, never, Language | null>
export function readLanguage(column: Expression<string | null>) {
  const { eb } = expressionBuilder<DB>()
  return eb
    .case()
    .when(eb(column, 'not in', LANGUAGES))
    .then(FALLBACK_LANGUAGE)
    .else(column)
    .end()
    .$castTo<Language | null>()
}
