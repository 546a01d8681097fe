import { InvalidInput } from '../../../core/errors.ts'
import { typedField } from '../../../core/catalog/product-texts.ts'
import { fieldProblem, type FilledForm, wrongValue } from '../../kit/form.ts'
import { issueText } from '../../kit/errors.ts'
import type { Texts } from '../../texts/index.ts'

/** Says what is wrong with typed lines. */
export function formProblem(texts: Texts, form: Exclude<FilledForm, { values: unknown }>): string {
  const { catalog } = texts
  return 'unknown' in form ? catalog.unknownLine(form.unknown) : wrongValue(texts, catalog.labels, form)
}

/** Words the core's refusal of a product, with the field that it is about. */
export function productProblem(texts: Texts, error: unknown): string {
  const issue = error instanceof InvalidInput ? error.issues[0] : undefined
  if (!issue) throw error
  const { catalog } = texts
  const { rules } = catalog
  const why = issue.message in rules ? rules[issue.message as keyof typeof rules] : issueText(texts, issue)
  return fieldProblem(texts, catalog.labels, typedField(issue.path), why)
}
