import type { AdjustmentPlan } from '../../../core/accounts/plan-adjustment.ts'
import { fromText, type Micros, toText } from '../../../core/money.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { amount, balanceText, signed } from '../../kit/format.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'

/** What a button of these questions answers. */
export const CHOICE = { skip: 'skip', book: 'yes' } as const

/** Amounts to choose from, in units of the currency. */
const QUICK_AMOUNTS = [10, 50, 100, 500]

/**
 * Asks how much to add or to deduct.
 *
 * @param lack what the purchase behind the question lacks, and what the agent's own balance lacks to give that
 * @param cancel callback data
 */
export function amountPrompt(
  { texts, currency }: View,
  plan: AdjustmentPlan,
  lack: { readonly missing: Micros; readonly own: Micros | undefined } | undefined,
  cancel: string,
): Prompt {
  const { adjust } = texts.users
  const quick = (sign: '+' | '-'): AnswerButton[] =>
    QUICK_AMOUNTS.map((units) => ({ text: `${sign}${units}`, answer: `${sign}${units}` }))
  const all = { text: adjust.all(amount(plan.balance, currency)), answer: `-${toText(plan.balance)}` }
  const { text, buttons } = promptScreen(
    texts,
    lines(
      adjust.title(plan.username),
      '',
      adjust.balances(balanceText(plan.balance, currency), balanceText(plan.agentBalance, currency)),
      '',
      adjust.askAmount,
    ),
    cancel,
  )
  if (lack?.own) {
    const missing = amount(lack.own, currency)
    const topUp = { text: texts.buy.topUp(missing), data: TOP_UP.short.data({ missing: lack.own }) }
    return { text, buttons: [[{ ...topUp, style: 'primary' }], ...buttons] }
  }
  if (lack) {
    const { missing } = lack
    const whole = { text: adjust.missing(amount(missing, currency)), answer: toText(missing) }
    // Less would not complete the purchase.
    const more = quick('+').filter(({ answer }) => (fromText(answer.slice(1)) ?? 0) > missing)
    return { text, buttons: [[{ ...whole, style: 'primary' }], more, ...buttons] }
  }
  const possible = quick('-').filter(({ answer }) => plan.balance + (fromText(answer) ?? 0) >= 0)
  return { text, buttons: [quick('+'), possible, plan.balance > 0 ? [all] : [], ...buttons] }
}

/** Both balances before and after, and one button. */
export function confirmAdjustmentPrompt(
  view: View,
  plan: AdjustmentPlan,
  { change, remark }: { change: Micros; remark: string | null },
  cancel: string,
): Prompt {
  const { texts, currency } = view
  const { adjust, ownBalance } = texts.users
  const show = (micros: Micros) => amount(micros, currency)
  const held = (micros: Micros) => balanceText(micros, currency)
  const { text, buttons } = promptScreen(
    texts,
    lines(
      adjust.title(plan.username),
      '',
      adjust.change(signed(change, currency)),
      texts.users.remark(remark ?? texts.records.remarks.adjusted_by_agent),
      '',
      adjust.theirs(plan.username, held(plan.balance), held(plan.balanceAfter)),
      ownBalance(held(plan.agentBalance), held(plan.agentBalanceAfter)),
      '',
      remark === null ? adjust.orRemark : adjust.otherRemark,
    ),
    cancel,
  )
  const book: AnswerButton = {
    text: change > 0 ? adjust.add(show(change)) : adjust.deduct(show(-change)),
    answer: CHOICE.book,
    style: change > 0 ? 'success' : 'danger',
  }
  return { text, buttons: [[book], ...buttons] }
}
