import type { EarningsReport } from '../../../core/earnings/earnings-report.ts'
import type { PayoutTerms } from '../../../core/earnings/payout-terms.ts'
import { type Micros, toText } from '../../../core/money.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { homeButton } from '../../kit/buttons.ts'
import { amount, balanceText } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

/** The balance of the earnings, and what was earned this month. */
export type EarningsNow = Pick<EarningsReport, 'balance' | 'total'>

/**
 * What an agent has earned, and what can be done with it.
 *
 * @param terms of payouts; undefined where none are made
 * @param hasPrices whether the agent has set any
 * @param note what has just been done
 */
export function earningsScreen(
  { texts, currency }: View,
  { balance, total }: EarningsNow,
  terms: PayoutTerms | undefined,
  hasPrices: boolean,
  note?: Html,
): Screen {
  const { earnings } = texts
  const { buttons } = earnings
  const { available, payable, pending, owed } = balance
  const show = (micros: number) => amount(micros, currency)
  const held = (micros: number) => balanceText(micros, currency)
  const enough = terms !== undefined && payable >= terms.min
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      earnings.title,
      '',
      earnings.available(held(available)),
      terms !== undefined && payable < available ? earnings.payable(held(payable)) : undefined,
      pending > 0 ? earnings.pending(held(pending)) : undefined,
      owed > 0 ? earnings.owed(show(owed)) : undefined,
      earnings.month(held(total.earned - total.takenBack)),
      ...(hasPrices ? [] : ['' as const, earnings.noPrices]),
      ...(enough || terms === undefined ? [] : ['' as const, earnings.leastPayout(show(terms.min))]),
    ),
    buttons: [
      [
        ...(available > 0 ? [{ text: buttons.move, data: EARNINGS.move.data() }] : []),
        ...(enough
          ? [{ text: buttons.payout, data: EARNINGS.askPayout.data(), style: 'primary' as const }]
          : []),
      ],
      [
        {
          text: buttons.prices,
          data: EARNINGS.prices.data(),
          ...(hasPrices ? {} : { style: 'primary' as const }),
        },
        { text: buttons.report, data: EARNINGS.report.data({ period: 'days', part: 'product' }) },
      ],
      terms === undefined ? [] : [{ text: buttons.payouts, data: EARNINGS.payouts.data({ page: 1 }) }],
      [homeButton(texts)],
    ],
  }
}

/**
 * Asks how much to move to the balance.
 *
 * @param typed an amount that was typed; only its button moves it
 */
export function movePrompt(view: View, available: Micros, typed?: Micros): Prompt {
  const { askMove, askMoveOf } = view.texts.earnings
  const prompt = amountPrompt(view, askMove(balanceText(available, view.currency)), available)
  if (typed === undefined) return prompt
  const sum = amount(typed, view.currency)
  const button: AnswerButton = { text: `✅ ${sum}`, answer: toText(typed), style: 'success' }
  return { text: lines(prompt.text, '', askMoveOf(sum)), buttons: [[button], ...prompt.buttons] }
}

/**
 * Asks for an amount.
 *
 * @param available in micros; a button answers with all of it
 */
export function amountPrompt({ texts, currency }: View, question: Html, available: number): Prompt {
  const { text, buttons } = promptScreen(texts, question, EARNINGS.home.data())
  const all: AnswerButton = {
    text: texts.earnings.buttons.all(amount(available, currency)),
    answer: toText(available),
    style: 'success',
  }
  return { text, buttons: [available > 0 ? [all] : [], ...buttons] }
}
