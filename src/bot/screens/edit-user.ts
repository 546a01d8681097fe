import type { AdjustmentPlan } from '../../core/accounts/plan-adjustment.ts'
import type { SubUser } from '../../core/accounts/sub-user.ts'
import { fromText, type Micros, toText } from '../../core/money.ts'
import type { AnswerButton, Prompt } from '../conversations/prompt.ts'
import { amount, remarkText } from '../format.ts'
import { type Html, lines } from '../html.ts'
import { gigabytes } from '../traffic-text.ts'
import type { Button } from '../screen.ts'
import { pack, packAmount } from '../callback-data.ts'
import { TOP_UP } from './top-ups.ts'
import type { View } from './view.ts'
import { promptScreen } from './general.ts'

/** What a button of these questions answers. */
export const CHOICE = { skip: 'skip', make: 'make', book: 'yes' } as const

/** Amounts to choose from, in units of the currency. */
const QUICK_AMOUNTS = [10, 50, 100, 500]

/**
 * How much to add or to deduct.
 *
 * @param lack what a purchase lacks for which it is asked, and what of that the agent itself does not have
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
      adjust.balances(amount(plan.balance, currency), amount(plan.agentBalance, currency)),
      '',
      adjust.askAmount,
    ),
    cancel,
  )
  const possible = quick('-').filter(({ answer }) => plan.balance + (fromText(answer) ?? 0) >= 0)
  if (lack) {
    const { missing, own } = lack
    const first: Button | AnswerButton = own
      ? {
          text: texts.buy.topUp(amount(own, currency)),
          data: pack(TOP_UP.short, packAmount(own)),
          style: 'primary',
        }
      : { text: adjust.missing(amount(missing, currency)), answer: toText(missing), style: 'primary' }
    // Less would not complete the purchase.
    const enough = quick('+').filter(({ answer }) => !own && (fromText(answer.slice(1)) ?? 0) > missing)
    return { text, buttons: [[first], enough, ...buttons] }
  }
  return { text, buttons: [quick('+'), possible, plan.balance > 0 ? [all] : [], ...buttons] }
}

export function remarkPrompt(
  { texts, currency }: View,
  plan: AdjustmentPlan,
  change: Micros,
  cancel: string,
): Prompt {
  const { adjust } = texts.users
  const { text, buttons } = promptScreen(
    texts,
    lines(adjust.title(plan.username), '', adjust.change(signed(change, currency)), '', adjust.askRemark),
    cancel,
  )
  return { text, buttons: [[{ text: texts.users.create.buttons.skip, answer: CHOICE.skip }], ...buttons] }
}

/** Both balances before and after, and one button. */
export function confirmAdjustmentPrompt(
  view: View,
  plan: AdjustmentPlan,
  { change, remark }: { change: Micros; remark: string },
  cancel: string,
): Prompt {
  const { texts, currency } = view
  const { adjust, ownBalance } = texts.users
  const show = (micros: Micros) => amount(micros, currency)
  const { text, buttons } = promptScreen(
    texts,
    lines(
      adjust.title(plan.username),
      '',
      adjust.change(signed(change, currency)),
      texts.users.remark(remarkText(texts, remark)),
      '',
      adjust.theirs(plan.username, show(plan.balance), show(plan.balanceAfter)),
      ownBalance(show(plan.agentBalance), show(plan.agentBalanceAfter)),
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

/** `+10.00 USD` */
export function signed(change: Micros, currency: string): string {
  return change > 0 ? `+${amount(change, currency)}` : amount(change, currency)
}

export function newUsernamePrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  return promptScreen(texts, texts.users.askUsername(username), cancel)
}

export function newPasswordPrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  const { text, buttons } = promptScreen(texts, texts.users.askPassword(username), cancel)
  return { text, buttons: [[{ text: texts.users.create.buttons.make, answer: CHOICE.make }], ...buttons] }
}

/** @param returned what the agent gets back */
export function deletionPrompt(
  { texts, currency }: View,
  { username, balance }: SubUser,
  { activeProxies, returned, trafficLeft }: { activeProxies: number; returned: Micros; trafficLeft: number },
  cancel: string,
): Prompt {
  const text: Html = texts.users.askDeletion({
    username,
    balance: balance > 0 ? amount(balance, currency) : undefined,
    returns: returned > 0,
    activeProxies,
    traffic: trafficLeft > 0 ? gigabytes(trafficLeft) : undefined,
  })
  return promptScreen(texts, text, cancel)
}
