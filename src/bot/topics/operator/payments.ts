import { nameOfTransfer } from '../../../core/facts/facts.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { UnmatchedTransfer } from '../../../core/top-ups/unmatched-transfers.ts'
import { creditFor } from '../../../core/usdt.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { paymentKey, unpackPaymentKey } from '../../actions/payment-key.ts'
import { ask, nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import type { Action } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import { amount } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import {
  assignmentScreen,
  goneScreen,
  ignoredScreen,
  ignoreScreen,
  PAYMENTS_PER_PAGE,
  paymentScreen,
  paymentsScreen,
  refundNoteScreen,
  settledScreen,
  whichTopUpScreen,
} from './payment-screens.ts'

/** Payments that fit no top-up: the operator assigns them, ignores them, or records that they were sent back. */
export function paymentsFeature(): Feature {
  const feature = new Feature(isOperatorChat)

  feature.command('payments', (ctx) => showPayments(ctx, 1))
  feature.on(OPERATOR.payments, (ctx, { page }) => showPayments(ctx, page))
  const onPayment = (
    action: Action<typeof OPERATOR.payment.shape>,
    handle: (ctx: BotContext, payment: UnmatchedTransfer) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { key }) => {
      const payment = await findPayment(ctx, key)
      if (payment) return handle(ctx, payment)
      await ctx.notify(ctx.texts.operator.payments.gone, true)
      return showPayments(ctx)
    })
  onPayment(OPERATOR.payment, (ctx, payment) => ctx.show(screenOf(ctx, payment)))
  onPayment(OPERATOR.assign, (ctx, payment) => ask(ctx, whichTopUp, { key: paymentKey(payment) }))
  onPayment(OPERATOR.ignore, (ctx, payment) => ctx.show(ignoreScreen(ctx.texts, payment)))
  onPayment(OPERATOR.ignoreNow, ignore)
  feature.on(OPERATOR.reopen, (ctx, { key }) => reopen(ctx, key))
  onPayment(OPERATOR.refund, (ctx, payment) => ask(ctx, refundNote, { key: paymentKey(payment) }))
  return feature
}

function screenOf({ texts, core }: BotContext, payment: UnmatchedTransfer): Screen {
  return paymentScreen(texts, core.topUps.network(payment.network), payment)
}

const paymentsAsLeft = listAsLeft('paymentsPage')

async function showPayments(ctx: BotContext, page?: number): Promise<unknown> {
  const list = (number: number) => ctx.core.operator.payments.page(number, PAYMENTS_PER_PAGE)
  return ctx.show(paymentsScreen(ctx.texts, await paymentsAsLeft(ctx, page, list)))
}

/** Finds an unmatched payment; undefined when it is settled or unknown. */
async function findPayment(
  { core }: BotContext,
  key: string | undefined,
): Promise<UnmatchedTransfer | undefined> {
  const payment = unpackPaymentKey(key)
  return payment && core.operator.payments.find(payment)
}

async function ignore(ctx: BotContext, payment: UnmatchedTransfer): Promise<unknown> {
  try {
    await ctx.core.operator.payments.ignore(by(ctx), { txid: nameOfTransfer(payment) })
    return await ctx.show(ignoredScreen(ctx.texts, payment))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return showPayments(ctx)
  }
}

/** Reopens an ignored payment; a repeated press only shows it. */
async function reopen(ctx: BotContext, key: string | undefined): Promise<unknown> {
  const { payments } = ctx.core.operator
  const named = unpackPaymentKey(key)
  const ignored = named && (await payments.findIgnored(named))
  if (ignored) await payments.reopen(by(ctx), { txid: nameOfTransfer(ignored) })
  const payment = await findPayment(ctx, key)
  if (payment) return ctx.show(screenOf(ctx, payment))
  await ctx.notify(ctx.texts.operator.payments.gone, true)
  return showPayments(ctx)
}

/** Returns the prompt of a question about a payment, or a screen that says that somebody else has settled it. */
async function about(
  ctx: BotContext,
  key: string,
  screen: (payment: UnmatchedTransfer) => Prompt,
): Promise<Prompt> {
  const payment = await findPayment(ctx, key)
  return payment ? screen(payment) : goneScreen(ctx.texts)
}

interface PaymentState {
  readonly key: string
}

/** The number of the top-up that a payment is for. */
const whichTopUp: OperatorQuestion<PaymentState> = {
  name: 'payment.top-up',
  forOperator: true,
  prompt: (ctx, _actor, { key }) =>
    about(ctx, key, (payment) => askedIn(ctx, whichTopUpScreen(ctx.texts, payment))),
  answer: takeTopUp,
  choose: takeTopUp,
}

async function takeTopUp(
  ctx: BotContext,
  _actor: undefined,
  { key }: PaymentState,
  number: string,
): Promise<Outcome> {
  const topUp = await ctx.core.operator.payments.topUp(number.toUpperCase())
  return topUp
    ? nextQuestion(confirmAssignment, { key, orderNo: topUp.orderNo })
    : { problem: ctx.texts.operator.payments.noTopUp }
}

/** Confirms the assignment: by the button only. */
const confirmAssignment: OperatorQuestion<PaymentState & { orderNo: string }> = {
  name: 'payment.assign',
  forOperator: true,
  prompt: async (ctx, _actor, { key, orderNo }) => {
    const topUp = await ctx.core.operator.payments.topUp(orderNo)
    return about(ctx, key, (payment) =>
      topUp ? assignmentScreen(viewOf(ctx), payment, topUp) : screenOf(ctx, payment),
    )
  },
  answer: (ctx) => ({ problem: ctx.texts.useButtons }),
  choose: async (ctx, _actor, { key, orderNo }) => {
    const { texts, core } = ctx
    const payment = await findPayment(ctx, key)
    if (!payment) return { screen: goneScreen(texts) }
    const topUp = await core.operator.payments.assign(by(ctx), {
      txid: nameOfTransfer(payment),
      orderNo,
    })
    const credit = amount(creditFor(BigInt(payment.units), topUp.rate), core.currency)
    return { screen: settledScreen(texts, texts.operator.payments.assigned(credit, topUp.username)) }
  },
}

/** The note that says how a payment was sent back. */
const refundNote: OperatorQuestion<PaymentState> = {
  name: 'payment.refund',
  forOperator: true,
  prompt: (ctx, _actor, { key }) =>
    about(ctx, key, (payment) => askedIn(ctx, refundNoteScreen(ctx.texts, payment))),
  answer: async (ctx, _actor, { key }, note) => {
    const { payments } = ctx.texts.operator
    const payment = await findPayment(ctx, key)
    if (!payment) return { screen: goneScreen(ctx.texts) }
    await ctx.core.operator.payments.refund(by(ctx), { txid: nameOfTransfer(payment), note })
    return { screen: settledScreen(ctx.texts, payments.refunded) }
  },
}

export const paymentQuestions = [whichTopUp, confirmAssignment, refundNote]
