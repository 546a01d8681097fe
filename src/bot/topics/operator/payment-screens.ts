import type { Page } from '../../../core/page.ts'
import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import type { NearTopUp } from '../../../core/top-ups/near-top-ups.ts'
import type { UnmatchedTransfer, WaitingTransfer } from '../../../core/top-ups/unmatched-transfers.ts'
import { creditFor } from '../../../core/usdt.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { paymentKey } from '../../actions/payment-key.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { amount, usdt } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const PAYMENTS_PER_PAGE = 8

export function paymentsScreen(
  texts: Texts,
  { items, total, page, pageSize }: Page<WaitingTransfer>,
): Screen {
  const { payments: words } = texts.operator
  const last = [topUpsButton(texts), operatorButton(texts)]
  if (total === 0) return { text: words.none, buttons: [last] }
  return {
    text: words.title(total),
    buttons: [
      ...items.map((payment) => [
        {
          text: words.button(received(payment), texts.date(new Date(payment.blockTime))),
          data: OPERATOR.payment.data({ key: paymentKey(payment) }),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => OPERATOR.payments.data({ page: to })),
      last,
    ],
  }
}

export function paymentScreen(texts: Texts, network: NetworkTraits, payment: UnmatchedTransfer): Screen {
  return {
    text: paymentText(texts, payment),
    buttons: [...paymentButtons(texts, network, payment), [backToPayments(texts), operatorButton(texts)]],
  }
}

/** Describes a payment, with the top-ups that it is claimed for, and others that it may be for. */
export function paymentText(texts: Texts, payment: UnmatchedTransfer): Html {
  const { payments: words } = texts.operator
  const { claims, near, reason } = payment
  const topUp = ({ orderNo, username, payAmount, status }: NearTopUp) =>
    words.nearTopUp(orderNo, username, payAmount, texts.topUps.icon[status])
  return lines(
    words.arrived(received(payment)),
    words.why[reason],
    '',
    words.facts(payment.from, texts.dateTime(new Date(payment.blockTime))),
    words.txid(payment.network, payment.txid),
    ...(claims.length > 0 ? ['' as const, words.claims, ...claims.map(topUp)] : []),
    ...(near.length > 0 ? ['' as const, words.near, ...near.map(topUp)] : []),
  )
}

export function paymentButtons(
  texts: Texts,
  network: NetworkTraits,
  payment: Pick<WaitingTransfer, 'id' | 'txid'>,
): Button[][] {
  const { buttons } = texts.operator
  const key = paymentKey(payment)
  return [
    [{ text: buttons.assign, data: OPERATOR.assign.data({ key }), style: 'primary' }],
    [
      { text: buttons.ignore, data: OPERATOR.ignore.data({ key }) },
      { text: buttons.refund, data: OPERATOR.refund.data({ key }) },
    ],
    [{ text: texts.topUps.buttons.explorer, url: network.transactionUrl(payment.txid) }],
  ]
}

/** Asks which top-up a payment is for; the likely ones are buttons. */
export function whichTopUpScreen(texts: Texts, payment: UnmatchedTransfer): Prompt {
  const { payments: words } = texts.operator
  const meant = [...payment.claims, ...payment.near]
  const { text, buttons } = promptScreen(
    texts,
    lines(paymentText(texts, payment), '', words.whichTopUp(meant.length > 0)),
    back(payment),
  )
  const choices = meant.map(({ orderNo, username, payAmount, status }) => [
    {
      text: words.nearButton(texts.topUps.icon[status], username, payAmount),
      name: username,
      answer: orderNo,
    },
  ])
  return { text, buttons: [...choices, ...buttons] }
}

/** Shows everything that an assignment will do, for confirmation. */
export function assignmentScreen(
  { texts, currency }: View,
  payment: UnmatchedTransfer,
  { orderNo, username, payAmount, rate }: TopUp,
): Prompt {
  const { buttons, payments: words } = texts.operator
  const credit = amount(creditFor(BigInt(payment.units), rate), currency)
  return {
    text: words.confirm({ orderNo, username, asked: usdt(payAmount), received: received(payment), credit }),
    buttons: [
      [{ text: buttons.assignNow(credit), answer: 'assign', style: 'success' }],
      [{ text: texts.buttons.cancel, data: back(payment) }],
    ],
  }
}

export function ignoreScreen(texts: Texts, payment: UnmatchedTransfer): Screen {
  const { buttons, payments: words } = texts.operator
  return {
    text: lines(paymentText(texts, payment), '', words.ignore),
    buttons: [
      [
        {
          text: buttons.ignoreNow,
          data: OPERATOR.ignoreNow.data({ key: paymentKey(payment) }),
          style: 'danger',
        },
      ],
      [{ text: texts.buttons.cancel, data: back(payment) }],
    ],
  }
}

export function refundNoteScreen(texts: Texts, payment: UnmatchedTransfer): Screen {
  return promptScreen(
    texts,
    lines(paymentText(texts, payment), '', texts.operator.payments.refundNote),
    back(payment),
  )
}

/** Says that a payment is ignored; that can be undone here, and where a search finds the payment. */
export function ignoredScreen(texts: Texts, payment: WaitingTransfer): Screen {
  const { text, buttons } = settledScreen(texts, texts.operator.payments.ignored)
  return { text, buttons: [[reopenButton(texts, payment)], ...buttons] }
}

function reopenButton(texts: Texts, payment: Pick<WaitingTransfer, 'id'>): Button {
  return { text: texts.operator.buttons.reopen, data: OPERATOR.reopen.data({ key: paymentKey(payment) }) }
}

/** Says what became of a payment, with the way to the next one. */
export function settledScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [[backToPayments(texts), operatorButton(texts)]] }
}

/** Says that somebody else has settled the payment already. */
export function goneScreen(texts: Texts): Screen {
  return settledScreen(texts, html`${texts.operator.payments.gone}`)
}

function topUpsButton({ customers }: Texts): Button {
  return { text: customers.buttons.allTopUps, data: CUSTOMERS.allTopUps.data({ page: 1 }) }
}

const received = ({ units }: WaitingTransfer) => usdt(BigInt(units))
const back = (payment: WaitingTransfer) => OPERATOR.payment.data({ key: paymentKey(payment) })

function backToPayments(texts: Texts): Button {
  return { text: texts.buttons.back, data: OPERATOR.payments.data() }
}
