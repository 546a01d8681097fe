import { InvalidInput } from '../../../core/errors.ts'
import type { FilledForm } from '../../kit/form.ts'
import { issueText } from '../../kit/errors.ts'
import type { Texts } from '../../texts/index.ts'

/** What is wrong with lines that were typed. */
export function formProblem({ catalog }: Texts, form: Exclude<FilledForm, { values: unknown }>): string {
  return 'unknown' in form
    ? catalog.unknownLine(form.unknown)
    : catalog.wrongValue(labelOf(catalog, form.wrong), catalog.notValid)
}

/** What the core has against a product, with the field that it is about. */
export function productProblem(texts: Texts, error: unknown): string {
  const issue = error instanceof InvalidInput ? error.issues[0] : undefined
  if (!issue) throw error
  const { catalog } = texts
  const { rules } = catalog
  const why = issue.message in rules ? rules[issue.message as keyof typeof rules] : issueText(texts, issue)
  return catalog.wrongValue(labelOf(catalog, String(issue.path[0] ?? '')), why)
}

function labelOf({ labels }: Texts['catalog'], field: string): string {
  return field in labels ? labels[field as keyof typeof labels] : field
}
