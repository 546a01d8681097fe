import type { InputIssue } from '../core/errors.ts'
import type { Language } from '../core/languages.ts'
import { type ApiTexts, TEXTS } from './texts/index.ts'

/** One entry of `data.errors` of a `validation_error` (rules 1.4). */
export interface FieldError {
  /** Path of the field, such as `cidrBlocks.0.count`. */
  readonly field: string
  /** Stable name of the rule that is broken. */
  readonly rule: string
  /** What is wrong, in the caller's language. */
  readonly message: string
}

type RuleText = string | ((most: string) => string)

/** Words an issue in the caller's language. The value itself is never repeated: it may be a password. */
export function fieldError(issue: InputIssue, language: Language): FieldError {
  const field = issue.path.join('.') || 'body'
  const { rules, shape } = TEXTS[language]
  // Schemas name rules of their own in the message; zod's own messages are sentences.
  if (/^[a-z]+(_[a-z0-9]+)*$/.test(issue.message)) {
    const rule = issue.message
    const text = (rules as Readonly<Record<string, RuleText>>)[rule] ?? shape.rule(rule)
    const most = issue.code === 'too_big' ? String(issue.maximum) : ''
    return { field, rule, message: typeof text === 'string' ? text : text(most) }
  }
  return { field, rule: issue.code ?? 'custom', message: describe(issue, shape) }
}

function describe(issue: InputIssue, texts: ApiTexts['shape']): string {
  switch (issue.code) {
    case 'invalid_type':
      return (texts.types as Readonly<Record<string, string>>)[issue.expected] ?? texts.unknown
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return texts.empty
      return texts.atLeast[counted(issue.origin)](issue.minimum)
    case 'too_big':
      return texts.atMost[counted(issue.origin)](issue.maximum)
    case 'invalid_value':
      return texts.oneOf(issue.values.map(String).join(', '))
    case 'invalid_union':
      return texts.union
    default:
      return texts.unknown
  }
}

/** Returns of what a limit is: characters, items, or a value. */
function counted(origin: string): keyof ApiTexts['shape']['atLeast'] {
  return origin === 'string' || origin === 'array' ? origin : 'number'
}
