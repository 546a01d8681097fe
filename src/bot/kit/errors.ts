import { type ErrorCode, InvalidInput, type InputIssue, type ServiceError } from '../../core/errors.ts'
import { fromNumber } from '../../core/money.ts'
import type { Texts } from '../texts/index.ts'
import { amount, balanceText, figure } from './format.ts'

/** What the chat says to a refusal of the core; the table is in the texts. */
export function errorText(texts: Texts, code: ErrorCode): string {
  const { errors } = texts
  return code in errors ? errors[code as keyof typeof errors] : errors.other
}

/**
 * Returns the text for a refusal of the core, including what is wrong with an input.
 *
 * @param currency of the amount that is missing
 * @param short words for a balance that is short; the error does not know whose balance it is
 */
export function refusalText(
  texts: Texts,
  error: ServiceError,
  currency: string,
  short: (missing: string) => string = texts.notices.short,
): string {
  const missing = error.code === 'insufficient_balance' && fromNumber(Number(error.data?.['shortfall']))
  if (missing) return short(amount(missing, currency))
  const { balance: held, username } = error.data ?? {}
  if (error.code === 'balance_below_zero' && typeof held === 'number')
    return texts.input.onlyHas(
      balanceText(fromNumber(held) ?? 0, currency),
      typeof username === 'string' ? username : undefined,
    )
  const issue = error instanceof InvalidInput ? error.issues[0] : undefined
  if (issue) return issueText(texts, issue)
  const reason = error.code === 'promo_code_not_usable' ? String(error.data?.['reason']) : ''
  const { promoRefusals } = texts
  return reason in promoRefusals
    ? promoRefusals[reason as keyof typeof promoRefusals]
    : errorText(texts, error.code)
}

/** What is wrong with one value. The value itself is not repeated: it may be a password. */
export function issueText(texts: Texts, issue: InputIssue): string {
  const { tooShort, tooLong, tooMany, abovePriceLimit } = texts.input
  if (issue.code === 'too_big' && issue.message === 'above_price_limit')
    return abovePriceLimit(
      issue.path[0] === 'price'
        ? figure(fromNumber(Number(issue.maximum)) ?? 0)
        : `${String(issue.maximum)} %`,
    )
  if (issue.code === 'too_small' && issue.origin === 'string') return tooShort(Number(issue.minimum))
  if (issue.code === 'too_big' && issue.origin === 'string') return tooLong(Number(issue.maximum))
  if (issue.code === 'too_big' && issue.origin === 'array') return tooMany(Number(issue.maximum))
  return ruleText(texts, issue.message)
}

/** Returns what is wrong with a value that breaks a rule of the core, by the name of the rule. */
export function ruleText(texts: Texts, rule: string): string {
  const { rules, wrong } = texts.input
  return rule in rules ? rules[rule as keyof typeof rules] : wrong
}
